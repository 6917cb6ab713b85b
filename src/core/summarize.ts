import { contentDigest } from '../util/hash.ts'
import { MemoryError } from './errors.ts'
import { truncateLabel } from './label.ts'
import { getNode, mutate, type OperationDeps } from './operation.ts'
import type { SnapshotRow } from './store.ts'
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
      const label = row.type === 'heading' ? row.label : summaryLabel(summary)
      const flat = { type: row.type, format: 'plain' as const, text: summary, label, ownLabel: label }
      await editNode(context, row, {
        flat: { ...flat, digest: contentDigest(summary) },
        operation: 'summarize',
      })
      await context.tx.setHeat([row.key], { value: temperature })
      return row.tokens
    },
  )
  return { oldTokens: value, newTokens: estimateTokens(summary), snapshot }
}

function summaryLabel(summary: string): string {
  return truncateLabel(`Summary: ${summary.trim().split('\n', 1)[0] ?? ''}`)
}
