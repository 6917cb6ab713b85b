import { mutate, snapshotOperation } from '../operation.ts'
import { removeDocument } from '../put.ts'
import type { KeyDeps } from './key-model.ts'

/** Documents that one snapshot removes at most: whoever else wants to write need not wait for all of them. */
export const EXPIRE_BATCH = 1000

/** Removes keys whose time has come: whoever looks at nodes does not know of it. Tells how many; nothing is written for none. */
export async function expireKeys(deps: KeyDeps): Promise<number> {
  const about = { operation: 'key', message: 'expire' }
  return (await mutate(deps, removeExpired, { ...about, input: {} })).value
}

export const removeExpired = snapshotOperation('expire-keys', async (context, _: object) => {
  const query = { kind: 'key', expiredAt: context.at } as const
  const page = { sort: [{ by: 'id' }], limit: EXPIRE_BATCH, maxTextBytes: 0 } as const
  const found = await context.tx.listDoorDocuments(query, page)
  for (const document of found) await removeDocument(context, document)
  return found.length
})
