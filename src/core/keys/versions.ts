import type { DocumentVersion, DoorDocument } from '../port/doors.ts'
import type { ReadTx } from '../port/store.ts'
import { isExpired } from './document.ts'

/** Versions per read: their texts come with them, and each may have the maximum size. */
const PAGE = 8

/** The earlier values of a key, newest first, back to when it last did not exist. */
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

/** The key existed continuously between the two. */
function precedes({ state, attributes }: DocumentVersion, newer: DocumentVersion): boolean {
  return state === 'live' && !isExpired(attributes, newer.createdAt)
}

/** Identifies a version: the time of its snapshot; the last three digits distinguish snapshots within a millisecond. */
export function versionTimestamp({ createdAt, snapshotId }: DocumentVersion): string {
  const digits = new Date(createdAt).toISOString().replace(/[-:.Z]/g, '')
  return `${digits}${String(snapshotId % 1000).padStart(3, '0')}`
}
