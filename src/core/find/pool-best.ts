import type { Posting } from '../port/search.ts'
import type { ReadTx } from '../port/store.ts'
import type { Filters, Unit } from './query/query-model.ts'

/** How many of the hottest nodes to read. */
const HOT = 1000
/** How many nodes to read if every unit is common, and how many labels if too many nodes are alike. */
export const COMMON = 2000

export interface CountedUnit {
  unit: Unit
  /** How many nodes have it; one more than can be listed means at least that many. */
  count: number
  idf: number
  /** The nodes that have it, newest first, if already known. */
  keys: number[] | undefined
}

/** The criteria for the best nodes. */
export interface Choice {
  tx: ReadTx
  filters: Filters
  /** How many nodes to choose. */
  size: number
}

/** Keys of the nodes that match one posting. */
export async function keysOf(tx: ReadTx, posting: Posting): Promise<number[]> {
  return (await tx.postings([posting])).found[0]?.keys ?? []
}

export function matchAll(units: Unit[]) {
  return { units, expression: { and: units.map((_, at) => at) } }
}

/**
 * The nodes with the best masks. If too many are alike, the hottest of the memory come first, then labels with the
 * words, then older nodes.
 */
export async function chooseBest(
  search: Choice,
  units: CountedUnit[],
  masks: ReadonlyMap<number, number>,
): Promise<number[]> {
  const groups = Map.groupBy(masks.keys(), (key) => masks.get(key) as number)
  const weight = (mask: number): number =>
    units.reduce((sum, { idf }, at) => sum + (mask & (1 << at) ? idf : 0), 0)
  const byWeight = [...groups].sort(([a], [b]) => weight(b) - weight(a) || b - a)
  const chosen: number[] = []
  for (const [mask, keys] of byWeight) {
    const room = search.size - chosen.length
    if (room <= 0) break
    const ordered = keys.length > room ? await mostLikely(search, unitsIn(mask, units), keys) : keys
    chosen.push(...ordered.slice(0, room))
  }
  return chosen
}

/** The units of a mask. */
export function unitsIn(mask: number, units: readonly CountedUnit[]): Unit[] {
  return units.filter((_, at) => mask & (1 << at)).map(({ unit }) => unit)
}

async function mostLikely({ tx, filters }: Choice, units: Unit[], keys: number[]): Promise<number[]> {
  const [ordered, isThere] = [new Set<number>(), new Set(keys)]
  const inLabels = { match: { ...matchAll(units), inLabel: true }, filters, limit: COMMON }
  const [hottest, labels] = await Promise.all([
    tx.nodes({ order: 'warmest', limit: HOT, apart: true }, 'facts'),
    units.length > 0 ? keysOf(tx, inLabels) : [],
  ])
  for (const { key } of hottest.sort((a, b) => b.temperature - a.temperature || a.key - b.key))
    if (isThere.has(key)) ordered.add(key)
  const oldestFirst = keys.toReversed()
  const inLabel = new Set(labels)
  for (const key of oldestFirst) if (inLabel.has(key)) ordered.add(key)
  for (const key of oldestFirst) ordered.add(key)
  return [...ordered]
}
