import type { ReadTx } from '../store.ts'
import type { OutlinePlace, OutlineRow } from '../store-outline.ts'

/** A node on the way from an anchor. */
export interface Near {
  row: OutlineRow
  /** From 0 at the top of its document. */
  depth: number
  /** The node one step nearer to the anchor; the anchor has none. */
  from: Near | undefined
  isAbove: boolean
}

/** Most nodes have few children, some have thousands: pages grow. */
const FIRST_PAGE = 8
const LARGEST_PAGE = 512

/** The node and all above it, from there to the root. */
export async function lineage(tx: ReadTx, key: number): Promise<OutlineRow[]> {
  const rows: OutlineRow[] = []
  // A damaged memory may lead in circles.
  const seen = new Set<number>()
  for (let next: number | null = key; next !== null && !seen.has(next); ) {
    seen.add(next)
    const [row]: OutlineRow[] = await tx.outlineNodes([next])
    if (!row) break
    rows.push(row)
    next = row.parentKey
  }
  return rows
}

/** The children of a node in order, or with null every root. */
export async function* childrenOf(
  tx: ReadTx,
  parentKey: number | null,
  after?: OutlinePlace,
): AsyncGenerator<OutlineRow> {
  let last = after
  for (let limit = FIRST_PAGE; ; limit = Math.min(2 * limit, LARGEST_PAGE)) {
    const page = await tx.outline(parentKey, { limit, ...(last ? { after: last } : {}) })
    yield* page
    if (page.length < limit) return
    last = page.at(-1)
  }
}

/**
 * The anchor, then what is one step away, then what is two: of each distance first the node above, then those below in
 * document order, down to `depth` levels. Reads no further than it is asked.
 */
export async function* nearestFirst(tx: ReadTx, line: OutlineRow[], depth: number): AsyncGenerator<Near> {
  let above: Near | undefined
  let level: Near[] = []
  for (let distance = 0; distance < line.length || level.length > 0; distance++) {
    const row = line[distance]
    if (row) {
      above = { row, depth: line.length - 1 - distance, from: above, isAbove: distance > 0 }
      yield above
    }
    if (distance === 0 && above) level = [above]
    else level = yield* below(tx, distance <= depth ? level : [])
  }
}

async function* below(tx: ReadTx, parents: readonly Near[]): AsyncGenerator<Near, Near[]> {
  const found: Near[] = []
  for (const from of parents) {
    if (from.row.children === 0) continue
    for await (const row of childrenOf(tx, from.row.key)) {
      const near = { row, depth: from.depth + 1, from, isAbove: false }
      found.push(near)
      yield near
    }
  }
  return found
}
