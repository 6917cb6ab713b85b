import type { FetchAnswer, FetchBatchAnswer } from './fetch-model.ts'

export function fetchJson({ anchor, nodes, leftOut, snapshotId }: FetchAnswer) {
  const { isMore, ...counts } = leftOut
  return { anchor, nodes, left_out: { ...counts, is_more: isMore }, snapshot_id: snapshotId }
}

export function batchJson({ nodes, notFound, overBudget, snapshotId }: FetchBatchAnswer) {
  return { nodes, not_found: notFound, over_budget: overBudget, snapshot_id: snapshotId }
}
