import type { ReadTx } from '../store.ts'
import type { Match } from '../store-search.ts'
import type { Expression, Filters, Query, Unit } from './query-model.ts'
import { idfOf } from './rank.ts'

/** Rows of the index that a search reads for its units at most. */
const LISTED = 20_000
/** A unit of so few nodes is counted by listing them. */
const FEW = 1000
/** Nodes that are looked at where every unit is common. */
const COMMON = 2000
/** How often an expression is evaluated to tell who has which unit: for the rarest. */
const AGAIN = 4
/** What the bits of a number can tell apart. */
const MAX_UNITS = 30

/** The nodes that have what a query asks for, before their surroundings are looked at. */
export interface Pool {
  /** In the memory. */
  nodes: number
  /** What nodes were looked for by. */
  units: CountedUnit[]
  /** For each node that was read: the units it has, as bits. */
  masks: ReadonlyMap<number, number>
  /** The best of them by how many units they have and how rare these are; at most as many as were asked for. */
  keys: number[]
  /** How many nodes have what was asked for. */
  matched: number
  /** There was too much to read: `matched` is a lower bound. */
  isCut: boolean
  /** Units that are too common to tell anything beside the others. */
  dropped: Unit[]
}

export interface CountedUnit {
  unit: Unit
  /** How many nodes have it; one more than `LISTED` means at least so many. */
  count: number
  idf: number
  /** Who has it, newest first, where that is known already. */
  keys: number[] | undefined
}

interface Search {
  tx: ReadTx
  /** In the memory. */
  nodes: number
  filters: Filters
  /** How many nodes are wanted. */
  size: number
}

/** Looks for nodes by the units that tell most: what a search costs follows from its rare words. */
export async function poolOf(tx: ReadTx, query: Query, size: number): Promise<Pool> {
  const search = { tx, nodes: await tx.countNodes(), filters: query.filters, size }
  if (query.units.length === 0) return byFilters(search)
  if (query.expression !== null) return byExpression(search, query.units, query.expression)
  const telling = query.units.filter(({ isStopWord }) => !isStopWord)
  const asked = await countUnits(search, telling.length > 0 ? telling : query.units)
  const parts = await countUnits(search, partsOf(asked))
  const counted = rarest([...asked, ...parts.filter(({ count }) => count > 0)])
  const chosen = affordable(counted)
  const looked = chosen.length > 0 ? chosen : counted
  const isLooked = new Set(looked.map(({ unit }) => unit))
  const dropped = query.units.filter((unit) => !isLooked.has(unit))
  return chosen.length > 0 ? byAny(search, chosen, dropped) : byAll(search, counted, dropped)
}

/** Rarest first. */
async function countUnits(search: Search, units: readonly Unit[]): Promise<CountedUnit[]> {
  const counted: CountedUnit[] = []
  for (const unit of units) counted.push(await countUnit(search, unit))
  return rarest(counted)
}

function rarest(counted: readonly CountedUnit[]): CountedUnit[] {
  return counted.toSorted((a, b) => a.count - b.count).slice(0, MAX_UNITS)
}

/** The words of phrases that are nowhere as a whole, as far as nobody looks for them already. */
function partsOf(counted: readonly CountedUnit[]): Unit[] {
  const known = new Set(counted.flatMap(({ unit }) => (unit.kind === 'word' ? unit.words : [])))
  const parts = counted.flatMap(({ unit, count }) => (count === 0 ? (unit.parts ?? []) : []))
  return parts.filter(({ words: [word = ''] }) => !known.has(word) && known.add(word))
}

async function countUnit({ tx, nodes }: Search, unit: Unit): Promise<CountedUnit> {
  const match = { units: [unit], expression: 0 }
  const few = await tx.matchingKeys(match, {}, FEW)
  const keys = few.length < FEW ? few : undefined
  const count = keys?.length ?? (await tx.countMatches(match, LISTED + 1))
  return { unit, count, idf: idfOf(count, nodes), keys }
}

/** The rarest units whose nodes can all be read. None: each that anybody has is too common. */
function affordable(counted: readonly CountedUnit[]): CountedUnit[] {
  let rows = 0
  const chosen = counted.filter(({ count }) => {
    rows += count
    return rows <= LISTED
  })
  const findsNothing = chosen.every(({ count }) => count === 0)
  return findsNothing && chosen.length < counted.length ? [] : chosen
}

async function byFilters({ tx, nodes, filters, size }: Search): Promise<Pool> {
  const keys = isEmpty(filters) ? [] : await tx.matchingKeys(null, filters, size + 1)
  return {
    nodes,
    units: [],
    masks: new Map(),
    keys: keys.slice(0, size),
    matched: keys.length,
    isCut: keys.length > size,
    dropped: [],
  }
}

/** Any of the units will do. Filters come last: what stands around a node counts, whether it passes or not. */
async function byAny(search: Search, units: CountedUnit[], dropped: Unit[]): Promise<Pool> {
  const { tx, nodes, filters } = search
  const lists: number[][] = []
  for (const unit of units) lists.push(await listUnit(tx, unit))
  const masks = masksOf(lists)
  const passing = isEmpty(filters) ? masks : only(await tx.passing([...masks.keys()], filters), masks)
  const keys = await best(search, units, passing)
  return { nodes, units, masks, keys, matched: passing.size, isCut: false, dropped }
}

function isEmpty(filters: Filters): boolean {
  return Object.keys(filters).length === 0
}

function only(keys: readonly number[], masks: ReadonlyMap<number, number>): Map<number, number> {
  return new Map(keys.map((key) => [key, masks.get(key) ?? 0]))
}

/** Every unit is common. Nodes with all of them come first, then those with all but the most common, and so on. */
async function byAll(search: Search, counted: CountedUnit[], dropped: Unit[]): Promise<Pool> {
  const common = counted.filter(({ count }) => count > 0)
  const units = [...common, ...counted.filter(({ count }) => count === 0)]
  const masks = new Map<number, number>()
  for (let length = common.length; length > 0 && masks.size < search.size; length--) {
    const together = common.slice(0, length).map(({ unit }) => unit)
    const keys = await search.tx.matchingKeys(matchAll(together), search.filters, COMMON)
    for (const key of keys) if (!masks.has(key)) masks.set(key, 2 ** length - 1)
  }
  const keys = await best(search, units, masks)
  return { nodes: search.nodes, units, masks, keys, matched: masks.size, isCut: true, dropped }
}

/** Only nodes that the expression finds; the units tell which of them are better. */
async function byExpression(search: Search, units: Unit[], expression: Expression): Promise<Pool> {
  const { tx, filters } = search
  const matched = await tx.matchingKeys({ units, expression }, filters, LISTED)
  const counted = await countUnits(
    search,
    units.filter(({ isExcluded }) => !isExcluded),
  )
  const lists = matched.length === 0 ? [] : await listsWithin(search, { units, expression }, matched, counted)
  const masks = masksOf(lists)
  for (const key of matched) if (!masks.has(key)) masks.set(key, 0)
  const keys = await best(search, counted, masks)
  return {
    nodes: search.nodes,
    units: counted,
    masks,
    keys,
    matched: matched.length,
    isCut: matched.length === LISTED,
    dropped: [],
  }
}

/** Who of those that the expression finds has each unit. Where a unit's own list does not tell, it takes the expression again. */
async function listsWithin(
  { tx, filters }: Search,
  { units, expression }: Match,
  matched: readonly number[],
  counted: readonly CountedUnit[],
): Promise<number[][]> {
  const isMatched = new Set(matched)
  const lists: number[][] = []
  let again = 0
  for (const one of counted) {
    const isTold = matched.length < LISTED && one.count <= LISTED
    const both = { and: [expression, units.indexOf(one.unit)] }
    if (isTold) lists.push((await listUnit(tx, one)).filter((key) => isMatched.has(key)))
    else if (again++ < AGAIN) lists.push(await tx.matchingKeys({ units, expression: both }, filters, LISTED))
    else lists.push([])
  }
  return lists
}

async function listUnit(tx: ReadTx, { unit, keys }: CountedUnit): Promise<number[]> {
  return keys ?? (await tx.matchingKeys({ units: [unit], expression: 0 }, {}, LISTED))
}

function matchAll(units: Unit[]) {
  return { units, expression: { and: units.map((_, at) => at) } }
}

function masksOf(lists: readonly number[][]): Map<number, number> {
  const masks = new Map<number, number>()
  for (const [at, keys] of lists.entries()) {
    for (const key of keys) masks.set(key, (masks.get(key) ?? 0) | (1 << at))
  }
  return masks
}

/** The nodes with the best masks. Of those that are alike, labels that have the words come first, then what is newer. */
async function best(
  search: Search,
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
    const ordered = keys.length > room ? await labelsFirst(search, unitsIn(mask, units), keys) : keys
    chosen.push(...ordered.slice(0, room))
  }
  return chosen
}

function unitsIn(mask: number, units: CountedUnit[]): Unit[] {
  return units.filter((_, at) => mask & (1 << at)).map(({ unit }) => unit)
}

async function labelsFirst({ tx, filters, size }: Search, units: Unit[], keys: number[]): Promise<number[]> {
  if (units.length === 0) return keys
  const inLabel = await tx.matchingKeys({ ...matchAll(units), inLabel: true }, filters, size)
  const own = new Set(keys)
  return [...new Set([...inLabel.filter((key) => own.has(key)), ...keys])]
}
