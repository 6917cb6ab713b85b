import type { DocumentVersion, DoorDocument } from '../port/doors.ts'
import type { ReadTx } from '../port/store.ts'
import { isExpired } from './document.ts'

/** Read at a time: their texts come with them, and each may be as long as a value may. */
const PAGE = 8

/** What a key held before, newest first, since it last did not exist. */
export async function* earlierVersions(tx: ReadTx, document: DoorDocument): AsyncGenerator<DocumentVersion> {
  let newer: DocumentVersion | undefined
  for (;;) {
    const before = newer && { before: newer.snapshotId }
    const page = await tx.documentVersions(document.id, { limit: PAGE, ...before })
    for (const version of page) {
      if (newer && !precedes(version, newer)) return
      if (newer) yield version
      newer = version
    }
    if (page.length < PAGE) return
  }
}

/** The key existed without a break between the two. */
function precedes({ state, attributes }: DocumentVersion, newer: DocumentVersion): boolean {
  return state === 'live' && !isExpired(attributes, newer.createdAt)
}

/** Names a version: the time of its snapshot, whose last three digits tell snapshots within a millisecond apart. */
export function versionTimestamp({ createdAt, snapshotId }: DocumentVersion): string {
  const digits = new Date(createdAt).toISOString().replace(/[-:.Z]/g, '')
  return `${digits}${String(snapshotId % 1000).padStart(3, '0')}`
}
