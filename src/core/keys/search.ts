import { fitListed } from '../fit-json.ts'
import type { DoorDocument } from '../port/doors.ts'
import { documentAt } from '../write/documents.ts'
import {
  attributesOf,
  isBinary,
  isoTime,
  isPresent,
  isRedacted,
  keyAddress,
  keyOf,
  noMemory,
  redactedKey,
  valueTypeOf,
  versionOf,
} from './document.ts'
import { listedValue } from './item.ts'
import { clamp } from './list.ts'
import { type KeyReadDeps, REDACTED_VALUE } from './model.ts'
import { type LexicalHit, MAX_POOL, searchLexically, searchTombstones, wordQuery } from './search-lexical.ts'

const TOP_K = 10
const RELATED_TOP_K = 5
const DAY_MS = 86_400_000
const HALF_LIFE_DAYS = 30
const PARTS: Parts = { keyword: 0.3, recency: 0.1 }

/** The parts of a score. */
interface Parts {
  keyword: number
  recency: number
}

export interface Weights extends Parts {
  /** Similarity of meaning: not implemented, so it does not count. */
  semantic: number
}

export interface SearchKeysInput {
  query: string
  /** From 1 to 50; default 10. */
  topK?: number
  /** Keys to skip, for paging. Default: 0. */
  offset?: number
  /** Maximum length of the items as JSON, in characters: may return fewer than `topK`. Default: unlimited. */
  maxLength?: number
  /** From 0 to 1. */
  minScore?: number
  /** All of these tags. */
  filterTags?: readonly string[]
  weights?: Partial<Weights>
  /** Include redacted keys, by the words of their names. Default: false. */
  includeRedacted?: boolean
}

/** One key that was found. Scores are from 0 to 1. */
export interface FoundKey {
  memory_id: string
  key: string
  value: string | null
  tags: string[]
  owner_client_id: string
  score: number
  /** Not implemented. */
  semantic_score: null
  /** The weighted share of the query's words that the key and its value contain. */
  keyword_score: number
  recency_score: number
  created_at: string
  updated_at: string
  recall_count: number
  last_accessed_at: string | null
  /** Only for a redacted key. */
  redacted_at?: string
}

export interface ScoredKey {
  document: DoorDocument
  /** Decides the order: rounded scores tie, and ties change with time between two pages. */
  exact: number
  score: number
  parts: Parts
}

/** The keys that match a query, best first. */
export async function searchKeys(
  deps: KeyReadDeps,
  input: SearchKeysInput,
): Promise<FoundPage & { query: string }> {
  const minScore = clamp(input.minScore ?? 0, 0, 1)
  const wanted = (input.filterTags ?? []).map((tag) => deps.redact(tag.toWellFormed()))
  const { weights = {}, includeRedacted = false } = input
  const ranked = await rankKeys(deps, input.query, { weights, tags: wanted, includeRedacted })
  const found = ranked.filter(({ score }) => score >= minScore).map(foundKey)
  const { items, count, ...more } = pageOf(found, { usual: TOP_K, ...input })
  return { items, count, query: shortQuery(input), ...more }
}

/** Found keys, and how to continue: only if there is more. */
export interface FoundPage {
  items: FoundKey[]
  count: number
  has_more?: true
  next_offset?: number
}

export interface FoundPageInput {
  /** If given, the answer says how many follow. */
  topK?: number
  offset?: number
  maxLength?: number
}

function pageOf(
  found: readonly FoundKey[],
  { topK, usual, offset, maxLength = Number.POSITIVE_INFINITY }: FoundPageInput & { usual: number },
): FoundPage {
  const start = Math.max(0, offset ?? 0)
  const items = fitListed(found.slice(start, start + clamp(topK ?? usual, 1, MAX_POOL)), maxLength)
  const end = start + items.length
  const saysMore = end < found.length && (topK === undefined || offset !== undefined)
  const more = saysMore ? ({ has_more: true, next_offset: end } as const) : {}
  return { items, count: items.length, ...more }
}

/** Repeated in the answer if it is short. */
function shortQuery({ query, maxLength = Number.POSITIVE_INFINITY }: SearchKeysInput): string {
  const max = Math.floor(maxLength / 4)
  return query.length <= max ? query : `${query.slice(0, max).toWellFormed()}…`
}

/** The keys whose values are most similar to the value of a key, without that key. Throws NOT_FOUND, REDACTED. */
export async function relateKeys(
  deps: KeyReadDeps,
  { key, ...page }: { key: string } & FoundPageInput,
): Promise<FoundPage & { key: string }> {
  const address = keyAddress(deps.redact, key)
  const source = await deps.store.read((tx) => documentAt(tx, address, 'whole'))
  if (isRedacted(source)) throw redactedKey(address.key)
  if (!isPresent(source, deps.now())) throw noMemory(address.key)
  // Quotes in a value do not mark a phrase.
  const query = isBinary(valueTypeOf(source)) ? '' : (source.text ?? '').replace(/["“”]/gu, ' ')
  const ranked = await rankKeys(deps, query, { weights: { keyword: 1, recency: 0 }, tags: [] })
  const found = ranked
    .filter(({ document }) => document.id !== source.id)
    .map((one) => ({ ...foundKey(one), recency_score: 0 }))
  const { items, count, ...more } = pageOf(found, { usual: RELATED_TOP_K, ...page })
  return { items, count, key: address.key, ...more }
}

interface RankOptions {
  weights: Partial<Weights>
  tags: readonly string[]
  includeRedacted?: boolean
}

/** Keys that have words of the query and every tag, best first, up to the size of the pool. */
export async function rankKeys(
  deps: KeyReadDeps,
  query: string,
  { weights, tags, includeRedacted = false }: RankOptions,
): Promise<ScoredKey[]> {
  await deps.flushAccesses()
  const words = wordQuery(query, deps.now())
  const hits = await searchLexically(deps, words, tags)
  if (includeRedacted) hits.push(...(await searchTombstones(deps, words, tags)))
  const share = sharesOf(weights)
  const now = deps.now()
  return hits
    .sort((a, b) => b.score - a.score || a.document.id - b.document.id)
    .slice(0, MAX_POOL)
    .map((hit) => scored(hit, share, now))
    .sort((a, b) => b.exact - a.exact || a.document.id - b.document.id)
}

/** The share of each part. If all are negative or empty, the defaults apply. */
function sharesOf(given: Partial<Weights>): Parts {
  const keyword = Math.max(0, given.keyword ?? PARTS.keyword)
  const recency = Math.max(0, given.recency ?? PARTS.recency)
  const sum = keyword + recency
  return sum > 0 && Number.isFinite(sum) ? { keyword: keyword / sum, recency: recency / sum } : sharesOf({})
}

function scored({ document, score: keyword }: LexicalHit, share: Parts, now: number): ScoredKey {
  const recency = recencyScore(document, now)
  const exact = keyword * share.keyword + recency * share.recency
  const parts = { keyword: rounded(keyword), recency: rounded(recency) }
  return { document, exact, score: rounded(exact), parts }
}

function recencyScore({ accessedAt, updatedAt }: DoorDocument, now: number): number {
  const ageDays = Math.max(0, now - (accessedAt ?? updatedAt)) / DAY_MS
  return 2 ** (-ageDays / HALF_LIFE_DAYS)
}

function rounded(score: number): number {
  return Math.round(score * 1e6) / 1e6
}

function foundKey({ document, score, parts }: ScoredKey): FoundKey {
  const { tags = [], client = '', redacted_at } = attributesOf(document)
  return {
    memory_id: String(document.id),
    key: keyOf(document),
    value: isRedacted(document) ? REDACTED_VALUE : listedValue(document),
    tags,
    owner_client_id: client,
    score,
    semantic_score: null,
    keyword_score: parts.keyword,
    recency_score: parts.recency,
    created_at: isoTime(document.createdAt),
    updated_at: versionOf(document),
    recall_count: document.accesses,
    last_accessed_at: document.accessedAt === null ? null : isoTime(document.accessedAt),
    ...(redacted_at === undefined ? {} : { redacted_at: isoTime(redacted_at) }),
  }
}
