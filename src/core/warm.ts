import type { Store } from './store.ts'

/** The keys of those of `ids` that are live nodes. */
export function liveKeys(store: Pick<Store, 'read'>, ids: readonly string[]): Promise<number[]> {
  return store.read(async (tx) => {
    const rows = await Promise.all(ids.map((id) => tx.findNode(id)))
    return rows.flatMap((row) => (row?.live ? [row.key] : []))
  })
}
