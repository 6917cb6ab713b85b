import type { DocumentPage, DocumentQuery } from '../port/documents.ts'
import type { ReadTx, Store } from '../port/store.ts'
import { totalOf } from '../write/documents.ts'
import {
  IMPORTANCES,
  type Importance,
  isoTime,
  RECORD_TYPES,
  type RecordJson,
  type RecordType,
  toRecordJson,
} from './model.ts'

/** Totals. All but `archived_count` and `total_storage_kb` exclude archived records. */
export interface RecordStats {
  total_memories: number
  by_type: Record<RecordType, number>
  by_importance: Record<Importance, number>
  archived_count: number
  /** Contents in UTF-8, including archived ones; in KiB. */
  total_storage_kb: number
  /** Time of creation; null if there are none. */
  oldest_memory: string | null
  newest_memory: string | null
  /** Null if none was ever accessed. */
  most_accessed: RecordJson | null
  top_tags: { tag: string; count: number }[]
}

const TOP_TAGS = 10
const ALL: DocumentQuery = { kind: 'record' }
const IN_USE: DocumentQuery = { ...ALL, where: [{ attribute: 'archived', in: [false] }] }
const ARCHIVED: DocumentQuery = { ...ALL, where: [{ attribute: 'archived', in: [true] }] }

export function recordStats(store: Pick<Store, 'read'>): Promise<RecordStats> {
  return store.read(async (tx) => {
    const byType = await countsOf(tx, 'type', RECORD_TYPES)
    const [oldest] = await first(tx, [{ by: 'created' }])
    const [newest] = await first(tx, [{ by: 'created', descending: true }])
    const [most] = await first(tx, [{ by: 'accesses', descending: true }], { ...IN_USE, wasAccessed: true })
    const tags = await tx.totals(IN_USE, { by: 'tag', limit: TOP_TAGS })
    return {
      total_memories: RECORD_TYPES.reduce((sum, type) => sum + byType[type], 0),
      by_type: byType,
      by_importance: await countsOf(tx, 'importance', IMPORTANCES),
      archived_count: (await totalOf(tx, ARCHIVED)).count,
      total_storage_kb: Math.round((await totalOf(tx, ALL, { bytes: true })).bytes / 10.24) / 100,
      oldest_memory: oldest ? isoTime(oldest.createdAt) : null,
      newest_memory: newest ? isoTime(newest.createdAt) : null,
      most_accessed: most ? toRecordJson(most) : null,
      top_tags: tags.map(({ value, count }) => ({ tag: String(value), count })),
    }
  })
}

function first(tx: ReadTx, sort: DocumentPage['sort'], query = IN_USE) {
  return tx.documents(query, 'whole', { sort, limit: 1 })
}

async function countsOf<const W extends string>(
  tx: ReadTx,
  by: 'type' | 'importance',
  words: readonly W[],
): Promise<Record<W, number>> {
  const counts = new Map((await tx.totals(IN_USE, { by })).map(({ value, count }) => [value, count]))
  return Object.fromEntries(words.map((word) => [word, counts.get(word) ?? 0])) as Record<W, number>
}
