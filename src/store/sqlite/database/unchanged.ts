import { randomUUID } from 'node:crypto'
import type { Database } from 'better-sqlite3'
import type { Context } from './context.ts'
import { statement } from './statements.ts'

/**
 * Another number whenever a handle other than this one has written. Asking for it is a read like any other: from then on a
 * transaction sees the state that it is of. Prepared: what `pragma()` does anew for each call takes twenty times as long.
 */
export function dataVersion(db: Database): () => number {
  const version = statement<[], { data_version: number }>(db, 'PRAGMA data_version')
  return () => version().get()?.data_version ?? 0
}

/**
 * Tells whether the database is still what it was: another text whenever somebody wrote to it. SQLite does not tell a handle of its
 * own changes, so no two texts of one that writes are the same.
 */
export function stateVersions({ db, hidden = () => 0 }: Context): () => string {
  const version = dataVersion(db)
  const handle = randomUUID()
  let asked = 0
  return () => `${handle} ${db.readonly ? `${version()} ${hidden()}` : `own ${++asked}`}`
}

/** Remembers the last answer while nobody writes and the same keys are hidden. Only on a handle that cannot write itself. */
export function whileUnchanged<A, T>(
  { db, hidden = () => 0 }: Pick<Context, 'db' | 'hidden'>,
  ask: (asked: A) => T,
): (asked: A) => T {
  if (!db.readonly) return ask
  const version = dataVersion(db)
  let known: { state: string; answer: T } | undefined
  return (asked) => {
    const state = `${version()} ${hidden()} ${JSON.stringify(asked)}`
    if (known?.state !== state) known = { state, answer: ask(asked) }
    return known.answer
  }
}
