import type { Context } from './context.ts'
import { statement } from './statements.ts'

/** The rows by which other processes learn what changed: every transaction that wrote something leaves one. */
export function changeRows({ db, spaceId, now }: Context) {
  const insert = statement<[number, string, number | null, number]>(
    db,
    'INSERT INTO changes (space_id, kind, snapshot_id, created_at) VALUES (?, ?, ?, ?)',
  )
  // Reads that warm and ticks would pile them up: of a run of updates the newest says it all.
  const dropLast = statement<[number]>(
    db,
    `DELETE FROM changes WHERE sequence = (SELECT max(sequence) FROM changes) AND kind = 'update' AND space_id = ?`,
  )
  const written = statement<[], { count: number }>(db, 'SELECT total_changes() AS count')
  const count = (): number => written().get()?.count ?? 0
  let atBegin = 0
  let isNoted = false
  let meaning = 'update'

  return {
    begin(): void {
      atBegin = count()
      isNoted = false
      meaning = 'update'
    },
    /** What to call the changes of this transaction if no snapshot names them. */
    mean(kind: string): void {
      meaning = kind
    },
    note(kind: string, snapshotId: number | null): void {
      insert().run(spaceId, kind, snapshotId, now())
      isNoted = true
    },
    /** Heat, pins, names of files: what changes without a snapshot. */
    finish(): void {
      if (isNoted || count() === atBegin) return
      if (meaning === 'update') dropLast().run(spaceId)
      this.note(meaning, null)
    },
  }
}

export type ChangeRows = ReturnType<typeof changeRows>
