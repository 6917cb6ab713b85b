import type { SnapshotRow } from '../../core/store.ts'

/** The end of the line that tells of a change: where it can be found again. */
export function inSnapshot(snapshot: SnapshotRow | null): string {
  return snapshot ? `; snapshot ${snapshot.id}` : '; no new snapshot: the memory says so already'
}
