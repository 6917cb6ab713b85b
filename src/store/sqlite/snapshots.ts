import type { NewSnapshot, SnapshotRow } from '../../core/port/store.ts'
import type { ChangeRows } from './change-rows.ts'
import type { Context } from './context.ts'
import { type SqlSnapshot, toSnapshot } from './rows.ts'
import { limitOf, statement } from './statements.ts'
import type { Tally } from './tally.ts'

const COLUMNS = 's.id, s.parent_id, s.cursor_hash, s.author, s.operation, s.message, s.root, s.created_at'

/** When a snapshot was made, by the clock of whoever made it: what it changed changed then. */
export function snapshotTime(id: string): string {
  return `(SELECT s.created_at FROM snapshots s WHERE s.id = ${id})`
}

export function snapshotReads({ db, spaceId }: Context) {
  const head = statement<[number], SqlSnapshot>(
    db,
    `SELECT ${COLUMNS} FROM spaces p JOIN snapshots s ON s.id = p.head_id WHERE p.id = ?`,
  )
  const byId = statement<[number, number], SqlSnapshot>(
    db,
    `SELECT ${COLUMNS} FROM snapshots s WHERE s.space_id = ? AND s.id = ?`,
  )
  const newest = statement<[number, number, number], SqlSnapshot>(
    db,
    `SELECT ${COLUMNS} FROM snapshots s WHERE s.space_id = ? AND s.id < ? ORDER BY s.id DESC ${limitOf()}`,
  )
  const last = statement<[], { seq: number }>(db, `SELECT seq FROM sqlite_sequence WHERE name = 'snapshots'`)
  return {
    nextSnapshotId: (): number => (last().get()?.seq ?? 0) + 1,
    head(): SnapshotRow | undefined {
      const row = head().get(spaceId)
      return row && toSnapshot(row)
    },
    findSnapshot(id: number): SnapshotRow | undefined {
      const row = byId().get(spaceId, id)
      return row && toSnapshot(row)
    },
    listSnapshots: ({ limit, before }: { limit: number; before?: number }): SnapshotRow[] =>
      newest()
        .all(spaceId, before ?? Number.MAX_SAFE_INTEGER, limit)
        .map(toSnapshot),
  }
}

export function snapshotWrites(context: Context, tally: Tally, changes: ChangeRows) {
  const { db, spaceId } = context
  const reads = snapshotReads(context)
  // Never before its parent, whatever clock its writer has: later versions of anything have later times.
  const begin = statement<[number, string, string, string, string, number, number]>(
    db,
    `INSERT INTO snapshots (id, space_id, parent_id, cursor_hash, author, operation, message, root, created_at)
     SELECT ?, p.id, p.head_id, '', ?, ?, ?, ?, max(?, coalesce(${snapshotTime('p.head_id')}, 0))
     FROM spaces p WHERE p.id = ?`,
  )
  const finish = statement<[string, number]>(db, 'UPDATE snapshots SET cursor_hash = ? WHERE id = ?')
  return {
    beginSnapshot(id: number, snapshot: NewSnapshot): void {
      const { author, operation, message, root, createdAt } = snapshot
      begin().run(id, author, operation, message, root, createdAt, spaceId)
    },
    finishSnapshot(id: number, change: string): SnapshotRow {
      finish().run(tally.flush(id), id)
      changes.note(change, id)
      return reads.findSnapshot(id) as SnapshotRow
    },
  }
}
