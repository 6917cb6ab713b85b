import { DAY_MS } from '../../util/text/duration.ts'
import { MemoryError, shown } from '../errors.ts'
import type { Store } from '../port/store.ts'
import { type ColdRow, toCold } from '../rows/heat.ts'

/** A shorter text is not worth an agent's work. */
const LONG_TOKENS = 100
const UNREAD_MS = 30 * DAY_MS
/** In a memory of any size, advice costs no more than this. */
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

/** Nodes to summarize, coldest first: long ones that nobody has read or changed for a month, without the pinned. */
export async function worthShortening(
  { store, now }: { store: Pick<Store, 'read'>; now: () => number },
  { limit }: { limit: number },
): Promise<ColdRow[]> {
  const since = now() - UNREAD_MS
  const unread = { lookedAt: LOOKED_AT, tokens: LONG_TOKENS, since }
  const rows = await store.read((tx) => tx.nodes({ order: 'coldest', limit, unread }, 'brief'))
  return rows.map(toCold)
}
