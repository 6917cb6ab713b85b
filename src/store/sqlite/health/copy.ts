import { rmSync } from 'node:fs'
import { MemoryError } from '../../../core/errors.ts'
import { closing, openHandle } from '../database/driver.ts'
import { translating } from '../database/errors.ts'
import { inspectFile, openReader, schemaVersion } from '../database/open.ts'
import { hasNewestSchema, refuseForeign } from '../database/schema.ts'
import { backUpAsIs } from './backup.ts'
import { checkIntegrity } from './health-file.ts'
import { dropErasedWords, isScrubPending, scrub } from './scrub.ts'

/**
 * Copies a database that is only read: a backup, or the memory of somebody else. What is not one of ours, is from a newer
 * remindb or is damaged is refused, and then there is no copy. `isNewest`: its schema is the newest one, so that all checks
 * can be asked of it.
 */
export function copyDatabase(file: string, copy: string): { isNewest: boolean } {
  if (inspectFile(file) === 'absent')
    throw new MemoryError('NOT_A_DATABASE', 'the file is empty, or not there')
  return translating(() =>
    closing(openReader(file), (db) => {
      if (schemaVersion(db) === 0) throw new MemoryError('NOT_A_DATABASE', 'the database is empty')
      refuseForeign(db)
      if (!checkIntegrity(db).file) throw damaged()
      db.pragma('query_only = OFF')
      backUpAsIs(db, copy, dropErased)
      return { isNewest: hasNewestSchema(db) }
    }),
  )
}

/** A copy that is made by reading has what its original is still to overwrite. */
function dropErased(copy: string): void {
  closing(openHandle(copy), (db) => {
    if (!hasNewestSchema(db) || !isScrubPending(db)) return
    db.pragma('journal_mode = MEMORY')
    if (!(dropErasedWords(db) && scrub(db)))
      throw new MemoryError('UNAVAILABLE', 'erased text cannot be taken out of the copy; is the disk full?')
  })
}

function damaged(): MemoryError {
  return new MemoryError('CORRUPTED_DATA', 'the database file is damaged')
}

/** As `copyDatabase`, for a database that is not a memory: only whether the file is sound is checked. */
export function copyAsIs(file: string, copy: string): void {
  translating(() =>
    closing(openHandle(file, { readonly: true, fileMustExist: true }), (db) => {
      if (db.pragma('quick_check(1)', { simple: true }) !== 'ok') throw damaged()
      backUpAsIs(db, copy)
    }),
  )
}

/** With what SQLite keeps beside it. */
export function removeDatabase(file: string): void {
  for (const end of ['', '-wal', '-shm', '-journal']) rmSync(`${file}${end}`, { force: true })
}
