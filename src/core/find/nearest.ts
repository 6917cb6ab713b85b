import type { ReadTx } from '../store.ts'
import type { OutlineRow } from '../store-outline.ts'
import { createOutlineReader, type OutlineReader } from './outline-reader.ts'

/** A node on the way from an anchor. */
export interface Near {
  row: OutlineRow
  /** From 0 at the top of its document. */
  depth: number
  /** The node one step nearer to the anchor; the anchor has none. */
  from: Near | undefined
  isAbove: boolean
}

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

/**
 * The anchor, then what is one step away, then what is two: of each distance first the node above, then those below in
 * document order, down to `depth` levels; those of one parent at a time. Reads no further than it is asked.
 */
export async function* nearestFirst(tx: ReadTx, line: OutlineRow[], depth: number): AsyncGenerator<Near[]> {
  const reader = createOutlineReader(tx)
  let above: Near | undefined
  let level: Near[] = []
  for (let distance = 0; distance < line.length || level.length > 0; distance++) {
    const row = line[distance]
    if (row) {
      above = { row, depth: line.length - 1 - distance, from: above, isAbove: distance > 0 }
      yield [above]
    }
    if (distance === 0 && above) level = [above]
    else level = yield* below(reader, distance <= depth ? level : [])
  }
}

async function* below(reader: OutlineReader, parents: readonly Near[]): AsyncGenerator<Near[], Near[]> {
  const found: Near[] = []
  reader.expect(parents.map(({ row }) => row))
  for (const from of parents) {
    if (from.row.children === 0) continue
    for await (const page of reader.below(from.row)) {
      const children = page.map((row) => ({ row, depth: from.depth + 1, from, isAbove: false }))
      for (const child of children) found.push(child)
      yield children
    }
  }
  return found
}
