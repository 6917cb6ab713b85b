import type { StoredRows } from './port/scan.ts'
import type { ReadTx } from './port/store.ts'

const PAGE = 1000

/** Every key of a table, page by page. */
export async function* pagesOf<T extends 'documents' | 'nodes'>(
  tx: Pick<ReadTx, 'scan'>,
  table: T,
  keyOf: (row: StoredRows[T]) => number,
): AsyncGenerator<number[]> {
  for (let after = 0; ; ) {
    const keys = (await tx.scan(table, { after: [after], limit: PAGE })).map(keyOf)
    if (keys.length > 0) yield keys
    if (keys.length < PAGE) return
    after = keys.at(-1) as number
  }
}
