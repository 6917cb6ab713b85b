import type { Store } from './store.ts'

/** The keys of the live nodes among `ids`. */
export function keysOf(store: Store, ids: readonly string[]): Promise<number[]> {
  return store.read(async (tx) => {
    const rows = await Promise.all(ids.map((id) => tx.findNode(id)))
    return rows.flatMap((row) => (row?.live ? [row.key] : []))
  })
}
