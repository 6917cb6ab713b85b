import type { StoredLink } from '../port/links.ts'
import { addTo } from '../rows/counters.ts'

export type CountedLink = Pick<StoredLink, 'origin' | 'targetKey' | 'asleep'>

/** Adds all links of one node to the counters, or subtracts them: several to the same target are one edge. */
export function countLinks(counters: Map<string, number>, links: readonly CountedLink[], by: 1 | -1): void {
  const edges = new Set<string>()
  for (const { origin, targetKey, asleep } of links) {
    if (asleep) continue
    if (targetKey === null) addTo(counters, 'relations_pending', by)
    else edges.add(JSON.stringify([origin, targetKey]))
  }
  for (const edge of edges) addTo(counters, `relations.${JSON.parse(edge)[0]}`, by)
}
