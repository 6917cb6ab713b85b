import type { Match, Posting, Postings } from '../port/search.ts'
import type { ReadTx } from '../port/store.ts'
import { type Choice, COMMON, type CountedUnit, chooseBest, keysOf, matchAll } from './pool-best.ts'
import { isEmpty } from './query/query-filters.ts'
import type { Filters, Query, Unit } from './query/query-model.ts'
import { idfOf } from './rank.ts'
import { MAX_LIMIT } from './search-model.ts'

/**
 * How many nodes have their surroundings read. Independent of the number of hits, so that fewer hits are always a
 * prefix of more. Twice as many change recall by less than 0.1 percent, in either direction.
 */
const SIZE = MAX_LIMIT
/** Maximum number of index rows that a search reads for its units. */
const LISTED = 20_000
/** A unit with at most this many nodes is counted by listing them. */
const FEW = 1000
/** How often an expression is evaluated again to find which nodes have a unit: for the rarest units. */
const AGAIN = 4
/** Maximum number of units to search for: they are bits of a number. */
const MAX_BITS = 30

/** The nodes that match a query, before their surroundings are read. */
export interface Pool extends Read {
  /** In the memory. */
  nodes: number
  /** Units that no node has. */
  missing: Unit[]
  /** Units that are too common to matter beside the others. */
  dropped: Unit[]
}

interface Read {
  /** The units that were searched for. */
  units: CountedUnit[]
  /** For each node that was read: the units it has, as bits. */
  masks: ReadonlyMap<number, number>
  /** The best of them by number and rarity of units. */
  keys: number[]
  /** Those of `keys` that do not pass the filters: they are included for their siblings. */
  beside: ReadonlySet<number>
  /** How many nodes match. */
  matched: number
  /** There was too much to read: `matched` is a lower bound. */
  isCut: boolean
}

interface Search extends Choice {
  /** In the memory. */
  nodes: number
  /** Filters to apply to lists of units, and the nodes of those lists that pass. */
  asked: Filters | undefined
  passing: Set<number>
}

const NO_KEYS: ReadonlySet<number> = new Set()

/** Searches by the most selective units: the cost of a search depends on its rare words. */
export async function poolOf(tx: ReadTx, query: Query): Promise<Pool> {
  const { units, expression, filters } = query
  if (units.length === 0) {
    const isAll = isEmpty(filters)
    const { nodes, found } = await tx.postings(isAll ? [] : [{ match: null, filters, limit: SIZE + 1 }])
    return { nodes, missing: [], dropped: [], ...byFilters(found[0]?.keys ?? []) }
  }
  const wanted = wantedOf(query)
  // The nodes of the expression are requested together with its units.
  const whole = expression === null ? [] : [{ match: { units, expression }, filters, limit: LISTED }]
  const filtered = expression === null && !isEmpty(filters) ? filters : undefined
  const first = await tx.postings([...wanted.map(toPosting), ...whole], LISTED, filtered)
  const { nodes, found } = first
  const search = { tx, nodes, filters, size: SIZE, asked: filtered, passing: new Set(first.passing) }
  const asked = wanted.map((unit, at) => toCounted(search, unit, found[at]))
  const missing = asked.filter(({ count }) => count === 0).map(({ unit }) => unit)
  if (expression !== null) {
    const matched = found[wanted.length]?.keys ?? []
    const read = await byExpression(search, rarest(asked), { units, expression, matched })
    return { nodes, missing, dropped: [], ...read }
  }
  const counted = rarest([...asked, ...(await countUnits(search, partsOf(asked)))])
  const chosen = chooseAffordable(counted)
  const isEachCommon = chosen.length === 0 && counted.length > 0
  const read = isEachCommon ? await byAll(search, counted) : await byAny(search, chosen)
  const isUsed = new Set([...missing, ...read.units.map(({ unit }) => unit)])
  return { nodes, missing, dropped: units.filter((unit) => !isUsed.has(unit)), ...read }
}

/** Without excluded units; stop words only if there is nothing else, or an operator uses them. */
function wantedOf({ units, expression }: Query): Unit[] {
  if (expression !== null) return units.filter(({ isExcluded }) => !isExcluded)
  const telling = units.filter(({ isStopWord }) => !isStopWord)
  return telling.length > 0 ? telling : units
}

async function countUnits(search: Search, units: readonly Unit[]): Promise<CountedUnit[]> {
  if (units.length === 0) return []
  const found = await askMore(search, units.map(toPosting), LISTED)
  return units.map((unit, at) => toCounted(search, unit, found[at]))
}

async function askMore({ tx, asked, passing }: Search, postings: Posting[], room?: number) {
  const more = await tx.postings(postings, room, asked)
  for (const key of more.passing ?? []) passing.add(key)
  return more.found
}

function toPosting(unit: Unit): Posting {
  return { match: { units: [unit], expression: 0 }, limit: FEW, countTo: LISTED + 1 }
}

function toCounted(
  { nodes }: Search,
  unit: Unit,
  { keys, count }: Postings['found'][number] = { keys: [], count: 0 },
): CountedUnit {
  return { unit, count, idf: idfOf(count, nodes), keys: keys.length === count ? keys : undefined }
}

/** Units that some node has, rarest first: a missing unit must not take the place of one that finds something. */
function rarest(counted: readonly CountedUnit[]): CountedUnit[] {
  const found = counted.filter(({ count }) => count > 0)
  return found.sort((a, b) => a.count - b.count).slice(0, MAX_BITS)
}

/** The words of phrases that no node has as a whole, unless already searched for. */
function partsOf(counted: readonly CountedUnit[]): Unit[] {
  if (counted.every(({ count }) => count > 0)) return []
  const known = new Set(counted.flatMap(({ unit }) => (unit.kind === 'word' ? unit.words : [])))
  const parts = counted.flatMap(({ unit, count }) => (count === 0 ? (unit.parts ?? []) : []))
  return parts.filter(({ words: [word = ''] }) => !known.has(word) && known.add(word))
}

/** The rarest units whose nodes can all be read. */
function chooseAffordable(counted: readonly CountedUnit[]): CountedUnit[] {
  let rows = 0
  return counted.filter(({ count }) => {
    rows += count
    return rows <= LISTED
  })
}

function byFilters(keys: number[]): Read {
  return {
    units: [],
    masks: new Map(),
    keys: keys.slice(0, SIZE),
    beside: NO_KEYS,
    matched: keys.length,
    isCut: keys.length > SIZE,
  }
}

/**
 * Any of the units matches. Filters come last: the surroundings of a node count, whether they pass or not. If there is
 * room, nodes that do not pass are in the pool too, for siblings that do.
 */
async function byAny(search: Search, units: CountedUnit[]): Promise<Read> {
  const { filters, size, passing } = search
  const masks = masksOf(await listUnits(search, units))
  const read = { units, masks, isCut: false }
  if (isEmpty(filters))
    return { ...read, keys: await chooseBest(search, units, masks), beside: NO_KEYS, matched: masks.size }
  const [inside, outside] = [true, false].map(
    (isPassing) => new Map([...masks].filter(([key]) => passing.has(key) === isPassing)),
  ) as [Map<number, number>, Map<number, number>]
  const keys = await chooseBest(search, units, inside)
  const beside = await chooseBest({ ...search, filters: {}, size: size - keys.length }, units, outside)
  return { ...read, keys: [...keys, ...beside], beside: new Set(beside), matched: inside.size }
}

/** Every unit is common. Nodes with all of them come first, then those with all but the most common, and so on. */
async function byAll(search: Search, units: CountedUnit[]): Promise<Read> {
  const masks = new Map<number, number>()
  for (let length = units.length; length > 0 && masks.size < search.size; length--) {
    const together = units.slice(0, length).map(({ unit }) => unit)
    const keys = await keysOf(search.tx, {
      match: matchAll(together),
      filters: search.filters,
      limit: COMMON,
    })
    for (const key of keys) if (!masks.has(key)) masks.set(key, 2 ** length - 1)
  }
  const keys = await chooseBest(search, units, masks)
  return { units, masks, keys, beside: NO_KEYS, matched: masks.size, isCut: true }
}

interface Matched extends Match {
  /** The nodes that match the expression. */
  matched: number[]
}

/** Only nodes that match the expression; the units rank them. */
async function byExpression(search: Search, counted: CountedUnit[], match: Matched): Promise<Read> {
  const { matched } = match
  const masks = masksOf(matched.length === 0 ? [] : await listsWithin(search, match, counted))
  for (const key of matched) if (!masks.has(key)) masks.set(key, 0)
  const keys = await chooseBest(search, counted, masks)
  const isCut = matched.length === LISTED
  return { units: counted, masks, keys, beside: NO_KEYS, matched: matched.length, isCut }
}

/**
 * For each unit, which of the matching nodes have it. If a unit's list is incomplete, the expression is evaluated again
 * with it.
 */
async function listsWithin(
  search: Search,
  { units, expression, matched }: Matched,
  counted: readonly CountedUnit[],
): Promise<number[][]> {
  const { tx, filters } = search
  const isMatched = new Set(matched)
  const isListed = ({ count }: CountedUnit): boolean => matched.length < LISTED && count <= LISTED
  const again = counted.filter((one) => !isListed(one)).slice(0, AGAIN)
  const both = again.map(
    ({ unit }): Posting => ({
      match: { units, expression: { and: [expression, units.indexOf(unit)] } },
      filters,
      limit: LISTED,
    }),
  )
  const [own, repeated] = await Promise.all([
    listUnits(search, counted.filter(isListed)),
    both.length > 0 ? tx.postings(both) : undefined,
  ])
  return counted.map((one) => {
    if (isListed(one)) return (own.shift() ?? []).filter((key) => isMatched.has(key))
    return repeated?.found[again.indexOf(one)]?.keys ?? []
  })
}

/** The nodes of each unit. */
async function listUnits(search: Search, units: readonly CountedUnit[]): Promise<number[][]> {
  const unknown = units.filter(({ keys }) => !keys)
  const postings = unknown.map(({ unit }) => ({ ...toPosting(unit), limit: LISTED }))
  const found = postings.length > 0 ? await askMore(search, postings) : []
  return units.map((one) => one.keys ?? found[unknown.indexOf(one)]?.keys ?? [])
}

function masksOf(lists: readonly number[][]): Map<number, number> {
  const masks = new Map<number, number>()
  for (const [at, keys] of lists.entries()) {
    for (const key of keys) masks.set(key, (masks.get(key) ?? 0) | (1 << at))
  }
  return masks
}
