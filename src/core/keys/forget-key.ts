import { mutate, snapshotOperation } from '../operation.ts'
import { removeDocument } from '../put.ts'
import { isRedacted, isThere, type KeyAddress, keyAddress, noMemory } from './key-document.ts'
import type { KeyDeps } from './key-model.ts'
import type { KeyWrite } from './store-value.ts'

/** How many documents are removed for each look at which are left. */
const BATCH = 500

/** Removes a key, also what is left of a redacted one: then it can be stored anew. Throws NOT_FOUND. */
export async function forgetKey(deps: KeyDeps, key: string): Promise<KeyWrite<string>> {
  const address = keyAddress(deps.redact, key)
  const about = { operation: 'key', message: 'forget' }
  const { snapshot } = await mutate(deps, removeKey, { ...about, input: address })
  return { value: address.key, snapshot, added: -1 }
}

export const removeKey = snapshotOperation('forget-key', async (context, address: KeyAddress) => {
  const found = await context.tx.findDoorDocument(address)
  if (!found || (!isRedacted(found) && !isThere(found, context.about.createdAt))) throw noMemory(address.key)
  await removeDocument(context, found)
})

/** Removes every key with a tag, redacted ones too. Tells how many. */
export async function forgetAll(deps: KeyDeps, tag: string): Promise<KeyWrite<number>> {
  const wanted = tag.toWellFormed()
  // Tags that looked like secrets have lost what told them apart: none of them is meant.
  if (deps.redact(wanted) !== wanted) return { value: 0, snapshot: null, added: 0 }
  const about = { operation: 'key', message: 'forget all' }
  const { value, snapshot } = await mutate(deps, removeTagged, { ...about, input: { tag: wanted } })
  return { value, snapshot, added: -value }
}

export const removeTagged = snapshotOperation('forget-tag', async (context, { tag }: { tag: string }) => {
  const notExpiredAt = context.about.createdAt
  const query = { kind: 'key', states: ['live', 'erased'], tags: [tag], notExpiredAt } as const
  let removed = 0
  for (;;) {
    const page = { sort: [{ by: 'id' }], limit: BATCH, maxTextBytes: 0 } as const
    const found = await context.tx.listDoorDocuments(query, page)
    for (const document of found) await removeDocument(context, document)
    removed += found.length
    if (found.length < BATCH) return removed
  }
})
