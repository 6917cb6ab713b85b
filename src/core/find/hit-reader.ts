import { documentNames } from '../documents.ts'
import type { LineageRow, ReadingRow } from '../port/nodes.ts'
import type { ReadTx } from '../port/store.ts'

export type HitReader = ReturnType<typeof createHitReader>

/** What is shown of nodes that were found, and what decides between equal ones: each is read once. */
export function createHitReader(tx: ReadTx) {
  const rows = new Map<number, ReadingRow>()
  const above = new Map<number, LineageRow>()
  const texts = new Map<number, string>()

  async function loadLines(keys: readonly number[]): Promise<void> {
    const unknown = keys.filter((key) => !above.has(key))
    if (unknown.length === 0) return
    for (const row of await tx.walk({ keys: unknown }, { direction: 'up', fields: 'lineage' }))
      above.set(row.key, row)
  }

  async function load(keys: readonly number[]): Promise<void> {
    const unknown = keys.filter((key) => !rows.has(key))
    if (unknown.length === 0) return
    const [found] = await Promise.all([tx.nodes({ keys: unknown }, 'reading'), loadLines(unknown)])
    for (const row of found) {
      rows.set(row.key, row)
      texts.set(row.key, row.text)
    }
  }

  return {
    rows,
    /** The nodes that were loaded and all that stands above them. */
    above,
    load,
    loadLines,
    async textsOf(keys: readonly number[]): Promise<ReadonlyMap<number, string>> {
      const unknown = keys.filter((key) => !texts.has(key))
      if (unknown.length > 0)
        for (const { key, text } of await tx.nodes({ keys: unknown }, 'text')) texts.set(key, text)
      return texts
    },
    /** The paths of the documents that these nodes are in. */
    async pathsOf(nodes: readonly { key: number; documentId: number }[]): Promise<Map<number, string>> {
      const paths = new Map<number, string>()
      const unknown = new Set<number>()
      for (const { key, documentId } of nodes) {
        const row = rows.get(key)
        if (row) paths.set(documentId, row.source)
        else unknown.add(documentId)
      }
      const others = [...unknown].filter((id) => !paths.has(id))
      if (others.length > 0) for (const [id, path] of await documentNames(tx, others)) paths.set(id, path)
      return paths
    },
  }
}
