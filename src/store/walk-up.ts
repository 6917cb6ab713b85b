interface Step {
  key: number
  parentKey: number | null
  distance?: number
}

/**
 * Nodes and all above them, the nearest first, each once: a damaged memory may lead in circles. Level by level: in SQLite a
 * recursive query takes twice as long.
 */
export function walkUp<R extends Step>(first: R[], nodesOf: (keys: number[]) => R[]): R[] {
  const found = new Map<number, R>()
  let level = first
  for (let distance = 0; level.length > 0; distance++) {
    const next = new Set<number>()
    for (const row of level) {
      row.distance = distance
      found.set(row.key, row)
      if (row.parentKey !== null) next.add(row.parentKey)
    }
    const keys = [...next].filter((key) => !found.has(key))
    level = keys.length > 0 ? nodesOf(keys) : []
  }
  return [...found.values()]
}
