import type { ScanKey, ScanReads, StoredRows } from '../port/scan.ts'
import type { CheckedTable } from './check.ts'

/** Of each table what it is ordered by, and how many rows are read at once: those with texts must fit in memory. */
const PAGES: {
  [T in CheckedTable]: { keyOf: (row: StoredRows[T]) => ScanKey; limit: number }
} = {
  space: { keyOf: () => [], limit: 2 },
  snapshots: { keyOf: ({ id }) => [id], limit: 1000 },
  counters: { keyOf: ({ name }) => [name], limit: 1000 },
  doorCounts: {
    keyOf: ({ kind, state, archived, type, importance, status }) => [
      ...[kind, state, archived, type, importance, status],
    ],
    limit: 1000,
  },
  tagCounts: { keyOf: ({ kind, tag }) => [kind, tag], limit: 1000 },
  leases: { keyOf: ({ name }) => [name], limit: 1000 },
  texts: { keyOf: ({ key }) => [key], limit: 16 },
  documentRows: { keyOf: ({ id }) => [id], limit: 256 },
  documentVersionRows: { keyOf: ({ documentId, snapshotId }) => [documentId, snapshotId], limit: 256 },
  fileFacts: { keyOf: ({ root, path }) => [root, path], limit: 1000 },
  nodeRows: { keyOf: ({ key }) => [key], limit: 1000 },
  nodeStates: { keyOf: ({ key }) => [key], limit: 256 },
  versionRows: { keyOf: ({ nodeKey, snapshotId }) => [nodeKey, snapshotId], limit: 1000 },
  heat: { keyOf: ({ key }) => [key], limit: 1000 },
  linkRows: { keyOf: ({ sourceKey, id }) => [sourceKey, id], limit: 1000 },
}

/** In a hostile memory a key may be a number that JavaScript does not have: the same page would come forever. */
function advanced(table: string, before: ScanKey, after: ScanKey): ScanKey {
  const isExact = after.every((part) => typeof part !== 'number' || Number.isSafeInteger(part))
  if (isExact && JSON.stringify(before) !== JSON.stringify(after)) return after
  throw new Error(`${table} has a row whose key is out of range`)
}

/** Every row of a table, page by page. */
export async function* pagesOf<T extends CheckedTable>(
  tx: Pick<ScanReads, 'scan'>,
  table: T,
): AsyncGenerator<StoredRows[T][]> {
  const { keyOf, limit } = PAGES[table]
  let after: ScanKey = []
  for (let isMore = true; isMore; ) {
    const page = await tx.scan(table, { after, limit })
    if (page.length > 0) yield page
    const last = page.at(-1)
    isMore = last !== undefined && page.length === limit
    if (last && isMore) after = advanced(table, after, keyOf(last))
  }
}
