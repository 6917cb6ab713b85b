import { contentDigest } from '../../util/text/hash.ts'
import { checkTextLength } from '../doors/text-limit.ts'
import { MemoryError, needs, shown } from '../errors.ts'
import { indexRow } from '../find/query/index-row.ts'
import { labelOf, truncateLabel } from '../label.ts'
import { encodeLinks } from '../link.ts'
import { extractLinks } from '../link-text.ts'
import { isOfDoor } from '../port/rows.ts'
import type { NodeRow, SnapshotRow } from '../port/store.ts'
import { prepareRedacted } from '../prepare.ts'
import { countNewRedactions, type Redactions } from '../redact.ts'
import { setHeat } from '../rows/heat.ts'
import { estimateTokens } from '../tokens.ts'
import {
  checkNodeId,
  checkUnchanged,
  checkVersion,
  mutate,
  nodeToEdit,
  prepared,
  snapshotOperation,
} from '../write/operation.ts'
import { editNode, type WriteDeps } from './write.ts'
import { prepareWriteBack, putWriteBack, type WriteBack } from './write-back.ts'

export interface SummarizeInput {
  id: string
  summary: string
  temperature?: number
  /** The newest snapshot that the caller has seen: if the node changed later, nothing is written. */
  expectedVersion?: number
}

export interface SummarizeResult {
  oldTokens: number
  newTokens: number
  /** Secrets removed from the summary, by kind. */
  redactions: Redactions
  snapshot: SnapshotRow | null
}

export interface SummarizeDeps extends WriteDeps {
  /** Normalises line ends, trailing blanks and invalid characters, as in every parsed block. */
  normalize: (text: string) => string
  maxNodeTokens: number
  /** Heat of a summarized node, unless the caller gives one. */
  rebound: number
}

/** Replaces a node's text with a shorter one. A heading keeps its label: links still find it. */
export async function summarize(deps: SummarizeDeps, input: SummarizeInput): Promise<SummarizeResult> {
  needs(typeof input?.summary === 'string', 'summarize needs { id, summary }: a node and its shorter text')
  const { id, temperature = deps.rebound } = input
  checkTextLength(input.summary, deps.noteLimit)
  const given = deps.normalize(input.summary)
  const summary = await deps.prepare(prepareRedacted, given)
  const tokens = estimateTokens(summary)
  if (tokens > deps.maxNodeTokens) {
    const limit = `at most ${deps.maxNodeTokens} fit in a node`
    throw new MemoryError('INVALID_INPUT', `the summary has about ${tokens} tokens and ${limit}; shorten it`)
  }
  if (summary === '') throw new MemoryError('INVALID_INPUT', 'the summary is empty; give the text to keep')
  if (!(temperature >= 0 && temperature <= 1)) {
    throw new MemoryError('INVALID_INPUT', `temperature must be in [0, 1], got ${shown(temperature)}`)
  }
  const about = { operation: 'summarize', message: `summarize:${id}` }
  const { expectedVersion } = input
  checkNodeId(id)
  checkVersion(expectedVersion)
  return prepared(deps, async () => {
    const writeBack = await prepareWriteBack(deps, id, async (tx, row) => {
      await checkUnchanged(tx, id, expectedVersion)
      return new Map([[row.key, summaryBlock(row, summary).text]])
    })
    const { value, snapshot } = await mutate(deps, shortenNode, {
      ...about,
      input: { id, summary, temperature, expectedVersion, writeBack },
    })
    return { ...value, redactions: countNewRedactions(given, summary), snapshot }
  })
}

interface ShortenInput {
  id: string
  summary: string
  temperature: number
  expectedVersion: number | undefined
  writeBack: WriteBack | undefined
}

export const shortenNode = snapshotOperation('summarize', async (context, input: ShortenInput) => {
  const { id, summary, temperature, expectedVersion, writeBack } = input
  const { tx } = context
  const found = await nodeToEdit(context, id, expectedVersion)
  const row = found.node
  const flat = summaryBlock(row, summary)
  if (isOfDoor(found.document)) await putWriteBack(context, { id, document: found.document, writeBack })
  else await editNode(context, found, { flat, operation: 'summarize' })
  await setHeat(tx, [row.key], { value: temperature })
  return { oldTokens: row.tokens, newTokens: estimateTokens(flat.text) }
})

function summaryBlock(row: NodeRow, summary: string) {
  // Code has no links: text that looks like one is left as it is.
  const { text, links } = row.type === 'code' ? { text: summary, links: [] } : extractLinks(summary)
  const digest = contentDigest(text)
  const block = { type: row.type, format: 'plain' as const, text, digest }
  const label = row.type === 'heading' || digest === row.digest ? row.label : summaryLabel(text)
  const ownLabel = label === labelOf(block) ? null : label
  return { ...block, label, ownLabel, links: encodeLinks(links), words: indexRow({ ...block, label }) }
}

function summaryLabel(summary: string): string {
  return truncateLabel(`Summary: ${summary.trim().split('\n', 1)[0] ?? ''}`)
}
