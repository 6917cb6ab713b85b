import type { LineageRow, ReadingRow } from '../port/nodes.ts'
import type { ReadTx } from '../port/store.ts'

export type HitReader = ReturnType<typeof createHitReader>

/** What is shown of nodes that were found, and what decides between equal ones: each is read once. */
export function createHitReader(tx: ReadTx) {
  const rows = new Map<number, ReadingRow>()
  const above = new Map<number, LineageRow>()
  return {
    rows,
    /** The nodes that were loaded and all that stands above them. */
    above,
    async load(keys: readonly number[]): Promise<void> {
      const unknown = keys.filter((key) => !rows.has(key))
      if (unknown.length === 0) return
      const [found, lines] = await Promise.all([
        tx.nodes({ keys: unknown }, 'reading'),
        tx.walk({ keys: unknown }, { direction: 'up', fields: 'lineage' }),
      ])
      for (const row of found) rows.set(row.key, row)
      for (const row of lines) above.set(row.key, row)
    },
  }
}
