import { contentDigest } from '../util/hash.ts'
import { MemoryError } from './errors.ts'
import { labelOf, truncateLabel } from './label.ts'
import { getNode, mutate, type OperationDeps } from './operation.ts'
import type { NodeRow, SnapshotRow } from './store.ts'
import { estimateTokens } from './tokens.ts'
import { editNode } from './write.ts'

/** Heat of a node that was just summarized, unless the caller says otherwise. */
const REBOUND = 0.5

export interface SummarizeInput {
  id: string
  summary: string
  temperature?: number
}

export interface SummarizeResult {
  oldTokens: number
  newTokens: number
  snapshot: SnapshotRow | null
}

/** Replaces a node's text by a shorter one. A heading keeps its label: links still find it. */
export async function summarize(deps: OperationDeps, input: SummarizeInput): Promise<SummarizeResult> {
  const { id, summary, temperature = REBOUND } = input
  if (summary.trim() === '')
    throw new MemoryError('INVALID_INPUT', 'the summary is empty; give the text to keep')
  if (!(temperature >= 0 && temperature <= 1)) {
    throw new MemoryError('INVALID_INPUT', `temperature must be in [0, 1], got ${temperature}`)
  }
  const { value, snapshot } = await mutate(
    deps,
    { operation: 'summarize', message: `summarize:${id}` },
    async (context) => {
      const row = await getNode(context.tx, id)
      await editNode(context, row, { flat: summaryBlock(row, summary), operation: 'summarize' })
      await context.tx.setHeat([row.key], { value: temperature })
      return row.tokens
    },
  )
  return { oldTokens: value, newTokens: estimateTokens(summary), snapshot }
}

function summaryBlock(row: NodeRow, text: string) {
  const digest = contentDigest(text)
  const block = { type: row.type, format: 'plain' as const, text, digest }
  const label = row.type === 'heading' || digest === row.digest ? row.label : summaryLabel(text)
  return { ...block, label, ownLabel: label === labelOf(block) ? null : label }
}

function summaryLabel(summary: string): string {
  return truncateLabel(`Summary: ${summary.trim().split('\n', 1)[0] ?? ''}`)
}
