import { needs } from '../errors.ts'
import { eraseDocument } from '../history/erase.ts'
import type { DoorDocument } from '../port/doors.ts'
import type { ReadTx } from '../port/store.ts'
import { documentAt } from '../write/documents.ts'
import { mutate, snapshotOperation } from '../write/operation.ts'
import { attributesOf, isRedacted, isThere, type KeyAddress, keyAddress, noMemory } from './key-document.ts'
import type { KeyDeps } from './key-model.ts'

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
 * that is left of it. A tombstone with the key, its client, the time and the tags that it has now stays until it is forgotten. Throws
 * NOT_FOUND.
 */
export async function redactKey(
  deps: KeyDeps,
  { key, reason }: { key: string; reason?: string },
): Promise<RedactedKey> {
  const address = keyAddress(deps.redact, key)
  needs(
    reason === undefined || reason.length <= MAX_REASON,
    `the reason has ${reason?.length} characters, and it may have ${MAX_REASON}; give a shorter one`,
  )
  const message = reason === undefined || reason.trim() === '' ? 'redact' : `redact: ${reason.toWellFormed()}`
  const about = { operation: 'erase', message }
  const { value: status } = await mutate(deps, eraseKey, { ...about, input: address })
  const scrubbed = status === 'already' || (await deps.maintenance.scrub())
  return { status, scrubbed }
}

export const eraseKey = snapshotOperation('redact-key', async (context, address: KeyAddress) => {
  const { at } = context
  const found = await documentAt(context.tx, address, 'whole')
  if (isRedacted(found)) return 'already' as const
  if (!found || !(await hasHeld(context.tx, found))) throw noMemory(address.key)
  const { tags: present = [], client } = attributesOf(found)
  // Tags of what is gone were part of what it held.
  const tags = isThere(found, at) ? present : []
  await eraseDocument(context, found, { tags, redacted_at: at, ...(client !== undefined && { client }) })
  return 'redacted' as const
})

/** Whether anything is stored of what a key held: nothing is of one that was redacted before it was forgotten. */
async function hasHeld(tx: ReadTx, { id, state }: DoorDocument): Promise<boolean> {
  if (state === 'live') return true
  let before: { before?: number } = {}
  for (;;) {
    const page = await tx.documentVersions(id, { limit: PAGE, ...before })
    const last = page.find((version) => version.state !== 'removed')
    if (last) return last.state === 'live'
    const oldest = page.at(-1)
    if (!oldest || page.length < PAGE) return false
    before = { before: oldest.snapshotId }
  }
}
