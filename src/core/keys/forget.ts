import { documentAt } from '../write/documents.ts'
import { mutate, snapshotOperation } from '../write/operation.ts'
import { removeDocuments } from '../write/put.ts'
import { isPresent, isRedacted, type KeyAddress, keyAddress, noMemory } from './document.ts'
import type { KeyDeps } from './model.ts'

/** Documents removed per batch. */
const BATCH = 500

/** Removes a key, also the tombstone of a redacted one: then it can be stored again. Throws NOT_FOUND. */
export async function forgetKey(deps: KeyDeps, key: string): Promise<string> {
  const address = keyAddress(deps.redact, key)
  const about = { operation: 'key', message: 'forget' }
  await mutate(deps, removeKey, { ...about, input: address })
  return address.key
}

export const removeKey = snapshotOperation('forget-key', async (context, address: KeyAddress) => {
  const found = await documentAt(context.tx, address, 'whole')
  if (!found || (!isRedacted(found) && !isPresent(found, context.at))) throw noMemory(address.key)
  await removeDocuments(context, [found])
})

/** Removes every key with a tag, including redacted ones. Returns how many. */
export async function forgetAll(deps: KeyDeps, tag: string): Promise<number> {
  const wanted = tag.toWellFormed()
  // Different secrets become the same redacted tag: such a tag matches nothing.
  if (deps.redact(wanted) !== wanted) return 0
  const about = { operation: 'key', message: 'forget all' }
  return (await mutate(deps, removeTagged, { ...about, input: { tag: wanted } })).value
}

export const removeTagged = snapshotOperation('forget-tag', async (context, { tag }: { tag: string }) => {
  const notExpiredAt = context.at
  const query = { kind: 'key', states: ['live', 'erased'], tags: [tag], notExpiredAt } as const
  let removed = 0
  for (;;) {
    const page = { sort: [{ by: 'id' }], limit: BATCH } as const
    const found = await context.tx.documents(query, 'row', page)
    await removeDocuments(context, found)
    removed += found.length
    if (found.length < BATCH) return removed
  }
})
