import type { NodeRow } from '../port/rows.ts'

/** Counts an added (1) or removed (-1) live node in `counters`. Returns the change of the state digest. */
export function countNode(
  counters: Map<string, number>,
  { type, tokens, mark }: Pick<NodeRow, 'type' | 'tokens' | 'mark'>,
  sign: 1 | -1,
): bigint {
  addTo(counters, 'nodes', sign)
  addTo(counters, `nodes.${type}`, sign)
  addTo(counters, 'tokens', sign * tokens)
  return mark === null ? 0n : BigInt(sign) * mark
}

export function addTo<K>(counters: Map<K, number>, name: K, by: number): void {
  counters.set(name, (counters.get(name) ?? 0) + by)
}

/** The counters of a memory, as named by `countNode` and `countLinks`. */
interface Counted {
  nodes: { total: number; byType: Record<string, number>; tokens: number }
  relations: { byOrigin: Record<string, number>; pending: number }
}

export function countedIn(counters: Readonly<Record<string, number>>): Counted {
  const { nodes = 0, tokens = 0, relations_pending: pending = 0 } = counters
  return {
    nodes: { total: nodes, byType: withPrefix(counters, 'nodes.'), tokens },
    relations: { byOrigin: withPrefix(counters, 'relations.'), pending },
  }
}

/** By name, without those that are 0. */
function withPrefix(counters: Readonly<Record<string, number>>, prefix: string): Record<string, number> {
  const own = Object.entries(counters).filter(([name, value]) => name.startsWith(prefix) && value !== 0)
  own.sort(([a], [b]) => (a < b ? -1 : 1))
  return Object.fromEntries(own.map(([name, value]) => [name.slice(prefix.length), value]))
}
