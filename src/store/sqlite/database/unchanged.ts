import { randomUUID } from 'node:crypto'
import type { Database } from 'better-sqlite3'
import type { Context } from './context.ts'
import { statement } from './statements.ts'

/**
 * A number that changes whenever another handle has written. Reading it is a read like any other: it fixes the state that the
 * transaction sees. Prepared: `pragma()` prepares it again for each call, which takes twenty times as long.
 */
export function dataVersion(db: Database): () => number {
  const version = statement<[], { data_version: number }>(db, 'PRAGMA data_version')
  return () => version().get()?.data_version ?? 0
}

/**
 * A text that changes whenever the database was written to or the set of hidden keys changes. SQLite does not report a handle's own changes, so every text of a
 * handle that writes is different.
 */
export function stateVersions({ db, hidden = () => 0 }: Pick<Context, 'db' | 'hidden'>): () => string {
  const version = dataVersion(db)
  const handle = randomUUID()
  let asked = 0
  return () => `${handle} ${db.readonly ? `${version()} ${hidden()}` : `own ${++asked}`}`
}

/** Keeps the last answer until the state or what is asked changes. A handle that writes asks every time. */
export function whileUnchanged<A, T>(
  context: Pick<Context, 'db' | 'hidden'>,
  ask: (asked: A) => T,
): (asked: A) => T {
  const version = stateVersions(context)
  let known: { state: string; answer: T } | undefined
  return (asked) => {
    const state = `${version()} ${JSON.stringify(asked)}`
    if (known?.state !== state) known = { state, answer: ask(asked) }
    return known.answer
  }
}
