import {
  accessSync,
  chmodSync,
  closeSync,
  constants,
  existsSync,
  lstatSync,
  openSync,
  readFileSync,
  realpathSync,
  statSync,
} from 'node:fs'
import { basename, dirname, join } from 'node:path'
import type { Database } from 'better-sqlite3'
import type { Hash64 } from '../../../core/digest.ts'
import { isMemoryError, MemoryError } from '../../../core/errors.ts'
import { hasCode } from '../../../util/error-code.ts'
import { FIRST_SCHEMA, NEWEST_SCHEMA } from '../migrations/index.ts'
import type { Context } from './context.ts'
import { openHandle, preparing, schemaOf } from './driver.ts'
import { codeOf, readOnlyError, translateError, translating } from './errors.ts'

/** 'RMDB': marks a SQLite database as one of ours. */
export const APPLICATION_ID = 0x524d4442
/** Offset of the write and read versions in the file header: 2 is WAL, 1 is a rollback journal. */
const WRITE_VERSION = 18

export interface WriterOptions {
  file: string
  /** Default: `full`. */
  synchronous?: 'full' | 'normal'
  /** It is thrown away where anything fails: no journal is kept, and nothing waits for the disk. */
  isStaging?: boolean
}

/** Per reading handle. Small, because the system's page cache is shared by all of them. */
const READ_CACHE_KIB = 4000
/**
 * Per writing handle. One change needs less; but now and then the search index merges all of itself in it, and leaves here as much
 * as fits. Jobs that change much need the indexes that are not in order of arrival.
 */
const WRITE_CACHE_KIB = { small: 16_000, large: 64_000 }

/** The value of `auto_vacuum` where free pages are given back in steps. */
export const INCREMENTAL = 2

/** How long a handle waits for a lock, unless its caller retries. */
export const BUSY_TIMEOUT_MS = 5000

/**
 * Checks a path before any handle is opened. `absent`: the file does not exist, or is empty. The file itself is never
 * opened here: closing it again would drop the locks of every other handle that this process has on it.
 */
export function inspectFile(file: string): 'absent' | 'database' {
  return permitted('FORBIDDEN', () => {
    refuseLinkedFiles(file)
    const found = statSync(file, { throwIfNoEntry: false })
    if (found && !found.isFile()) {
      throw new MemoryError('NOT_A_DATABASE', 'not a regular file. Check --db')
    }
    if (!found || found.size === 0) return 'absent'
    accessSync(file, constants.R_OK)
    return 'database'
  })
}

/** What SQLite opens beside a database. */
export function journalsOf(file: string): string[] {
  return ['-wal', '-shm', '-journal'].map((end) => `${file}${end}`)
}

const NO_LINK = constants.O_NOFOLLOW ?? 0

/** A database that is linked on purpose is named by its real path: see `placesOf`. Journals are never links. */
function refuseLinkedFiles(file: string): void {
  for (const path of [file, ...journalsOf(file)])
    if (lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink()) throw linkedFile(path)
}

function linkedFile(path: string): MemoryError {
  return new MemoryError(
    'FORBIDDEN',
    `${path} is a symbolic link, which may have come with the folder; nothing was changed. Remove it, or name the real file with --db`,
  )
}

/**
 * Journals have the mode that the file had when they were made. Those of a read-only file would block it once it is writable, and every handle of this process shares how the first one could open them.
 */
function freeJournals(file: string): void {
  for (const journal of journalsOf(file)) {
    const stats = lstatSync(journal, { throwIfNoEntry: false })
    const isOurs = stats !== undefined && stats.uid === process.getuid?.()
    if (!isOurs || (stats.mode & 0o600) === 0o600) continue
    try {
      chmodSync(journal, (stats.mode & 0o777) | 0o600)
    } catch {
      // The whole disk is read-only, so there is no writer for now.
    }
  }
}

/** Opens a handle and refuses it if SQLite followed a link to another file. */
export function openFile(file: string, options?: Parameters<typeof openHandle>[1]): Database {
  refuseLinkedFiles(file)
  freeJournals(file)
  return preparing(openHandle(file, options), (db) => {
    const [main] = db.pragma('database_list') as { file: string }[]
    const opened = main?.file ?? ''
    const meant = join(realpathSync(dirname(file)), basename(file))
    if (opened !== meant && realpathSync(opened) !== meant) throw linkedFile(file)
  })
}

const REFUSALS = {
  FORBIDDEN:
    'the database cannot be read; nothing was changed. Give read permission to it and its folder, or check --db',
  READ_ONLY: 'nothing can be written to this folder; give write permission to it, or choose another',
}

/** Turns refusals of the system into errors of this code. */
export function permitted<T>(code: keyof typeof REFUSALS, work: () => T): T {
  try {
    return work()
  } catch (error) {
    const isRefused = hasCode(error, 'EACCES', 'EPERM', 'EROFS')
    throw isRefused ? new MemoryError(code, REFUSALS[code], { cause: error }) : error
  }
}

/** The number of the database's schema, 0 when it is empty. Throws when it is not ours, from a newer or an unreleased remindb. */
export function schemaVersion(db: Database): number {
  // In one transaction: another process may be creating the database right now.
  const readMarks = db.transaction(() => ({
    applicationId: db.pragma('application_id', { simple: true }) as number,
    version: schemaOf(db),
    isBlank: db.prepare('SELECT 1 FROM sqlite_schema LIMIT 1').get() === undefined,
  }))
  const { applicationId, version, isBlank } = readMarks()
  if (applicationId !== APPLICATION_ID) {
    // Another process is about to create it, or was stopped when it did.
    if (applicationId === 0 && version === 0 && isBlank) return 0
    throw new MemoryError(
      'NOT_A_DATABASE',
      'the file is a SQLite database, but not one of remindb; it was not changed. Check --db',
    )
  }
  if (version > NEWEST_SCHEMA) {
    throw new MemoryError(
      'NEWER_DATABASE',
      `the database was written by a newer remindb (schema ${version}, this one knows ${NEWEST_SCHEMA}); it was not changed. Upgrade remindb`,
    )
  }
  if (version > 0 && version < FIRST_SCHEMA) {
    throw new MemoryError(
      'OLDER_DATABASE',
      `the database was written by an unreleased version of remindb (schema ${version}, this one knows ${FIRST_SCHEMA} and later); it was not changed. Run \`remindb export\` with that version and \`remindb import\` with this one, or move the file away and compile again`,
    )
  }
  return version
}

/** A read-only handle. */
export function openReader(file: string): Database {
  return translating(() => {
    const db = openReadOnly(file)
    db.pragma('query_only = ON')
    db.pragma(`busy_timeout = ${BUSY_TIMEOUT_MS}`)
    db.pragma(`cache_size = -${READ_CACHE_KIB}`)
    return db
  })
}

function openReadOnly(file: string): Database {
  const db = openFile(file, { readonly: true, fileMustExist: true })
  try {
    schemaVersion(db)
    return db
  } catch (error) {
    // Before the handle is closed: running out of file handles does not mean that the folder cannot hold a journal.
    const known = translateError(error)
    db.close()
    if (isMemoryError(known) && known.code === 'UNAVAILABLE') throw known
    const isMissingJournal = /^SQLITE_(CANTOPEN|READONLY)/.test(codeOf(error))
    if (!isMissingJournal || sizeOf(`${file}-wal`) > 0) throw error
    return openCopy(file)
  }
}

/** For each copy, the state of the file and its folder when it was made. */
const copies = new WeakMap<Database, string>()

/**
 * A read-only folder cannot hold the shared-memory file that WAL needs. It has no writers either: a copy in memory, marked as
 * not in WAL mode, is equivalent until that changes: see `isOutdatedCopy`.
 */
function openCopy(file: string): Database {
  // Before reading, so that a change in between is noticed later.
  const state = stateOf(file)
  const bytes = readFileSync(file, { flag: constants.O_RDONLY | NO_LINK })
  bytes.fill(1, WRITE_VERSION, WRITE_VERSION + 2)
  const db = preparing(openHandle(bytes, { readonly: true }), schemaVersion)
  copies.set(db, state)
  return db
}

/** Whether a handle reads from a copy of a file that has changed since, or that can be opened directly now. */
export function isOutdatedCopy(db: Database, file: string): boolean {
  const state = copies.get(db)
  return state !== undefined && state !== stateOf(file)
}

function stateOf(file: string): string {
  const stats = statSync(file, { bigint: true, throwIfNoEntry: false })
  const journals = journalsOf(file).map((journal) => existsSync(journal))
  return [stats?.dev, stats?.ino, stats?.size, stats?.mtimeNs, isWritable(dirname(file)), ...journals].join()
}

/** Size of a database with its journal. */
export function bytesOf(file: string): number {
  return sizeOf(file) + sizeOf(`${file}-wal`)
}

/** Whether there is something in the journal that is not in the database yet. */
export function hasJournal(file: string): boolean {
  return existsSync(file) && sizeOf(`${file}-wal`) > 0
}

function sizeOf(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.size ?? 0
}

export function isWritable(path: string): boolean {
  try {
    accessSync(path, constants.W_OK)
    return true
  } catch {
    return false
  }
}

export function openWriter({ file, synchronous = 'full', isStaging = false }: WriterOptions): Database {
  if (!existsSync(dirname(file))) {
    throw new MemoryError(
      'NOT_FOUND',
      'the parent directory of the database does not exist; create it or change --db',
    )
  }
  if (inspectFile(file) === 'absent' && !existsSync(file)) createPrivate(file)
  // SQLite would silently open it read-only, even after it becomes writable.
  if (!isWritable(file)) throw readOnlyError()
  return preparing(openFile(file), (db) => {
    // busy_timeout first: even setting WAL can meet a lock.
    db.pragma(`busy_timeout = ${BUSY_TIMEOUT_MS}`)
    schemaVersion(db)
    // For a new database, before anything is written to it; an older one takes it over when it is rewritten. Where it is set
    // already, setting it again would write to the file.
    if (db.pragma('auto_vacuum', { simple: true }) !== INCREMENTAL) db.pragma('auto_vacuum = INCREMENTAL')
    db.pragma(`journal_mode = ${isStaging ? 'OFF' : 'WAL'}`)
    db.pragma(`synchronous = ${isStaging ? 'off' : synchronous}`)
    db.pragma('foreign_keys = ON')
    db.pragma('secure_delete = ON')
    setWriteCache(db, isStaging ? 'large' : 'small')
    db.pragma('temp_store = MEMORY')
  })
}

/** A smaller one gives back what it does not hold any more. */
export function setWriteCache(db: Database, size: keyof typeof WRITE_CACHE_KIB): void {
  db.pragma(`cache_size = -${WRITE_CACHE_KIB[size]}`)
}

/** Only its owner may read a memory. SQLite fills an empty file, and its journals take over the file's mode. */
export function createPrivate(file: string): void {
  const flags = constants.O_WRONLY | constants.O_CREAT | NO_LINK
  permitted('READ_ONLY', () => closeSync(openSync(file, flags, 0o600)))
}

/** The space and owner of a handle: one file is one space; its default owner is the local user. */
export function openContext(db: Database, hash: Hash64, now: () => number): Context {
  const row = db
    .prepare<[], Pick<Context, 'spaceId' | 'ownerId' | 'owner'>>(
      'SELECT s.id AS spaceId, o.id AS ownerId, o.name AS owner FROM spaces s JOIN owners o ON o.space_id = s.id ORDER BY s.id, o.id LIMIT 1',
    )
    .get()
  if (!row) throw new MemoryError('CORRUPTED_DATA', 'the database has no space; restore the newest backup')
  return { db, hash, now, ...row }
}
