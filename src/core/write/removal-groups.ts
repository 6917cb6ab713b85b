/** Documents are removed together up to this many nodes, which are in memory. */
const NODES_AT_ONCE = 10_000

/** How many nodes each document has. */
export type NodeCounts = readonly { id: number; nodes: number }[]

/** In the same order. A document is never split; one that is not counted counts as empty. */
export function* removalGroups<R extends { id: number }>(
  rows: readonly R[],
  counts: NodeCounts,
  most = NODES_AT_ONCE,
): Generator<R[]> {
  const nodesIn = new Map(counts.map(({ id, nodes }) => [id, nodes]))
  let group: R[] = []
  let size = 0
  for (const row of rows) {
    const nodes = nodesIn.get(row.id) ?? 0
    if (group.length > 0 && size + nodes > most) {
      yield group
      group = []
      size = 0
    }
    group.push(row)
    size += nodes
  }
  if (group.length > 0) yield group
}
