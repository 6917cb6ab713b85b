import { MemoryError, shown } from './errors.ts'
import type { BriefRow } from './port/nodes.ts'
import type { Store } from './port/store.ts'

/** A node beside its heat, for answers about what is cold. */
export interface ColdRow {
  key: number
  id: string
  label: string
  source: string
  value: number
}

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

export function toCold({ key, id, label, source, temperature: value }: BriefRow): ColdRow {
  return { key, id, label, source, value }
}
