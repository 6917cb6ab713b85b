import { DAY_MS } from '../../util/text/duration.ts'
import { MemoryError, shown } from '../errors.ts'
import type { Store } from '../port/store.ts'
import { type ColdRow, toCold } from '../rows/heat.ts'

/** Shorter texts are not worth summarizing. */
const LONG_TOKENS = 100
const UNREAD_MS = 30 * DAY_MS
/** The maximum number of nodes to scan, in a memory of any size. */
const LOOKED_AT = 20_000

export interface ColdestInput {
  limit?: number
  /** Only nodes with less heat than this. */
  below?: number
}

/** Nodes that are not pinned, coldest first. */
export async function coldest(store: Store, { limit = 50, below }: ColdestInput = {}): Promise<ColdRow[]> {
  if (!Number.isSafeInteger(limit) || limit < 1)
    throw new MemoryError('INVALID_INPUT', `limit must be a positive whole number, got ${shown(limit)}`)
  const bound = below === undefined ? {} : { below }
  const rows = await store.read((tx) => tx.nodes({ order: 'coldest', limit, ...bound }, 'brief'))
  return rows.map(toCold)
}

/**
 * Candidates for a summary, coldest first: long nodes that were not read or changed for a month, except pinned ones.
 */
export async function worthShortening(
  { store, now }: { store: Pick<Store, 'read'>; now: () => number },
  { limit }: { limit: number },
): Promise<ColdRow[]> {
  const since = now() - UNREAD_MS
  const unread = { lookedAt: LOOKED_AT, tokens: LONG_TOKENS, since }
  const rows = await store.read((tx) => tx.nodes({ order: 'coldest', limit, unread }, 'brief'))
  return rows.map(toCold)
}
