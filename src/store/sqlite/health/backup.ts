import { linkSync, lstatSync, readdirSync, renameSync, rmSync } from 'node:fs'
import { dirname } from 'node:path'
import type { Database } from 'better-sqlite3'
import { MemoryError } from '../../../core/errors.ts'
import { hasCode } from '../../../util/error-code.ts'
import { partName, removeLeftParts } from '../../../util/files/part-file.ts'
import { syncFile, syncFolder } from '../../../util/files/sync.ts'
import { createPrivate } from '../database/open.ts'
import { clearPendingScrubs, dropErasedWords } from './scrub.ts'

const NO_FOLDER = 'the folder of the backup does not exist; create it or choose another name'

/**
 * A copy that has its name only when it is whole and on disk; a name that is taken is refused. Until then it has another one
 * in the same folder: if this process dies, the next backup there removes it.
 */
export function backUp(db: Database, file: string): void {
  const isCleaned = dropErasedWords(db)
  backUpAsIs(db, file, (part) => {
    if (isCleaned) clearPendingScrubs(part)
  })
}

/**
 * As `backUp`, for a database whose schema is not the newest one of ours: copied as it is. Copying runs no trigger and no
 * view. `finish` may change the copy while it has no name yet; when it throws, no copy is left.
 */
export function backUpAsIs(db: Database, file: string, finish?: (part: string) => void): void {
  if (lstatSync(file, { throwIfNoEntry: false })) throw nameTaken()
  const folder = dirname(file)
  const part = partOf(file)
  createPart(part)
  try {
    removeLeftParts(folder, readdirSync(folder), 'backup')
    db.prepare('VACUUM INTO ?').run(part)
    finish?.(part)
    syncFile(part)
    giveName(part, file)
  } finally {
    rmSync(part, { force: true })
  }
  syncFolder(folder)
}

/** A name beside `file` for what is to become it: the next backup there removes it, if this process dies. */
export function partOf(file: string): string {
  return partName(file, 'backup')
}

/** Ours alone from the beginning. */
function createPart(part: string): void {
  try {
    createPrivate(part, { isNew: true })
  } catch (error) {
    if (hasCode(error, 'ENOENT')) throw new MemoryError('NOT_FOUND', NO_FOLDER, { cause: error })
    throw error
  }
}

/** Renaming would replace what another process has put there meanwhile; linking does not. */
function giveName(part: string, file: string): void {
  try {
    linkSync(part, file)
  } catch (error) {
    if (hasCode(error, 'EEXIST')) throw nameTaken(error)
    // Not every file system has links.
    if (lstatSync(file, { throwIfNoEntry: false })) throw nameTaken(error)
    renameSync(part, file)
  }
}

function nameTaken(cause?: unknown): MemoryError {
  return new MemoryError(
    'CONFLICT',
    'there is a file of that name already; choose another name for the backup',
    { cause },
  )
}
