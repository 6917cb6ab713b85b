import type { SnapshotFilter } from '../port/history.ts'
import type { SnapshotRow } from '../port/rows.ts'

/** What a filter says of the row itself. */
export function fitsSnapshot(
  { author, operation, createdAt }: SnapshotRow,
  filter: Omit<SnapshotFilter, 'within'>,
): boolean {
  const { since = Number.NEGATIVE_INFINITY, until = Number.POSITIVE_INFINITY } = filter
  if (createdAt < since || createdAt > until) return false
  return (filter.author ?? author) === author && (filter.operation ?? operation) === operation
}
