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
 * Tells whether the database is still what it was: another text whenever somebody wrote to it. A handle that writes is not told
 * of its own changes, so no two of its texts are the same.
 */
export function stateVersions({ db }: Context): () => string {
  const version = dataVersion(db)
  const handle = randomUUID()
  let asked = 0
  return () => `${handle} ${db.readonly ? version() : `own ${++asked}`}`
}

/**
 * Remembers the last answer until somebody writes to the database. Only for a handle that cannot write itself: a connection
 * is not told of its own changes. Not on one where time changes the answer.
 */
export function whileUnchanged<A, T>(
  { db, hidesExpired }: Pick<Context, 'db' | 'hidesExpired'>,
  ask: (asked: A) => T,
): (asked: A) => T {
  if (!db.readonly || hidesExpired) return ask
  const versionNow = dataVersion(db)
  let known: { version: number; asked: string; answer: T } | undefined
  return (given) => {
    const version = versionNow()
    const asked = JSON.stringify(given)
    if (known?.version !== version || known?.asked !== asked) known = { version, asked, answer: ask(given) }
    return known.answer
  }
}
