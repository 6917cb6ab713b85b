import { byCodePoint } from '../../../util/text/code-points.ts'

/** A document that changed, and the newest snapshot that changed it. */
export interface ChangedDocument {
  name: string
  snapshotId: number
}

interface LastChanges {
  /** The newest first. */
  changed: ChangedDocument[]
  /** The last snapshot, where it changed more than can be named. */
  changedAtOnce: number | null
}

/** A first compile changes everything at once: to name three of its documents would be arbitrary. */
export function lastChanges(documents: readonly ChangedDocument[], limit: number): LastChanges {
  const newest = documents.toSorted((a, b) => b.snapshotId - a.snapshotId || byCodePoint(a.name, b.name))
  const tooMany = newest[limit]?.snapshotId
  const changed = newest.slice(0, limit).filter(({ snapshotId }) => snapshotId !== tooMany)
  return { changed, changedAtOnce: changed.length === 0 ? (tooMany ?? null) : null }
}
