import type { Posting, Postings } from '../port/search.ts'
import type { ReadTx } from '../port/store.ts'
import { type Best, best, COMMON, type CountedUnit } from './pool-best.ts'
import { isEmpty } from './query/query-filters.ts'
import type { Expression, Filters, Query, Unit } from './query/query-model.ts'
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
/** Units whose nodes are listed within an expression that finds too much: the rarest. */
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

/** The best nodes by how many units they have and how rare these are. */
interface Read extends Best {
  /** What nodes were looked for by. */
  units: CountedUnit[]
  /** For each node that was read: the units it has, as bits. */
  masks: ReadonlyMap<number, number>
  /** Nodes that do not pass the filters: they may be among the best for their siblings. */
  beside: { has(key: number): boolean }
  /** How many nodes have what was asked for. */
  matched: number
  /** There was too much to read: `matched` is a lower bound. */
  isCut: boolean
}

const NONE: ReadonlySet<number> = new Set()

/** Looks for nodes by the units that tell most: what a search costs follows from its rare words. All is asked for at once. */
export async function poolOf(tx: ReadTx, query: Query): Promise<Pool> {
  if (query.units.length === 0) return poolOfFilters(tx, query)
  return query.expression === null ? poolOfWords(tx, query) : poolOfExpression(tx, query, query.expression)
}

async function poolOfFilters(tx: ReadTx, { filters }: Query): Promise<Pool> {
  const isAll = isEmpty(filters)
  const { nodes, found } = await tx.postings(isAll ? [] : [{ match: null, filters, limit: SIZE + 1 }])
  return { nodes, missing: [], dropped: [], ...byFilters(found[0]?.keys ?? []) }
}

async function poolOfWords(tx: ReadTx, { units, filters }: Query): Promise<Pool> {
  const telling = units.filter(({ isStopWord }) => !isStopWord)
  // Stop words only where there is nothing else.
  const wanted = telling.length > 0 ? telling : units
  const parts = partsOf(wanted)
  const postings = [
    ...wanted.map((unit) => toPosting(unit)),
    ...[...parts].map(([unit, ifNone]) => ({ ...toPosting(unit), ifNone })),
  ]
  const answer = await tx.postings(postings, {
    room: LISTED,
    ...(isEmpty(filters) ? {} : { filters }),
    together: { enough: SIZE, limit: COMMON, filters },
  })
  const asked = [...wanted, ...parts.keys()].map((unit, at) => toCounted(unit, at, answer))
  const missing = asked.slice(0, wanted.length).filter(({ count }) => count === 0)
  const counted = rarest(asked)
  const chosen = chooseAffordable(counted)
  const isEachCommon = chosen.length === 0 && counted.length > 0
  const read = isEachCommon
    ? byAll(counted, togetherOf(answer, asked), filters)
    : byAny(chosen, filters, new Set(answer.passing))
  const isTold = new Set([...missing, ...read.units].map(({ unit }) => unit))
  return {
    nodes: answer.nodes,
    missing: missing.map(({ unit }) => unit),
    dropped: units.filter((unit) => !isTold.has(unit)),
    ...read,
  }
}

function toPosting(unit: Unit): Posting {
  return { match: { units: [unit], expression: 0 }, limit: FEW, countTo: LISTED + 1 }
}

function toCounted(unit: Unit, at: number, { nodes, found }: Postings): CountedUnit {
  const { keys, count } = found[at] ?? { keys: [], count: 0 }
  return { unit, count, idf: idfOf(count, nodes), keys: keys.length === count ? keys : undefined }
}

/** Those that some node has, rarest first: a word that no node has must not take the place of one that finds. */
function rarest(counted: readonly CountedUnit[]): CountedUnit[] {
  const found = counted.filter(({ count }) => count > 0)
  return found.sort((a, b) => a.count - b.count).slice(0, MAX_BITS)
}

/**
 * The words of phrases, with the places of those phrases: they are looked for where one of them is nowhere as a whole. Without
 * words that are looked for in any case.
 */
function partsOf(units: readonly Unit[]): Map<Unit, number[]> {
  const known = new Set(units.flatMap(({ kind, words }) => (kind === 'word' ? words : [])))
  const byWord = new Map<string, { unit: Unit; places: number[] }>()
  for (const [place, { parts = [] }] of units.entries())
    for (const unit of parts) {
      const [word = ''] = unit.words
      const part = byWord.get(word)
      if (part) part.places.push(place)
      else if (!known.has(word)) byWord.set(word, { unit, places: [place] })
    }
  return new Map([...byWord.values()].map(({ unit, places }) => [unit, places]))
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
    crowd: undefined,
    beside: NONE,
    matched: keys.length,
    isCut: keys.length > SIZE,
  }
}

/**
 * Any of the units matches. Filters come last: the surroundings of a node count, whether they pass or not. If there is
 * room, nodes that do not pass are in the pool too, for siblings that do.
 */
function byAny(units: CountedUnit[], filters: Filters, passing: ReadonlySet<number>): Read {
  const masks = masksOf(units.map(({ keys }) => keys ?? []))
  const read = { units, masks, isCut: false }
  if (isEmpty(filters))
    return { ...read, ...best(units, masks, { size: SIZE, filters }), beside: NONE, matched: masks.size }
  const [inside, outside] = [true, false].map(
    (isPassing) => new Map([...masks].filter(([key]) => passing.has(key) === isPassing)),
  ) as [Map<number, number>, Map<number, number>]
  const { keys, crowd } = best(units, inside, { size: SIZE, filters })
  const size = crowd ? 0 : SIZE - keys.length
  const others = best(units, outside, { size, filters: {} })
  return {
    ...{ ...read, keys: [...keys, ...others.keys], crowd: crowd ?? others.crowd },
    ...{ beside: outside, matched: inside.size },
  }
}

/** Nodes that have several units, as far as they were listed together. */
interface Together {
  units: CountedUnit[]
  keys: number[]
}

function togetherOf({ together = [] }: Postings, asked: readonly CountedUnit[]): Together[] {
  return together.map(({ places, keys }) => ({ units: places.flatMap((at) => asked[at] ?? []), keys }))
}

/** Every unit is common. Nodes with all of them come first, then those with all but the most common, and so on. */
function byAll(units: CountedUnit[], lists: readonly Together[], filters: Filters): Read {
  const masks = new Map<number, number>()
  for (const list of lists) {
    const mask = units.reduce((sum, one, at) => (list.units.includes(one) ? sum | (1 << at) : sum), 0)
    for (const key of list.keys) if (!masks.has(key)) masks.set(key, mask)
  }
  const chosen = best(units, masks, { size: SIZE, filters })
  return { units, masks, ...chosen, beside: NONE, matched: masks.size, isCut: true }
}

/** Only nodes that the expression finds; the units tell which of them are better. */
async function poolOfExpression(tx: ReadTx, query: Query, expression: Expression): Promise<Pool> {
  const { units, filters } = query
  const wanted = units.filter(({ isExcluded }) => !isExcluded)
  const whole: Posting = { match: { units, expression }, filters, limit: LISTED }
  // Which nodes have a unit is known from its own list, unless that or the expression's is cut.
  const within = wanted.map((unit, at): Posting => {
    const both = { units, expression: { and: [expression, units.indexOf(unit)] } }
    return { match: both, filters, limit: LISTED, ifCut: [at, wanted.length] }
  })
  const postings = [...wanted.map(toPosting), whole, ...within]
  const answer = await tx.postings(postings, { room: LISTED * wanted.length })
  const asked = wanted.map((unit, at) => toCounted(unit, at, answer))
  const counted = rarest(asked)
  const matched = answer.found[wanted.length]?.keys ?? []
  const isCut = matched.length === LISTED
  const isMatched = new Set(matched)
  const isTold = ({ count }: CountedUnit): boolean => !isCut && count <= LISTED
  const again = counted.filter((one) => !isTold(one)).slice(0, AGAIN)
  const lists = counted.map((one) => {
    if (isTold(one)) return (one.keys ?? []).filter((key) => isMatched.has(key))
    return again.includes(one) ? (answer.found[wanted.length + 1 + asked.indexOf(one)]?.keys ?? []) : []
  })
  const masks = masksOf(matched.length === 0 ? [] : lists)
  for (const key of matched) if (!masks.has(key)) masks.set(key, 0)
  const missing = asked.filter(({ count }) => count === 0).map(({ unit }) => unit)
  return {
    ...{ nodes: answer.nodes, missing, dropped: [], units: counted, masks },
    ...best(counted, masks, { size: SIZE, filters }),
    ...{ beside: NONE, matched: matched.length, isCut },
  }
}

function masksOf(lists: readonly number[][]): Map<number, number> {
  const masks = new Map<number, number>()
  for (const [at, keys] of lists.entries()) {
    for (const key of keys) masks.set(key, (masks.get(key) ?? 0) | (1 << at))
  }
  return masks
}
