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

/** What is read is the same as long as this text is: it depends on what is stored, and on the keys that are hidden. */
function readVersion({ db, hidden = () => 0 }: Pick<Context, 'db' | 'hidden'>): () => string {
  const version = dataVersion(db)
  return () => `${version()} ${hidden()}`
}

/**
 * Tells whether the database is still what it was: another text whenever somebody wrote to it. SQLite does not tell a handle of its
 * own changes, so no two texts of one that writes are the same.
 */
export function stateVersions(context: Context): () => string {
  const version = readVersion(context)
  const handle = randomUUID()
  let asked = 0
  return () => `${handle} ${context.db.readonly ? version() : `own ${++asked}`}`
}

/** Remembers the last answer until somebody writes to the database. Only on a handle that cannot write itself. */
export function whileUnchanged<A, T>(
  context: Pick<Context, 'db' | 'hidden'>,
  ask: (asked: A) => T,
): (asked: A) => T {
  if (!context.db.readonly) return ask
  const version = readVersion(context)
  let known: { asked: string; answer: T } | undefined
  return (given) => {
    const asked = JSON.stringify([version(), given])
    if (known?.asked !== asked) known = { asked, answer: ask(given) }
    return known.answer
  }
}
