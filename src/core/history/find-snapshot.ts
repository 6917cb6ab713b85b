import { noSnapshot, prunedSnapshot } from '../errors.ts'
import type { ReadTx, SnapshotRow } from '../port/store.ts'
import { isHidden } from './kept-snapshots.ts'

type Reads = Pick<ReadTx, 'snapshots' | 'scan'>

export async function findSnapshot(tx: Reads, id: number): Promise<SnapshotRow | undefined> {
  return (await tx.snapshots({ after: id - 1, before: id + 1, limit: 1 }))[0]
}

/** Throws for a number that no snapshot has, or none has any more. */
export async function getSnapshot(tx: Reads, id: number): Promise<SnapshotRow> {
  const found = await findSnapshot(tx, id)
  if (found) return found
  await refusePruned(tx, id)
  throw noSnapshot(id)
}

/** Throws for the number of a snapshot that was pruned. */
export async function refusePruned(tx: Reads, id: number): Promise<void> {
  if (id < 1 || (await findSnapshot(tx, id))) return
  const [[older], newer] = await Promise.all([tx.snapshots({ before: id, limit: 1 }), nextNewer(tx, id)])
  if (!newer || isDrop(newer, older)) return
  const isOlderCloser = older !== undefined && id - older.id <= newer.id - id
  throw prunedSnapshot(id, isOlderCloser ? older.id : newer.id)
}

async function nextNewer(tx: Reads, id: number): Promise<SnapshotRow | undefined> {
  for (let after = id; ; ) {
    const [row] = await tx.scan('snapshots', { after: [after], limit: 1 })
    if (!row || !isHidden(row)) return row
    after = row.id
  }
}

/** A rollback that dropped the snapshots after its target follows it directly. */
function isDrop({ operation, message }: SnapshotRow, older: SnapshotRow | undefined): boolean {
  return operation === 'rollback' && message === `rollback to ${older?.id}`
}
