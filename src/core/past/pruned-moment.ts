import { type MemoryError, noSnapshot, prunedSnapshot } from '../errors.ts'
import type { ReadTx, SnapshotRow } from '../port/store.ts'

type Reads = Pick<ReadTx, 'snapshots'>

/** The error for a number that no snapshot has, or none has any more. */
export async function noSuchSnapshot(tx: Reads, id: number): Promise<MemoryError> {
  const nearest = await nearestToPruned(tx, id)
  return nearest === undefined ? noSnapshot(id) : prunedSnapshot(id, nearest)
}

/** Throws for a missing snapshot that was pruned. */
export async function refusePruned(tx: Reads, id: number): Promise<void> {
  const nearest = await nearestToPruned(tx, id)
  if (nearest !== undefined) throw prunedSnapshot(id, nearest)
}

/** Undefined: a snapshot with this number never was, or a rollback dropped it. */
async function nearestToPruned(tx: Reads, id: number): Promise<number | undefined> {
  const [[older], [newer]] = await Promise.all([
    tx.snapshots({ before: id, limit: 1 }),
    tx.snapshots({ after: id, limit: 1, oldestFirst: true }),
  ])
  if (id < 1 || !newer || isDrop(newer, older)) return undefined
  const isOlderCloser = older !== undefined && id - older.id <= newer.id - id
  return isOlderCloser ? older.id : newer.id
}

/** A rollback that dropped the snapshots after its target follows that directly. */
function isDrop({ operation, message }: SnapshotRow, older: SnapshotRow | undefined): boolean {
  return operation === 'rollback' && message === `rollback to ${older?.id}`
}
