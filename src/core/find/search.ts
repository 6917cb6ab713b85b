import { needs, shown } from '../errors.ts'
import type { ReadTx, Store } from '../store.ts'
import type { NodeName } from '../store-heat.ts'
import type { FoundRow, LineageRow } from '../store-search.ts'
import { roomOf } from './budget.ts'
import { contextOf } from './context.ts'
import { type Pool, poolOf, unitsIn } from './pool.ts'
import { parseQuery } from './query.ts'
import { isEmpty } from './query-filters.ts'
import type { Filters, Query, Unit } from './query-model.ts'
import { type Evidence, partsOf, type Ranked, rank, relevanceOf } from './rank.ts'
import { fitSearch } from './search-fit.ts'
import {
  type Explanation,
  MAX_LIMIT,
  type SearchAnswer,
  type Searched,
  type SearchHit,
  type SearchInput,
} from './search-model.ts'
import { snippetMaker } from './snippet.ts'

const LIMIT = 10
/** Characters of a snippet. */
const SNIPPET = 160
/** Who does not say how many hits it wants gets none that is less relevant than this share of the most relevant. */
const WEAK = 0.3
/** How many nodes, for each hit that is wanted, are looked at and may change their order by heat. */
const PER_HIT = 3
/** Read beside those that are wanted, for headings that turn out to say nothing. */
const SPARE = 5
/** Several words may stand apart: at least so many nodes are looked at for what is around them. */
const MIN_POOL = 40

interface Deps {
  store: Pick<Store, 'read'>
  now: () => number
}

/** Finds nodes by words, best first. Any text is a query. */
export async function search(deps: Deps, input: SearchInput): Promise<SearchAnswer & { read: NodeName[] }> {
  needs(typeof input?.query === 'string', 'search needs { query }: a text')
  return searchParsed(deps.store, parseQuery(input.query, { now: deps.now() }), input)
}

/** As `search`, for who asks for more than a text can say. */
export async function searchParsed(
  store: Deps['store'],
  query: Query,
  input: Omit<SearchInput, 'query'>,
): Promise<SearchAnswer & { read: NodeName[] }> {
  const { budget, explain = false } = input
  const { limit = LIMIT } = input
  needs(
    Number.isSafeInteger(limit) && limit >= 1 && limit <= MAX_LIMIT,
    `limit must be a whole number from 1 to ${MAX_LIMIT}, got ${shown(limit)}`,
  )
  const room = roomOf(budget)
  return store.read(async (tx) => {
    const pool = await poolOf(tx, query, poolSize(query, limit))
    const { most, passedOver, found, above } = await rankAndTake(tx, pool, query, limit)
    const best = input.limit === undefined ? withoutWeak(most) : most
    const hits = toHits({ query, pool, above, best, explain })
    const whole = {
      query: query.text,
      hits,
      leftOut: Math.max(pool.matched, found - passedOver) - hits.length,
      searched: searched(query, pool),
    }
    const answer = fitSearch(whole, room)
    return { ...answer, read: best.slice(0, answer.hits.length).map(({ row: { id, key } }) => ({ id, key })) }
  })
}

function poolSize({ units }: Query, limit: number): number {
  return Math.max(PER_HIT * limit, units.length > 1 ? MIN_POOL : 0)
}

/** The best few are looked at; only where most of them are no answers, all there are. */
async function rankAndTake(tx: ReadTx, pool: Pool, query: Query, limit: number) {
  for (let size = PER_HIT * limit; ; ) {
    const { ranked, found, above } = await rankPool(tx, pool, query, size)
    const { best: most, passedOver } = await bestOf(tx, ranked, limit)
    if (most.length === limit || found <= size) return { most, passedOver, found, above }
    size = found
  }
}

async function rankPool(tx: ReadTx, pool: Pool, query: Query, size: number) {
  const { above, candidates, heat } = await contextOf(
    tx,
    pool,
    query.expression === null && pool.units.length > 0,
  )
  const idfs = pool.units.map(({ idf }) => idf)
  const found = (await passing(tx, candidates, query.filters)).map((evidence) => ({
    evidence,
    relevance: relevanceOf(evidence, idfs),
  }))
  // What is equally relevant is in the order of the memory; without words that is everything, and the newest stays first.
  if (idfs.length > 0) found.sort((a, b) => b.relevance - a.relevance || a.evidence.key - b.evidence.key)
  const best = found.slice(0, size)
  const unknown = best.map(({ evidence }) => evidence.key).filter((key) => !heat.has(key))
  if (unknown.length > 0) for (const { key, value } of await tx.heat(unknown)) heat.set(key, value)
  return { ranked: rank(best, heat), found: found.length, above }
}

async function passing(tx: ReadTx, candidates: Evidence[], filters: Filters): Promise<Evidence[]> {
  if (isEmpty(filters)) return candidates
  const keys = candidates.map(({ key }) => key)
  const isPassing = new Set(await tx.passing(keys, filters))
  return candidates.filter(({ key }) => isPassing.has(key))
}

interface Best {
  ranked: Ranked
  row: FoundRow
}

/** A heading without any of the words is no answer: what it stands beside is found by itself. */
async function bestOf(
  tx: ReadTx,
  ranked: readonly Ranked[],
  limit: number,
): Promise<{ best: Best[]; passedOver: number }> {
  const best: Best[] = []
  let read = 0
  let passedOver = 0
  while (best.length < limit && read < ranked.length) {
    const room = limit - best.length
    const batch = ranked.slice(read, read + room + SPARE)
    const needed = neededOf(batch, room)
    const rows = new Map<number, FoundRow>()
    for (const row of await tx.foundNodes(needed.map(keyOf))) rows.set(row.key, row)
    const found = needed.map((one) => ({ ranked: one, row: rows.get(keyOf(one)) as FoundRow }))
    const answers = found.filter(({ row, ranked: one }) => !isBareHeading(row, one))
    best.push(...answers.slice(0, room))
    passedOver += found.length - answers.length
    read += batch.length
  }
  return { best, passedOver }
}

/** Without what comes after `room` others that are answers for sure, and is one itself: nobody sees its text. */
function neededOf(batch: readonly Ranked[], room: number): Ranked[] {
  let sure = 0
  return batch.filter((one) => mayBeBare(one) || sure++ < room)
}

/** By relevance and not by score: being cold is no reason to be left out. */
function withoutWeak(best: Best[]): Best[] {
  const least = WEAK * Math.max(...best.map(({ ranked }) => ranked.relevance))
  return best.filter(({ ranked }) => ranked.relevance >= least)
}

function keyOf({ evidence }: Ranked): number {
  return evidence.key
}

function isBareHeading({ type }: FoundRow, ranked: Ranked): boolean {
  return type === 'heading' && mayBeBare(ranked)
}

function mayBeBare({ evidence: { label, text, siblings } }: Ranked): boolean {
  return label + text === 0 && siblings.some((mask) => mask !== 0)
}

interface Found {
  query: Query
  pool: Pool
  above: ReadonlyMap<number, LineageRow>
  best: readonly Best[]
  explain: boolean
}

function toHits({ query, pool, above, best, explain }: Found): SearchHit[] {
  const shown = [...new Set([...query.units, ...pool.units.map(({ unit }) => unit)])]
  const snippetOf = snippetMaker(shown, SNIPPET)
  // What was looked for by its units is known to have them, or not.
  const isKnown = shown.length === pool.units.length
  return best.map(({ ranked, row }) => {
    const { id, type, label, source, tokens } = row
    const { evidence } = ranked
    const has = isKnown ? unitsIn(evidence.label | evidence.text, pool.units) : undefined
    const { text: snippet, matches } = snippetOf(row.text, has)
    return {
      id,
      type,
      label,
      path: source,
      headingPath: headingPath(row, above),
      snippet,
      matches,
      score: ranked.score,
      temperature: ranked.temperature,
      tokens,
      ...(explain ? { explain: explanationOf(ranked, pool) } : {}),
    }
  })
}

function headingPath({ parentKey }: FoundRow, above: ReadonlyMap<number, LineageRow>): string[] {
  const line: LineageRow[] = []
  let row = above.get(parentKey ?? -1)
  // A damaged memory may lead in circles.
  while (row && !line.includes(row)) {
    line.push(row)
    row = above.get(row.parentKey ?? -1)
  }
  return line.map(({ label }) => label).reverse()
}

function explanationOf({ evidence, relevance, prior }: Ranked, { units }: Pool): Explanation {
  const parts = partsOf(
    evidence,
    units.map(({ idf }) => idf),
  )
  return {
    parts: parts.map((part, at) => ({ unit: units[at]?.unit.shown ?? '', ...part })),
    relevance,
    prior,
  }
}

function searched({ filters, notes }: Query, pool: Pool): Searched {
  const shown = (units: readonly Unit[]): string[] => units.map((unit) => unit.shown)
  return {
    nodes: pool.nodes,
    words: shown(pool.units.map(({ unit }) => unit)),
    dropped: shown(pool.dropped),
    missing: shown(pool.missing),
    filters,
    matched: pool.matched,
    complete: !pool.isCut,
    notes,
  }
}
