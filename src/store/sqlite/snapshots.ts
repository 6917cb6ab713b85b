import type { SnapshotRow } from '../../core/port/store.ts'
import type { Context } from './context.ts'
import { markBlob } from './marks.ts'
import { type SqlSnapshot, toSnapshot } from './rows.ts'
import { limitOf, statement } from './statements.ts'

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
  return {
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

export function snapshotWrites(context: Context) {
  const { db, spaceId } = context
  const last = statement<[], { seq: number }>(db, `SELECT seq FROM sqlite_sequence WHERE name = 'snapshots'`)
  const put = statement<[SnapshotRow & { space: number }]>(
    db,
    `INSERT INTO snapshots (id, space_id, parent_id, cursor_hash, author, operation, message, root, created_at)
     VALUES (@id, @space, @parentId, @cursorHash, @author, @operation, @message, @root, @createdAt)
     ON CONFLICT (id) DO UPDATE SET parent_id = excluded.parent_id, cursor_hash = excluded.cursor_hash`,
  )
  const setHead = statement<[number, Buffer, number]>(
    db,
    'UPDATE spaces SET head_id = ?, state_digest = ? WHERE id = ?',
  )
  return {
    head: snapshotReads(context).head,
    nextId: (): number => (last().get()?.seq ?? 0) + 1,
    /** It becomes the head. */
    put(row: SnapshotRow, digest: bigint): void {
      put().run({ ...row, space: spaceId })
      setHead().run(row.id, markBlob(digest), spaceId)
    },
  }
}
