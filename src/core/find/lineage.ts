import type { OutlineRow } from '../port/outline.ts'
import type { ReadTx } from '../port/store.ts'

/** A node and all above it, from there to the root. */
export async function lineage(tx: ReadTx, node: OutlineRow): Promise<OutlineRow[]> {
  const rows = [node]
  // A damaged memory may lead in circles.
  const seen = new Set([node.key])
  for (let next = node.parentKey; next !== null && !seen.has(next); ) {
    seen.add(next)
    const [row]: OutlineRow[] = await tx.outlineNodes([next])
    if (!row) break
    rows.push(row)
    next = row.parentKey
  }
  return rows
}
