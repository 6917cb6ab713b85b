import { rmSync } from 'node:fs'
import type { Database } from 'better-sqlite3'
import { backUpAsIs } from './backup.ts'
import { openHandle } from './driver.ts'
import { isBusy, translating } from './errors.ts'
import { beyondRepair, describeForeign, dropForeign, findForeign } from './foreign-objects.ts'
import { refuseLostTables } from './health-expected.ts'
import { makeSchemaOurs } from './health-schema.ts'
import { NEWEST_SCHEMA } from './migrations/index.ts'
import { inspectFile, openReader, openWriter, schemaVersion } from './open.ts'
import { dropErasedWords, isScrubPending, scrub } from './scrub.ts'

/** What is in a database that cannot be opened for it, in words; undefined when there is nothing. Only the schema is read. */
export function describeForeignIn(file: string): string | undefined {
  if (inspectFile(file) === 'absent') return undefined
  const db = openReader(file)
  try {
    const found = translating(() => findForeign(db, schemaVersion(db)))
    return found.length === 0 ? undefined : describeForeign(found)
  } finally {
    db.close()
  }
}

/** As `removeForeign`, for a database that cannot be opened for what is in it. */
export function removeForeignFrom(file: string, backup: string): { isBackupCleaned: boolean } {
  const db = translating(() => openWriter({ file }))
  try {
    return translating(() => removeForeign(db, backup))
  } finally {
    db.close()
  }
}

/**
 * Removes it, all or nothing, after a copy was written to `backup`. Nothing of it runs: until it is removed, only the schema
 * is read and the file copied. Then what was erased is overwritten. Throws when it cannot be removed; then nothing was
 * changed, and no copy is left, unless the error names it. `isBackupCleaned`: it was removed from the copy, too.
 */
export function removeForeign(db: Database, backup: string): { isBackupCleaned: boolean } {
  const version = schemaVersion(db)
  const found = findForeign(db, version)
  // What is known to fail needs no copy.
  if (found.length === 0) refuseLostTables(db)
  const beyond = beyondRepair(db, found, version)
  if (beyond !== undefined) throw new Error(`not tried: ${beyond}`)
  let isBackupCleaned = false
  backUpAsIs(db, backup, (part) => {
    isBackupCleaned = tryOnCopy(part)
  })
  removeAfter(db, backup)
  scrubIfPossible(db)
  return { isBackupCleaned }
}

/**
 * Removes it from the copy first, which shows whether that can be done, and takes that back: a backup has everything. Unless
 * erasures are pending: the copy would keep the erased words of the search index for ever, so it stays removed, and the copy
 * is scrubbed. `true`: that was so.
 */
function tryOnCopy(part: string): boolean {
  const copy = openHandle(part)
  try {
    // No file beside it that could be left; the copy is worth nothing until it is finished.
    copy.pragma('journal_mode = MEMORY')
    copy.pragma('foreign_keys = OFF')
    copy.exec('BEGIN IMMEDIATE')
    remove(copy)
    const isPending = isScrubPending(copy)
    copy.exec(isPending ? 'COMMIT' : 'ROLLBACK')
    // The first makes a damaged index again, which the second cannot.
    if (isPending && !(dropErasedWords(copy) && scrub(copy)))
      throw new Error('the copy cannot be scrubbed; is the disk full?')
    return isPending
  } finally {
    copy.close()
  }
}

function removeAfter(db: Database, backup: string): void {
  db.pragma('foreign_keys = OFF')
  try {
    db.transaction(() => remove(db)).immediate()
  } catch (error) {
    // Nothing was changed, and the next try makes a copy of its own. After any other error it may be needed.
    if (isBusy(error)) rmSync(backup, { force: true })
    else if (error instanceof Error) error.message += `; the backup is ${backup}`
    throw error
  } finally {
    db.pragma('foreign_keys = ON')
  }
}

/** Others may be in the way, or the index is damaged: then it stays pending, and the checks that follow say so. */
function scrubIfPossible(db: Database): void {
  try {
    scrub(db)
  } catch {
    // The parts are removed, and that is what is to be reported.
  }
}

/** In a transaction, with `foreign_keys` off: dropping a table would follow them. */
function remove(db: Database): void {
  const version = schemaVersion(db)
  if (version < NEWEST_SCHEMA) dropForeign(db, version)
  else makeSchemaOurs({ db })
  const left = findForeign(db, version)
  if (left.length > 0)
    throw new Error(`cannot be removed: ${describeForeign(left)}; do not use this file: restore a backup`)
}
