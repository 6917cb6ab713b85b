import type { ChangeKind } from '../../../core/port/change-feed.ts'
import type { SnapshotRow } from '../../../core/port/store.ts'
import { DAY_MS } from '../../../util/text/duration.ts'
import type { Context } from '../database/context.ts'
import { statement } from '../database/statements.ts'

/** Frequent kinds: of a run of such rows only the newest of each kind is kept. */
const FREQUENT = `('update', 'tick', 'cold', 'rescan', 'audit')`
/** Rows that are kept whatever their age. A reader that is further behind is notified of every kind. */
export const KEPT_ROWS = 1000
/** Old rows are removed once per this many new ones. */
const TRIM_EVERY = 50

/** The rows by which other processes learn what changed: every transaction that wrote something leaves one for each kind. */
export function changeRows({ db, spaceId, now }: Context) {
  const insert = statement<[number, string, number | null, number]>(
    db,
    'INSERT INTO changes (space_id, kind, snapshot_id, created_at) VALUES (?, ?, ?, ?)',
  )
  // A reader that has not seen the row which goes will see the one that comes: its number is higher.
  const dropSame = statement<[string, number]>(
    db,
    `DELETE FROM changes WHERE kind = ? AND kind IN ${FREQUENT} AND space_id = ? AND sequence > coalesce(
       (SELECT sequence FROM changes WHERE kind NOT IN ${FREQUENT} ORDER BY sequence DESC LIMIT 1), 0)`,
  )
  // Twice as many as came since: the table shrinks, and no write pays for a year of them.
  const trim = statement<[number]>(
    db,
    `DELETE FROM changes WHERE sequence IN (SELECT sequence FROM changes ORDER BY sequence LIMIT ${2 * TRIM_EVERY})
       AND sequence <= (SELECT max(sequence) FROM changes) - ${KEPT_ROWS} AND created_at < ?`,
  )
  const written = statement<[], { count: number }>(db, 'SELECT total_changes() AS count')
  const count = (): number => written().get()?.count ?? 0
  let atBegin = 0
  let snapshot: SnapshotRow | undefined
  const meanings = new Set<ChangeKind>()
  function note(kind: string, snapshotId: number | null): void {
    const { lastInsertRowid } = insert().run(spaceId, kind, snapshotId, now())
    if (Number(lastInsertRowid) % TRIM_EVERY === 0) trim().run(now() - DAY_MS)
  }

  return {
    begin(): void {
      atBegin = count()
      snapshot = undefined
      meanings.clear()
    },
    /** The snapshot of this transaction as it is by now. */
    made(row: SnapshotRow): void {
      snapshot = row
    },
    /** What else to call the changes of this transaction. */
    mean(kind: ChangeKind): void {
      meanings.add(kind)
    },
    finish(): void {
      if (snapshot) note(snapshot.operation, snapshot.id)
      // Heat, pins, names of files: what changes without a snapshot.
      else if (count() === atBegin) return
      else if (meanings.size === 0) meanings.add('update')
      for (const kind of meanings) {
        if (kind === snapshot?.operation) continue
        dropSame().run(kind, spaceId)
        note(kind, null)
      }
    },
  }
}

export type ChangeRows = ReturnType<typeof changeRows>
