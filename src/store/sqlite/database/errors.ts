import { closeSync, openSync } from 'node:fs'
import { devNull } from 'node:os'
import { type ErrorCode, MemoryError } from '../../../core/errors.ts'
import { findOutOfFiles, outOfFiles } from '../../../core/open-files.ts'

type Meaning = readonly [code: ErrorCode, message: string]

const CORRUPT_INDEX: Meaning = [
  'CORRUPTED_DATA',
  'the search index is damaged; nothing was changed. Rebuild it with `remindb doctor --fix`',
]
/** SQLite's message for an index that has lost a part; it does not count that as corruption. */
const LOST_INDEX = /node_index|invalid fts5 file format/
const READ_ONLY: Meaning = [
  'READ_ONLY',
  'the database or its folder cannot be written to; nothing was changed. Give write permission to both, or copy them to a place that you can write to',
]
const LOCKED: Meaning = [
  'UNAVAILABLE',
  'another process has been writing to the database for too long; nothing was changed. Try again',
]

const DAMAGED = /^SQLITE_CORRUPT/
const BUSY = /^SQLITE_(BUSY|LOCKED)/
const FULL = /^SQLITE_FULL/
/** Codes of SQLite when it cannot open one of its files. */
const NOT_OPENED = /^SQLITE_(CANTOPEN|READONLY|IOERR_SHM)/
const MEANINGS: [RegExp, Meaning][] = [
  [
    /^SQLITE_NOTADB/,
    ['NOT_A_DATABASE', 'the file is not a remindb database; it was not changed. Check --db'],
  ],
  [/^SQLITE_CORRUPT_VTAB/, CORRUPT_INDEX],
  [
    DAMAGED,
    [
      'CORRUPTED_DATA',
      'the database is damaged; it was not changed. Keep the file and restore the newest backup',
    ],
  ],
  [/^SQLITE_(READONLY|CANTOPEN|PERM|AUTH)/, READ_ONLY],
  [BUSY, LOCKED],
  [FULL, ['UNAVAILABLE', 'the disk is full; nothing was changed. Free some space and try again']],
  [
    /^SQLITE_IOERR/,
    ['UNAVAILABLE', 'the disk failed to read or write; nothing was changed. Check it and try again'],
  ],
]

function meaning([code, message]: Meaning, cause?: unknown): MemoryError {
  return new MemoryError(code, message, { cause })
}

/** For a refusal that is known before SQLite is called. */
export function readOnlyError(): MemoryError {
  return meaning(READ_ONLY)
}

/** For a write that has waited for a lock until its deadline. */
export function lockedTooLong(): MemoryError {
  return meaning(LOCKED)
}

export function isBusy(error: unknown): boolean {
  return BUSY.test(codeOf(error))
}

export function isCorrupt(error: unknown): boolean {
  return DAMAGED.test(codeOf(error))
}

export function isFull(error: unknown): boolean {
  return FULL.test(codeOf(error))
}

export function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : ''
}

/** Translates errors of SQLite to errors of the port; others are returned unchanged. */
export function translateError(error: unknown): unknown {
  const code = codeOf(error)
  const refused = NOT_OPENED.test(code) && isShortOfFiles() ? outOfFiles(error) : findOutOfFiles(error)
  if (refused) return refused
  const isIndexLost = code === 'SQLITE_ERROR' && LOST_INDEX.test((error as Error).message)
  const found = isIndexLost ? CORRUPT_INDEX : MEANINGS.find(([pattern]) => pattern.test(code))?.[1]
  return found ? meaning(found, error) : error
}

/** Files that one handle opens: the database, its journal, its shared memory, and briefly a folder. */
const FILES_OF_A_HANDLE = 4

/** Whether the process is out of file descriptors. SQLite reports only that it cannot open a file. */
function isShortOfFiles(): boolean {
  const opened: number[] = []
  try {
    while (opened.length < FILES_OF_A_HANDLE) opened.push(openSync(devNull, 'r'))
    return false
  } catch (error) {
    return findOutOfFiles(error) !== undefined
  } finally {
    for (const handle of opened) closeSync(handle)
  }
}

export function translating<T>(work: () => T): T {
  try {
    return work()
  } catch (error) {
    throw translateError(error)
  }
}

/** A damaged file or a missing table is something to report, not a reason to stop. While the database is locked, nothing can be reported. */
export function reporting<T>(work: () => T): T {
  try {
    return work()
  } catch (error) {
    if (isBusy(error)) throw translateError(error)
    throw isCorrupt(error) ? new Error('the database file is damaged', { cause: error }) : error
  }
}
