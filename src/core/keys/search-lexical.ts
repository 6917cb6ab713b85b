import { parseQuery } from '../find/query/query.ts'
import { withoutFilterNames } from '../find/query/query-filters.ts'
import type { Query } from '../find/query/query-model.ts'
import { wordsOf } from '../find/query/words.ts'
import { idfOf } from '../find/rank.ts'
import { searchWords } from '../find/search.ts'
import { MAX_LIMIT, type SearchAnswer } from '../find/search-model.ts'
import type { DoorDocument, DoorHead } from '../port/doors.ts'
import type { ReadTx } from '../port/store.ts'
import { isPresent, keyOf } from './document.ts'
import type { KeyReadDeps } from './model.ts'

/** Maximum length of a query: it may be a whole value. */
const MAX_QUERY = 20_000
/** Maximum size of a value whose words are searched and that can be packed. */
const MAX_TEXT = 2_000_000
/** Maximum number of ranked keys. */
export const MAX_POOL = 50

export interface LexicalHit {
  document: DoorDocument
  /** From 0 to 1. */
  score: number
}

/** Keys with all of `tags` whose name or value has words of a query, scored by the weight of the words found. */
export async function searchLexically(
  deps: Pick<KeyReadDeps, 'store' | 'now'>,
  words: Query,
  tags: readonly string[],
): Promise<LexicalHit[]> {
  if (words.units.length === 0) return []
  const query: Query = { ...words, filters: { kinds: ['key'], documentTags: tags } }
  const input = { limit: MAX_LIMIT, explain: true }
  const answer = await deps.store.query(searchWords, { query, input })
  const found = await deps.store.read((tx) => documentsOf(tx, answer.hits))
  const best = new Map<number, number>()
  for (const hit of answer.hits) {
    const document = found.get(hit.id)
    if (document?.address.kind !== 'key' || !isPresent(document, deps.now())) continue
    const score = lexicalScore(hit, answer)
    if (score > (best.get(document.id) ?? -1)) best.set(document.id, score)
  }
  // Only of these: the values of all found keys may exceed the memory.
  const pool = [...best].sort(([a, one], [b, other]) => other - one || a - b).slice(0, MAX_POOL)
  const ids = pool.map(([id]) => id)
  const documents = await deps.store.read((tx) => tx.documents({ ids }, 'whole', { maxTextBytes: MAX_TEXT }))
  return documents
    .filter((document) => isPresent(document, deps.now()))
    .map((document) => ({ document, score: best.get(document.id) ?? 0 }))
}

type Hit = SearchAnswer['hits'][number]

/** By node id. */
async function documentsOf(tx: ReadTx, hits: readonly Hit[]): Promise<Map<string, DoorHead | undefined>> {
  const nodes = await tx.nodes({ ids: hits.map(({ id }) => id) }, 'full')
  const ids = [...new Set(nodes.map(({ documentId }) => documentId))]
  const documents = new Map(
    (await tx.documents({ ids, own: true }, 'head')).map((document) => [document.id, document]),
  )
  return new Map(nodes.map(({ id, documentId }) => [id, documents.get(documentId)]))
}

/** The words and phrases of a text, without operators: the text may be a value. */
export function wordQuery(text: string, now: number): Query {
  return parseQuery(plainQuery(text), { now })
}

/** Without characters that a search would read as operators. */
function plainQuery(text: string): string {
  return withoutFilterNames(text.slice(0, MAX_QUERY).toWellFormed().replace(/[()*]/gu, ' '))
    .replace(/(?<=^|\s)(?:AND|OR|NOT)(?=\s|$)/gu, (word) => word.toLowerCase())
    .trim()
}

/** A node with every word in its text scores 1; a word that no node has counts as the rarest. */
function lexicalScore({ explain }: Hit, { searched }: SearchAnswer): number {
  if (!explain) return 0
  const asked = explain.parts.reduce((sum, { idf }) => sum + idf, 0)
  const whole = asked + searched.missing.length * idfOf(0, searched.nodes)
  return whole <= 0 ? 0 : Math.min(1, explain.relevance / whole)
}

/** Maximum number of tombstones to scan: the newest. They are not indexed. */
const MAX_TOMBSTONES = 10_000

/**
 * Redacted keys with all of `tags` whose names have words of a query, scored by the share of words found: only the name
 * is left.
 */
export async function searchTombstones(
  { store }: Pick<KeyReadDeps, 'store'>,
  { units }: Query,
  tags: readonly string[],
): Promise<LexicalHit[]> {
  const telling = units.filter(({ isStopWord }) => !isStopWord)
  const asked = new Set((telling.length > 0 ? telling : units).flatMap(({ words }) => words))
  if (asked.size === 0) return []
  const tombstones = await store.read((tx) =>
    tx.documents({ kind: 'key', states: ['erased'], tags }, 'head', {
      sort: [{ by: 'id', descending: true }],
      limit: MAX_TOMBSTONES,
    }),
  )
  return tombstones
    .map((head) => ({ document: { ...head, text: null }, score: shareOf(asked, keyOf(head)) }))
    .filter(({ score }) => score > 0)
}

function shareOf(asked: ReadonlySet<string>, name: string): number {
  const words = new Set(wordsOf(name).map(({ word }) => word))
  return [...asked].filter((word) => words.has(word)).length / asked.size
}
