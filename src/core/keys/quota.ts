import type { WriteCaller } from '../access/principal.ts'
import type { Store } from '../port/store.ts'
import { countedFor } from '../rows/user-counts.ts'
import { totalOf } from '../write/documents.ts'

/** How many memories are stored, and how many may be. Null: any number. */
export interface MemoryQuota {
  used: number
  limit: number | null
  remaining: number | null
}

const STORED = { kind: 'key', states: ['live', 'erased'] } as const

/** How many keys are stored, including redacted and expired ones. */
export function countKeys(store: Pick<Store, 'read'>): Promise<number> {
  return store.read(async (tx) => (await totalOf(tx, STORED)).count)
}

/** Of a user everything counts that it created, through every door. Without accounts nothing is limited. */
export async function memoryQuota(
  store: Pick<Store, 'read'>,
  caller: WriteCaller | undefined,
): Promise<MemoryQuota> {
  if (!caller) return { used: await countKeys(store), limit: null, remaining: null }
  const { count: used } = await store.read((tx) => countedFor(tx, caller.userId))
  const limit = caller.limits?.memories ?? null
  return { used, limit, remaining: limit === null ? null : Math.max(0, limit - used) }
}
