import { eraseDocument } from '../erase.ts'
import { mutate } from '../operation.ts'
import { attributesOf, isRedacted, isThere, keyAddress, noMemory } from './key-document.ts'
import type { KeyDeps } from './key-model.ts'
import type { KeyWrite } from './store-value.ts'

export interface RedactedKey {
  status: 'redacted' | 'already'
  /** False: another process was reading; what is left in journals goes later. */
  scrubbed: boolean
}

/**
 * Removes every trace of a key's value, in its history too. A tombstone with the key, its tags and the time stays until it is
 * forgotten. Throws NOT_FOUND.
 */
export async function redactKey(
  deps: KeyDeps,
  { key, reason }: { key: string; reason?: string },
): Promise<KeyWrite<RedactedKey>> {
  const address = keyAddress(deps.redact, key)
  const message = reason === undefined || reason.trim() === '' ? 'redact' : `redact: ${reason.toWellFormed()}`
  const { value, snapshot } = await mutate(deps, { operation: 'erase', message }, async (context) => {
    const found = await context.tx.findDoorDocument(address)
    if (isRedacted(found)) return 'already' as const
    if (!isThere(found, deps.now())) throw noMemory(address.key)
    const { tags = [] } = attributesOf(found)
    await eraseDocument(context, found, { tags, redacted_at: deps.now() })
    return 'redacted' as const
  })
  const scrubbed = value === 'already' || (await deps.maintenance.scrub())
  return { value: { status: value, scrubbed }, snapshot, added: 0 }
}
