import { needs, shown } from '../errors.ts'
import type { NodeName } from '../port/heat.ts'
import type { LineageRow, ReadingRow } from '../port/nodes.ts'
import type { ReadTx, Store, StoreQuery } from '../port/store.ts'
import { bestFirst, type RankedNode } from './best-first.ts'
import { roomOf } from './budget.ts'
import { candidatesOf } from './context.ts'
import { createHitReader, type HitReader } from './hit-reader.ts'
import { type Pool, poolOf } from './pool.ts'
import { unitsIn } from './pool-best.ts'
import { parseQuery } from './query/query.ts'
import type { Query, Unit } from './query/query-model.ts'
import { type Evidence, partsOf, type Ranked, rankOf, relevanceOf } from './rank.ts'
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
/** Maximum length of a snippet. */
const SNIPPET = 160
/** Without a limit, the last hit has at least this share of the best relevance. */
const WEAK = 0.3

interface Deps {
  store: Pick<Store, 'read'>
  now: () => number
}

/** Finds nodes by words, best first. Any text is a query. */
export async function search(deps: Deps, input: SearchInput): Promise<SearchAnswer & { read: NodeName[] }> {
  needs(typeof input?.query === 'string', 'search needs { query }: a string')
  return searchParsed(deps.store, parseQuery(input.query, { now: deps.now() }), input)
}

/** As `search`, for callers that need more than the query language. */
export async function searchParsed(
  store: Deps['store'],
  query: Query,
  input: Omit<SearchInput, 'query'>,
): Promise<SearchAnswer & { read: NodeName[] }> {
  const { budget, explain = false } = input
  const { limit = LIMIT, offset = 0 } = input
  needs(
    Number.isSafeInteger(limit) && limit >= 1 && limit <= MAX_LIMIT,
    `limit must be a whole number from 1 to ${MAX_LIMIT}, got ${shown(limit)}`,
  )
  needs(
    Number.isSafeInteger(offset) && offset >= 0,
    `offset must be a whole number from 0, got ${shown(offset)}`,
  )
  const room = roomOf(budget)
  return store.read(async (tx) => {
    const pool = await poolOf(tx, query)
    const reader = createHitReader(tx)
    const { nodes, found } = await rankPool(tx, reader, { pool, query, count: offset + limit })
    const first = (await bestFirst(reader, nodes, pool.units, offset + limit)).slice(offset)
    // Later pages include the weak ones.
    const isBrief = input.limit === undefined && offset === 0
    const best = await shownOf(reader, isBrief ? withoutWeakEnd(first) : first)
    const hits = toHits({ query, pool, ...best, explain })
    const end = offset + hits.length
    const whole = {
      query: query.text,
      hits,
      leftOut: Math.max(0, Math.max(pool.matched, found) - end),
      next: end < found ? end : null,
      ...(found > 0 && offset >= found ? { pastEnd: offset } : {}),
      searched: searched(query, pool),
    }
    const answer = fitSearch(whole, room, offset)
    const read = best.rows.slice(0, answer.hits.length).map(({ row: { id, key } }) => ({ id, key }))
    return { ...answer, read }
  })
}

interface RankInput {
  pool: Pool
  query: Query
  /** How many nodes are wanted, with those before the first that is shown. */
  count: number
}

/** All nodes that may be among the first, and how many there are besides. */
async function rankPool(tx: ReadTx, reader: HitReader, { pool, query, count }: RankInput) {
  const candidates = await candidatesOf(tx, pool, query)
  const idfs = pool.units.map(({ idf }) => idf)
  const nodes: RankedNode[] = []
  const others: Evidence[] = []
  for (const { evidence, facts } of candidates)
    if (facts) nodes.push({ ...rankOf(evidence, facts.temperature, idfs), facts })
    else others.push(evidence)
  // Heat makes no score greater than the relevance: what is less relevant than the last that is wanted need not be read.
  const sorted = nodes.toSorted((a, b) => b.score - a.score || a.facts.tokens - b.facts.tokens)
  const least = sorted[count - 1]?.score ?? 0
  const close = new Map<number, Evidence>()
  for (const evidence of others) if (relevanceOf(evidence, idfs) >= least) close.set(evidence.key, evidence)
  if (close.size === 0) return { nodes, found: candidates.length }
  // Reads what may be shown together with the facts: over a network, another round trip costs more than a few extra
  // rows.
  const [facts] = await Promise.all([
    tx.nodes({ keys: [...close.keys()] }, 'facts'),
    reader.load([...likelyFirst(sorted, count), ...close.keys()]),
  ])
  for (const one of facts) {
    const evidence = close.get(one.key)
    if (evidence) nodes.push({ ...rankOf(evidence, one.temperature, idfs), facts: one })
  }
  return { nodes, found: candidates.length }
}

/** The first of sorted nodes, including ties, as far as that is known without reading. */
function likelyFirst(sorted: readonly RankedNode[], count: number): number[] {
  const least = sorted[count - 1]?.score ?? 0
  return sorted.filter(({ score }) => score >= least).map(({ facts }) => facts.key)
}

interface Shown {
  rows: { ranked: RankedNode; row: ReadingRow }[]
  above: ReadonlyMap<number, LineageRow>
}

/** With their shown form. */
async function shownOf(reader: HitReader, best: readonly RankedNode[]): Promise<Shown> {
  await reader.load(best.map(({ facts }) => facts.key))
  const rows = best.flatMap((ranked) => {
    const row = reader.rows.get(ranked.facts.key)
    return row ? [{ ranked, row }] : []
  })
  return { rows, above: reader.above }
}

/**
 * Without the weak hits at the end. By relevance, not by score: cold hits are not left out. A weak hit that is hot
 * enough to precede a strong one stays, so that an offset counts the same hits on every page.
 */
function withoutWeakEnd(best: readonly RankedNode[]): RankedNode[] {
  const least = WEAK * Math.max(...best.map(({ relevance }) => relevance))
  return best.slice(0, best.findLastIndex(({ relevance }) => relevance >= least) + 1)
}

interface Found extends Shown {
  query: Query
  pool: Pool
  explain: boolean
}

function toHits({ query, pool, above, rows, explain }: Found): SearchHit[] {
  const shown = [...new Set([...query.units, ...pool.units.map(({ unit }) => unit)])]
  const snippetOf = snippetMaker(shown, SNIPPET)
  // For units that were searched for it is known which nodes have them.
  const isKnown = shown.length === pool.units.length
  return rows.map(({ ranked, row }) => {
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

function headingPath({ parentKey }: ReadingRow, above: ReadonlyMap<number, LineageRow>): string[] {
  const line: LineageRow[] = []
  let row = above.get(parentKey ?? -1)
  // A damaged memory may have cycles.
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

export type SearchResult = SearchAnswer & { read: NodeName[] }

export const searchWords: StoreQuery<{ query: Query; input: Omit<SearchInput, 'query'> }, SearchResult> = {
  name: 'search words',
  run: ({ store }, { query, input }) => searchParsed(store, query, input),
}
