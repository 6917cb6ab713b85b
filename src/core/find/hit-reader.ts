import type { LineageRow, ReadingRow } from '../port/nodes.ts'
import type { ReadTx } from '../port/store.ts'

export type HitReader = ReturnType<typeof createHitReader>

/** Reads what is shown of hits and what breaks ties, each once. */
export function createHitReader(tx: ReadTx) {
  const rows = new Map<number, ReadingRow>()
  const above = new Map<number, LineageRow>()
  return {
    rows,
    /** The loaded nodes and all their ancestors. */
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
