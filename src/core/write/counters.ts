import type { NodeRow } from '../port/rows.ts'

/** Notes in `counters` that a live node came (1) or went (-1). Returns by how much the state digest changes. */
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

export function addTo(counters: Map<string, number>, name: string, by: number): void {
  counters.set(name, (counters.get(name) ?? 0) + by)
}
