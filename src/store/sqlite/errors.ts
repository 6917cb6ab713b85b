import { type ErrorCode, MemoryError } from '../../core/errors.ts'
import { findOutOfFiles, outOfFiles } from '../../core/open-files.ts'
import { isShortOfFiles } from './few-files.ts'

interface Meaning {
  code: ErrorCode
  message: string
}

const CORRUPT: Meaning = {
  code: 'CORRUPTED_DATA',
  message: 'the database is damaged; it was not changed. Keep the file and restore the newest backup',
}
const CORRUPT_INDEX: Meaning = {
  code: 'CORRUPTED_DATA',
  message: 'the search index is damaged; nothing was changed. Rebuild it with `remindb doctor --fix`',
}
/** What SQLite says of an index that lost a part of itself: to it that is no damage. */
const LOST_INDEX = /node_index|invalid fts5 file format/
const READ_ONLY: Meaning = {
  code: 'READ_ONLY',
  message:
    'the database or its folder cannot be written to; nothing was changed. Give write permission to both, or copy them to a place that you can write to',
}
/** For what is found out before SQLite is asked. */
export function readOnlyError(cause: unknown): MemoryError {
  return new MemoryError(READ_ONLY.code, READ_ONLY.message, { cause })
}

const LOCKED: Meaning = {
  code: 'UNAVAILABLE',
  message: 'another process has been writing to the database for too long; nothing was changed. Try again',
}
/** For who waits for a lock as long as it may. */
export function lockedTooLong(): MemoryError {
  return new MemoryError(LOCKED.code, LOCKED.message)
}

const DAMAGED = /^SQLITE_CORRUPT/
const BUSY = /^SQLITE_(BUSY|LOCKED)/
const FULL = /^SQLITE_FULL/
/** What SQLite says when it cannot open one of its files. */
const NOT_OPENED = /^SQLITE_(CANTOPEN|READONLY|IOERR_SHM)/
const MEANINGS: [RegExp, Meaning][] = [
  [
    /^SQLITE_NOTADB/,
    { code: 'NOT_A_DATABASE', message: 'the file is not a remindb database; it was not changed. Check --db' },
  ],
  [/^SQLITE_CORRUPT_VTAB/, CORRUPT_INDEX],
  [DAMAGED, CORRUPT],
  [/^SQLITE_(READONLY|CANTOPEN|PERM|AUTH)/, READ_ONLY],
  [BUSY, LOCKED],
  [
    FULL,
    { code: 'UNAVAILABLE', message: 'the disk is full; nothing was changed. Free some space and try again' },
  ],
  [
    /^SQLITE_IOERR/,
    {
      code: 'UNAVAILABLE',
      message: 'the disk failed to read or write; nothing was changed. Check it and try again',
    },
  ],
]

export function isBusy(error: unknown): boolean {
  return BUSY.test(codeOf(error))
}

export function isCorrupt(error: unknown): boolean {
  return DAMAGED.test(codeOf(error))
}

export function isFull(error: unknown): boolean {
  return FULL.test(codeOf(error))
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : ''
}

/** The engine's errors in the words of the port; anything that is not the engine's is passed on as it is. */
export function translateError(error: unknown): unknown {
  const code = codeOf(error)
  const refused = NOT_OPENED.test(code) && isShortOfFiles() ? outOfFiles(error) : findOutOfFiles(error)
  if (refused) return refused
  const isIndexLost = code === 'SQLITE_ERROR' && LOST_INDEX.test((error as Error).message)
  const meaning = isIndexLost ? CORRUPT_INDEX : MEANINGS.find(([pattern]) => pattern.test(code))?.[1]
  return meaning ? new MemoryError(meaning.code, meaning.message, { cause: error }) : error
}

/** A damaged file or a missing table is something to report, not a reason to stop. Where others are in the way, nothing can be told. */
export function reporting<T>(work: () => T): T {
  try {
    return work()
  } catch (error) {
    if (isBusy(error)) throw translateError(error)
    throw isCorrupt(error) ? new Error('the database file is damaged', { cause: error }) : error
  }
}

export function translating<T>(work: () => T): T {
  try {
    return work()
  } catch (error) {
    throw translateError(error)
  }
}
