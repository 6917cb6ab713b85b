import { createRequire } from 'node:module'
import type Sqlite from 'better-sqlite3'
import { labelWords, textWords } from '../../../core/find/query/index-row.ts'
import { coldnessOf } from '../../../core/rows/coldness.ts'

let driver: typeof Sqlite | undefined

/** The native driver, loaded with the first handle: a command that opens no database does not pay for it. */
export function loadDriver(): typeof Sqlite {
  driver ??= createRequire(import.meta.url)('better-sqlite3') as typeof Sqlite
  return driver
}

/** SQL functions of every handle, implemented by core. The view that the search index is made from calls the first two: see `trusting`. */
const FUNCTIONS = {
  label_words: (type: string, label: string): string => labelWords({ type, label }),
  text_words: (type: string, label: string, text: string): string => textWords({ type, label, text }),
  coldness_of: coldnessOf,
}

/** The file is untrusted input. The driver itself keeps SQL from damaging the file (`SQLITE_DBCONFIG_DEFENSIVE`). */
export function openHandle(...args: ConstructorParameters<typeof Sqlite>): Sqlite.Database {
  const db = new (loadDriver())(...args)
  // First: nothing of the schema was read yet.
  trust(db, false)
  // Not together with `mmap_size`: SQLite would check a page at every read, which costs more than the read itself.
  db.pragma('cell_size_check = ON')
  for (const [name, work] of Object.entries(FUNCTIONS))
    db.function(name, { deterministic: true }, work as (...values: unknown[]) => string | number)
  return db
}

/** The number of a database's schema; 0: it is empty. */
export function schemaOf(db: Sqlite.Database): number {
  return db.pragma('user_version', { simple: true }) as number
}

/** Gives back the memory that a handle keeps pages in. What it reads again is in the system's cache. */
export function shrink(db: Sqlite.Database): void {
  db.exec('PRAGMA shrink_memory')
}

/** Closes a handle that cannot be prepared for use. */
export function preparing(db: Sqlite.Database, work: (db: Sqlite.Database) => void): Sqlite.Database {
  try {
    work(db)
    return db
  } catch (error) {
    db.close()
    throw error
  }
}

/** Closes a handle after use. */
export function closing<T>(db: Sqlite.Database, work: (db: Sqlite.Database) => T): T {
  try {
    return work(db)
  } finally {
    db.close()
  }
}

/**
 * Does work in which the schema calls our own functions: building the search index from its view. Only where the schema is
 * known to be ours: a foreign schema could call them, and others of SQLite, with any arguments.
 */
export function trusting<T>(db: Sqlite.Database, work: () => T): T {
  trust(db, true)
  try {
    return work()
  } finally {
    trust(db, false)
  }
}

/** Runs work that SQLite's defensive mode forbids: writing to the schema or to the tables of FTS5. */
export function withoutDefence(db: Sqlite.Database, work: () => void): void {
  db.unsafeMode(true)
  try {
    work()
  } finally {
    db.unsafeMode(false)
  }
}

function trust(db: Sqlite.Database, isTrusted: boolean): void {
  db.pragma(`trusted_schema = ${isTrusted ? 'ON' : 'OFF'}`)
}
