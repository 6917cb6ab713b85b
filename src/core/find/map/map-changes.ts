import { byCodePoint } from '../../../util/text/code-points.ts'

/** A document that changed, and the newest snapshot that changed it. */
export interface ChangedDocument {
  name: string
  snapshotId: number
}

interface LastChanges {
  /** Newest first. */
  changed: ChangedDocument[]
  /** The last snapshot, if it changed too many documents to name. */
  changedAtOnce: number | null
}

/** A first compile changes everything in one snapshot: naming three of its documents would be arbitrary. */
export function lastChanges(documents: readonly ChangedDocument[], limit: number): LastChanges {
  const newest = documents.toSorted((a, b) => b.snapshotId - a.snapshotId || byCodePoint(a.name, b.name))
  const tooMany = newest[limit]?.snapshotId
  const changed = newest.slice(0, limit).filter(({ snapshotId }) => snapshotId !== tooMany)
  return { changed, changedAtOnce: changed.length === 0 ? (tooMany ?? null) : null }
}
