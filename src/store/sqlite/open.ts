import { closeSync, existsSync, openSync, readSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import { pathToFileURL } from 'node:url'
import Sqlite, { type Database } from 'better-sqlite3'
import type { Hash64 } from '../../core/digest.ts'
import { MemoryError } from '../../core/errors.ts'
import type { Context } from './context.ts'
import { translating } from './errors.ts'
import { migrations } from './migrations/index.ts'

/** 'RMDB': tells our files from any other SQLite database. */
export const APPLICATION_ID = 0x524d4442
const HEADER = 'SQLite format 3\0'

export interface WriterOptions {
  file: string
  synchronous: 'full' | 'normal'
  busyTimeoutMs: number
}

/** Refuses what is not ours before any handle could change it. `absent`: there is no such file, or it is empty. */
export function inspectFile(file: string): 'absent' | 'database' {
  if (!existsSync(file)) return 'absent'
  const { size } = statSync(file)
  if (size === 0) return 'absent'
  if (readHeader(file) !== HEADER) {
    throw new MemoryError(
      'NOT_A_DATABASE',
      'the file is not a remindb database; it was not changed. Check --db',
    )
  }
  return 'database'
}

function readHeader(file: string): string {
  const handle = openSync(file, 'r')
  try {
    const bytes = Buffer.alloc(HEADER.length)
    readSync(handle, bytes, 0, bytes.length, 0)
    return bytes.toString('latin1')
  } finally {
    closeSync(handle)
  }
}

/** How many migrations the database has seen. Throws when it is somebody else's or from a newer remindb. */
export function schemaVersion(db: Database): number {
  const applicationId = db.pragma('application_id', { simple: true }) as number
  const version = db.pragma('user_version', { simple: true }) as number
  if (applicationId !== APPLICATION_ID) {
    throw new MemoryError(
      'NOT_A_DATABASE',
      'the file is a SQLite database, but not one of remindb; it was not changed. Check --db',
    )
  }
  if (version > migrations.length) {
    throw new MemoryError(
      'NEWER_DATABASE',
      `the database was written by a newer remindb (schema ${version}, this one knows ${migrations.length}); it was not changed. Upgrade remindb`,
    )
  }
  return version
}

/** A handle that the engine itself refuses to write through. */
export function openReader(file: string): Database {
  return translating(() => {
    const db = openReadOnly(file)
    db.pragma('query_only = ON')
    db.pragma('busy_timeout = 5000')
    return db
  })
}

function openReadOnly(file: string): Database {
  const db = new Sqlite(file, { readonly: true, fileMustExist: true })
  try {
    schemaVersion(db)
    return db
  } catch (error) {
    db.close()
    if (!isMissingJournal(error) || existsSync(`${file}-wal`)) throw error
    // A folder nobody may write to cannot hold the shared-memory file that WAL needs; nobody can be writing either.
    return new Sqlite(`${pathToFileURL(file).href}?immutable=1`, { readonly: true })
  }
}

function isMissingJournal(error: unknown): boolean {
  return error instanceof Error && 'code' in error && /^SQLITE_(CANTOPEN|READONLY)/.test(String(error.code))
}

export function openWriter({ file, synchronous, busyTimeoutMs }: WriterOptions): Database {
  if (!existsSync(dirname(file))) {
    throw new MemoryError(
      'NOT_FOUND',
      'the parent directory of the database does not exist; create it or change --db',
    )
  }
  const isNew = inspectFile(file) === 'absent'
  if (isNew) createPrivate(file)
  const db = new Sqlite(file)
  try {
    // busy_timeout first: even setting WAL can meet a lock.
    db.pragma(`busy_timeout = ${busyTimeoutMs}`)
    if (!isNew) schemaVersion(db)
    db.pragma('journal_mode = WAL')
    db.pragma(`synchronous = ${synchronous}`)
    db.pragma('foreign_keys = ON')
    db.pragma('secure_delete = ON')
    db.pragma('cache_size = -65536')
    db.pragma('temp_store = MEMORY')
    return db
  } catch (error) {
    db.close()
    throw error
  }
}

/** A memory is nobody else's to read. SQLite fills an empty file, and its journals take over the file's mode. */
export function createPrivate(file: string): void {
  closeSync(openSync(file, 'a', 0o600))
}

/** Whose memory a handle reads: one file is one space; its default owner is the local user. */
export function openContext(db: Database, hash: Hash64, now: () => number): Context {
  const row = db
    .prepare<[], { space_id: number; owner_id: number }>(
      'SELECT s.id AS space_id, o.id AS owner_id FROM spaces s JOIN owners o ON o.space_id = s.id ORDER BY s.id, o.id LIMIT 1',
    )
    .get()
  if (!row) throw new MemoryError('CORRUPTED_DATA', 'the database has no space; restore the newest backup')
  return { db, hash, now, spaceId: row.space_id, ownerId: row.owner_id }
}
