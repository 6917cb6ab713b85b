import { MemoryError, shown } from '../errors.ts'
import type { Store } from '../port/store.ts'
import { type ColdRow, toCold } from '../rows/heat.ts'

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
