import type { Database } from 'better-sqlite3'
import { MemoryError } from '../../../core/errors.ts'
import { openHandle } from '../database/driver.ts'
import { codeOf, isBusy, isCorrupt, translateError } from '../database/errors.ts'

/** Commands are done sooner; a server never lets go. */
const WAIT_MS = 2000

/**
 * Does `work` while no other handle, of any process, has the database open. Before that everything is moved into the one file,
 * so that no journal is left beside it. Throws UNAVAILABLE where one has. A file so damaged that SQLite cannot lock it is
 * taken as it is, with its journals.
 */
export function alone<T>(file: string, work: () => T): T {
  const db = lock(file)
  // Windows renames no file that somebody has open, so there the lock ends before.
  if (process.platform === 'win32') db?.close()
  try {
    return work()
  } finally {
    db?.close()
  }
}

function lock(file: string): Database | undefined {
  const db = openHandle(file, { fileMustExist: true })
  try {
    db.pragma(`busy_timeout = ${WAIT_MS}`)
    // Leaving WAL needs the file for oneself: every other handle that has read from it is in the way.
    db.pragma('journal_mode = DELETE')
    db.exec('BEGIN EXCLUSIVE')
    return db
  } catch (error) {
    db.close()
    if (isBusy(error)) throw inUse(error)
    if (isCorrupt(error) || codeOf(error) === 'SQLITE_NOTADB') return undefined
    throw translateError(error)
  }
}

function inUse(cause: unknown): MemoryError {
  return new MemoryError(
    'UNAVAILABLE',
    'another process has the database open; nothing was changed. Stop the server and every command that uses it, then retry',
    { cause },
  )
}
