import type { WriteTx } from '../port/store.ts'

/** The check of the search index, which an engine makes anew as a whole: which words it has for a damaged node nobody knows. */
const INDEX = 'fts5_sync'

export function rebuildIndex(tx: Pick<WriteTx, 'engineHeal'>): Promise<void> {
  return tx.engineHeal(INDEX)
}
