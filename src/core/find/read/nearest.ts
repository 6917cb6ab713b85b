import type { Walked } from '../../port/nodes.ts'
import type { FetchedNode } from './fetch-model.ts'

type Row = Walked<'reading'>

/** A node at a distance from an anchor. */
export interface Near {
  row: Row
  /** Its shown form. */
  node: FetchedNode
  /** The node one step nearer to the anchor; the anchor has none. */
  from: Near | undefined
  isAbove: boolean
  /** Extra facts for its line; only for the anchor. */
  facts?: string
}

export interface Around {
  /** From the anchor's parent to the root, with negative distances. */
  above: readonly Row[]
  /** The anchor and its descendants, nearest first. */
  below: readonly Row[]
  /** There are no other descendants. */
  isAll: boolean
}

/**
 * The nodes by distance from the anchor: at each distance first the ancestor, then descendants in document order. Ends
 * where farther nodes may be missing.
 */
export function nearestFirst({ above, below, isAll }: Around, facts: string): Near[] {
  const down = downwards(below, above.length)
  if (down[0]) down[0].facts = facts
  if (above.length === 0) return down
  const up = upwards(above, down[0])
  const found: Near[] = []
  let at = 0
  for (const near of down) {
    for (let next = up[at]; next && -next.row.distance <= near.row.distance; next = up[++at]) found.push(next)
    found.push(near)
  }
  return isAll ? found.concat(up.slice(at)) : found
}

/** Parents come in the order of their children: each is searched from where the last one was found. */
function downwards(rows: readonly Row[], depth: number): Near[] {
  const found: Near[] = []
  let parent = 0
  for (const row of rows) {
    if (row.distance > 0) while (parent < found.length && found[parent]?.row.key !== row.parentKey) parent++
    found.push({ row, node: toNode(row, depth + row.distance), from: found[parent], isAbove: false })
  }
  return found
}

function upwards(rows: readonly Row[], anchor: Near | undefined): Near[] {
  let from = anchor
  return rows.map((row) => {
    from = { row, node: toNode(row, rows.length + row.distance), from, isAbove: true }
    return from
  })
}

function toNode({ id, type, label, source, tokens, temperature, text }: Row, depth: number): FetchedNode {
  return { id, type, label, depth, path: source, tokens, temperature, text }
}
