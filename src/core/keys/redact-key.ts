import { eraseDocument } from '../erase.ts'
import { needs } from '../errors.ts'
import { mutate } from '../operation.ts'
import type { DoorDocument } from '../port/doors.ts'
import type { ReadTx } from '../port/store.ts'
import { attributesOf, isRedacted, isThere, keyAddress, noMemory } from './key-document.ts'
import type { KeyDeps } from './key-model.ts'
import type { KeyWrite } from './store-value.ts'

export interface RedactedKey {
  status: 'redacted' | 'already'
  /** False: another process was reading; what is left in journals goes later. */
  scrubbed: boolean
}

/** Characters of a reason: it stands in the list of snapshots. */
const MAX_REASON = 4096
/** Read at a time: their texts come with them. */
const PAGE = 10

/**
 * Removes every trace of a key's value, in its history too: also of one that expired or was forgotten, whose history is all
 * that is left of it. A tombstone with the key, the time and the tags that it has now stays until it is forgotten. Throws NOT_FOUND.
 */
export async function redactKey(
  deps: KeyDeps,
  { key, reason }: { key: string; reason?: string },
): Promise<KeyWrite<RedactedKey>> {
  const address = keyAddress(deps.redact, key)
  needs(
    reason === undefined || reason.length <= MAX_REASON,
    `the reason has ${reason?.length} characters, and it may have ${MAX_REASON}; give a shorter one`,
  )
  const message = reason === undefined || reason.trim() === '' ? 'redact' : `redact: ${reason.toWellFormed()}`
  const { value: done, snapshot } = await mutate(deps, { operation: 'erase', message }, async (context) => {
    const found = await context.tx.findDoorDocument(address)
    if (isRedacted(found)) return { status: 'already' as const, added: 0 }
    if (!found || !(await hasHeld(context.tx, found))) throw noMemory(address.key)
    // Tags of what is gone were part of what it held.
    const { tags = [] } = isThere(found, deps.now()) ? attributesOf(found) : {}
    await eraseDocument(context, found, { tags, redacted_at: deps.now() })
    return { status: 'redacted' as const, added: found.state === 'live' ? 0 : 1 }
  })
  const scrubbed = done.status === 'already' || (await deps.maintenance.scrub())
  return { value: { status: done.status, scrubbed }, snapshot, added: done.added }
}

/** Whether anything is stored of what a key held: nothing is of one that was redacted before it was forgotten. */
async function hasHeld(tx: ReadTx, { id, state }: DoorDocument): Promise<boolean> {
  if (state === 'live') return true
  let before: { before?: number } = {}
  for (;;) {
    const page = await tx.documentHistory(id, { limit: PAGE, ...before })
    const last = page.find((version) => version.state !== 'removed')
    if (last) return last.state === 'live'
    const oldest = page.at(-1)
    if (!oldest || page.length < PAGE) return false
    before = { before: oldest.snapshotId }
  }
}
