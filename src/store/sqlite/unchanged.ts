import { randomUUID } from 'node:crypto'
import type { Database } from 'better-sqlite3'
import type { Context } from './context.ts'
import { statement } from './statements.ts'

/**
 * Tells whether the database is still what it was: another text whenever somebody wrote to it. A handle that writes is not told
 * of its own changes, so no two of its texts are the same.
 */
export function stateVersions({ db }: Context) {
  const look = statement<[], unknown>(db, 'SELECT 1 FROM spaces')
  const handle = randomUUID()
  let asked = 0
  return {
    stateVersion(): string {
      // Or it is not yet known which state this transaction sees.
      look().get()
      return `${handle} ${db.readonly ? db.pragma('data_version', { simple: true }) : `own ${++asked}`}`
    },
  }
}

/**
 * Remembers the last answer until somebody writes to the database. Only for a handle that cannot write itself: a connection
 * is not told of its own changes. The transaction must have read something before, or it is not yet known what it sees.
 */
export function whileUnchanged<A, T>(db: Database, ask: (asked: A) => T): (asked: A) => T {
  if (!db.readonly) return ask
  let known: { version: unknown; asked: string; answer: T } | undefined
  return (given) => {
    const version = db.pragma('data_version', { simple: true })
    const asked = JSON.stringify(given)
    if (known?.version !== version || known?.asked !== asked) known = { version, asked, answer: ask(given) }
    return known.answer
  }
}
