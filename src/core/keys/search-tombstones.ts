import type { Query } from '../find/query/query-model.ts'
import { wordsOf } from '../find/query/words.ts'
import { keyOf } from './key-document.ts'
import type { KeyReadDeps } from './key-model.ts'
import type { LexicalHit } from './search-lexical.ts'

/** Tombstones that are looked at: those of the newest keys. They are in no index. */
const MAX_TOMBSTONES = 10_000

/** Redacted keys with all of `tags` whose names have words of a query, with the share of them: a name is all they have left. */
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
