import type { ReadTx } from '../port/store.ts'
import { mutate, snapshotOperation } from '../write/operation.ts'
import { removeDocuments } from '../write/put.ts'
import type { KeyDeps } from './model.ts'

/** Documents removed in one snapshot: other writers need not wait for all of them. */
export const EXPIRE_BATCH = 1000

/** Removes expired keys: reads of nodes do not check the expiry. Returns how many; writes nothing if there are none. */
export async function expireKeys(deps: KeyDeps): Promise<number> {
  const about = { operation: 'key', message: 'expire' }
  return (await mutate(deps, removeExpired, { ...about, input: {} })).value
}

/** When the next key expires, or should have; null: none expires. */
export async function findNextExpiry(tx: ReadTx): Promise<number | null> {
  const query = { kind: 'key', expiredAt: Number.MAX_SAFE_INTEGER } as const
  const [first] = await tx.documents(query, 'head', { sort: [{ by: 'expires_at' }], limit: 1 })
  return first?.attributes.expires_at ?? null
}

export const removeExpired = snapshotOperation('expire-keys', async (context, _: object) => {
  const query = { kind: 'key', expiredAt: context.at } as const
  const page = { sort: [{ by: 'id' }], limit: EXPIRE_BATCH } as const
  const found = await context.tx.documents(query, 'row', page)
  await removeDocuments(context, found)
  return found.length
})
