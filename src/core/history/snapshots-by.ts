import { MemoryError } from '../errors.ts'
import { tookOver } from '../past/pruned-moment.ts'
import type { ReadTx, SnapshotRow } from '../port/store.ts'

const PAGE = 5000

/** The numbers of the snapshots that an author made after another one, oldest first. */
export async function snapshotsBy(tx: ReadTx, author: string, since: number): Promise<number[]> {
  const ids: number[] = []
  let newer: SnapshotRow | undefined
  for (let isMore = true; isMore; ) {
    const page = await tx.snapshots({ after: since, limit: PAGE, ...(newer && { before: newer.id }) })
    for (const snapshot of page) {
      if (newer) refuseFolded(newer, snapshot.id)
      if (snapshot.author === author) ids.push(snapshot.id)
      newer = snapshot
    }
    isMore = page.length === PAGE
  }
  if (newer) refuseFolded(newer, since)
  if (ids.length > 0) return ids.reverse()
  throw new MemoryError(
    'NOT_FOUND',
    `no snapshot by "${author}" after snapshot ${since}; \`remindb history\` lists snapshots with their authors`,
  )
}

/** One that others were folded into has what all of their authors did. */
function refuseFolded(snapshot: SnapshotRow, older: number): void {
  if (!tookOver(snapshot, older)) return
  throw new MemoryError(
    'NOT_FOUND',
    `history up to snapshot ${snapshot.id} was pruned, and who changed what there is no longer known: give snapshot ${snapshot.id} or a later moment, or revert snapshots by number`,
  )
}

/** To undo one that others were folded into would undo what everybody did in that time. */
export async function refuseShared(tx: Pick<ReadTx, 'snapshots'>, snapshot: SnapshotRow): Promise<void> {
  const [older] = await tx.snapshots({ before: snapshot.id, limit: 1 })
  if (!tookOver(snapshot, older?.id ?? 0)) return
  throw new MemoryError(
    'CONFLICT',
    `snapshot ${snapshot.id} also has what others did before it, since history was pruned; restore single nodes, or undo all of it with force`,
  )
}
