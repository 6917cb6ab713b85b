import type { Walked } from '../../port/nodes.ts'
import type { FetchedNode } from './fetch-model.ts'

type Row = Walked<'reading'>

/** A node on the way from an anchor. */
export interface Near {
  row: Row
  /** What is shown of it. */
  node: FetchedNode
  /** The node one step nearer to the anchor; the anchor has none. */
  from: Near | undefined
  isAbove: boolean
  /** What its line says besides; only of the anchor. */
  facts?: string
}

export interface Around {
  /** From the anchor's parent to the root, with distances below 0. */
  above: readonly Row[]
  /** The anchor and what is below it, the nearest first. */
  below: readonly Row[]
  /** Nothing else is below it. */
  isAll: boolean
}

/**
 * The anchor, then what is one step away, then what is two: of each distance first the node above, then those below in document
 * order. Ends where what is farther may be missing.
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

/** Parents come in the order of their children: each is looked for where the last one was found. */
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
