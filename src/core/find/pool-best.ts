import type { NodeFacts } from '../port/nodes.ts'
import type { Crowd, Posting } from '../port/search.ts'
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
  /** The nodes that have it, newest first; undefined where they were not all listed. */
  keys: number[] | undefined
}

/** The best nodes of a pool: those that are sure, and those of which as many are taken as there is room for. */
export interface Best {
  keys: number[]
  crowd: Crowd | undefined
}

export function matchAll(units: Unit[]) {
  return { units, expression: { and: units.map((_, at) => at) } }
}

/** The `size` nodes with the best masks. Where too many are alike, the engine chooses among them by `mostLikely`. */
export function best(
  units: CountedUnit[],
  masks: ReadonlyMap<number, number>,
  { size, filters }: { size: number; filters: Filters },
): Best {
  const groups = Map.groupBy(masks.keys(), (key) => masks.get(key) as number)
  const weight = (mask: number): number =>
    units.reduce((sum, { idf }, at) => sum + (mask & (1 << at) ? idf : 0), 0)
  const byWeight = [...groups].sort(([a], [b]) => weight(b) - weight(a) || b - a)
  const chosen: number[] = []
  for (const [mask, keys] of byWeight) {
    const room = size - chosen.length
    if (room <= 0) break
    if (keys.length > room)
      return { keys: chosen, crowd: crowdOf(keys, room, inLabels(unitsIn(mask, units), filters)) }
    chosen.push(...keys)
  }
  return { keys: chosen, crowd: undefined }
}

/** The units of a mask. */
export function unitsIn(mask: number, units: readonly CountedUnit[]): Unit[] {
  return units.filter((_, at) => mask & (1 << at)).map(({ unit }) => unit)
}

function crowdOf(keys: number[], size: number, preferred: Posting | undefined): Crowd {
  return { keys, size, hottest: HOT, preferred }
}

function inLabels(units: Unit[], filters: Filters): Posting | undefined {
  if (units.length === 0) return undefined
  return { match: { ...matchAll(units), inLabel: true }, filters, limit: COMMON }
}

/** Those taken from a crowd: first what is hotter than the rest of the memory, then labels that have the words, then what is older. */
export function mostLikely(
  { keys, size }: Crowd,
  hottest: readonly NodeFacts[],
  preferred: readonly number[],
): number[] {
  const [ordered, isThere, isPreferred] = [new Set<number>(), new Set(keys), new Set(preferred)]
  for (const { key } of hottest.toSorted((a, b) => b.temperature - a.temperature || a.key - b.key))
    if (isThere.has(key)) ordered.add(key)
  const oldestFirst = keys.toReversed()
  for (const key of oldestFirst) if (isPreferred.has(key)) ordered.add(key)
  for (const key of oldestFirst) ordered.add(key)
  return [...ordered].slice(0, size)
}
