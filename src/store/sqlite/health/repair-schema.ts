import { rmSync } from 'node:fs'
import type { Database } from 'better-sqlite3'
import { closing, openHandle, withoutDefence } from '../database/driver.ts'
import { isBusy, translating } from '../database/errors.ts'
import { inspectFile, openReader, openWriter } from '../database/open.ts'
import {
  beyondRepair,
  compareSchema,
  describeForeign,
  type ForeignObject,
  hasNewestSchema,
  isOfIndex,
  refuseLostTables,
  SCRUBS,
  type SchemaObject,
} from '../database/schema.ts'
import { backUpAsIs } from './backup.ts'
import { rebuildIndex } from './health-index.ts'
import { dropErasedWords, isScrubPending, scrub } from './scrub.ts'

/** Describes the foreign parts that keep a database from being opened; undefined if there are none. Only the schema is read. */
export function describeForeignIn(file: string): string | undefined {
  if (inspectFile(file) === 'absent') return undefined
  const { foreign } = closing(openReader(file), (db) => translating(() => compareSchema(db)))
  return foreign.length === 0 ? undefined : describeForeign(foreign)
}

/** As `repairSchema`, for a database that cannot be opened because of its foreign parts. */
export function repairSchemaOf(file: string, backup: string): { isBackupCleaned: boolean } {
  return translating(() => closing(openWriter({ file }), (db) => repairSchema(db, backup)))
}

/**
 * Removes what is not ours and makes what is missing, all or nothing, after a copy was written to `backup`. Nothing of it runs:
 * until it is removed, only the schema is read and the file copied. Then what was erased is overwritten. Throws when it cannot be
 * removed; then nothing was changed, and no copy is left, unless the error names it. `isBackupCleaned`: it was removed from the
 * copy, too.
 */
export function repairSchema(db: Database, backup: string): { isBackupCleaned: boolean } {
  // Fail before making a copy.
  refuseBeyondRepair(db)
  refuseLostTables(db)
  let isBackupCleaned = false
  backUpAsIs(db, backup, (part) => {
    isBackupCleaned = tryOnCopy(part)
  })
  repairAfter(db, backup)
  scrubIfPossible(db)
  return { isBackupCleaned }
}

/**
 * Repairs the copy first, which shows whether that can be done, and takes that back: a backup has everything. Unless erasures are
 * pending: the copy would keep the erased words of the search index for ever, so it stays repaired, and the copy is scrubbed.
 * `true`: that was so.
 */
function tryOnCopy(part: string): boolean {
  return closing(openHandle(part), (copy) => {
    // No file beside it that could be left; the copy is worth nothing until it is finished.
    copy.pragma('journal_mode = MEMORY')
    copy.pragma('foreign_keys = OFF')
    copy.exec('BEGIN IMMEDIATE')
    repair(copy)
    const isPending = isScrubPending(copy)
    copy.exec(isPending ? 'COMMIT' : 'ROLLBACK')
    // Only the first rebuilds a damaged index.
    if (isPending && !(dropErasedWords(copy) && scrub(copy)))
      throw new Error('the copy cannot be scrubbed; is the disk full?')
    return isPending
  })
}

function repairAfter(db: Database, backup: string): void {
  db.pragma('foreign_keys = OFF')
  try {
    db.transaction(() => repair(db)).immediate()
  } catch (error) {
    // Nothing was changed, and the next try makes a copy of its own. After any other error it may be needed.
    if (isBusy(error)) rmSync(backup, { force: true })
    else if (error instanceof Error) error.message += `; the backup is ${backup}`
    throw error
  } finally {
    db.pragma('foreign_keys = ON')
  }
}

/** It may be locked, or the index damaged: then it stays pending, and the next checks report it. */
function scrubIfPossible(db: Database): void {
  try {
    scrub(db)
  } catch {
    // The foreign parts are removed, which is the result to report.
  }
}

/** In a transaction, with `foreign_keys` off: dropping a table would follow them. Tables are not recreated: their rows are lost. */
function repair(db: Database): void {
  refuseBeyondRepair(db)
  dropForeign(db, compareSchema(db).foreign)
  makeMissing(db, compareSchema(db).missing)
  const { foreign, missing } = compareSchema(db)
  if (hasNewestSchema(db) && [...missing, ...foreign].some(isOfIndex)) rebuildIndex(db)
  const left = compareSchema(db).foreign
  if (left.length > 0)
    throw new Error(`cannot be removed: ${describeForeign(left)}; do not use this file: restore a backup`)
}

function refuseBeyondRepair(db: Database): void {
  const beyond = beyondRepair(db)
  if (beyond !== undefined) throw new Error(`not tried: ${beyond}`)
}

function dropForeign(db: Database, foreign: readonly ForeignObject[]): void {
  withoutDefence(db, () => {
    for (const object of foreign) if (isVirtual(object) && !object.isChanged) forgetVirtual(db, object)
    // Triggers first, so that none of them fires meanwhile.
    for (const type of ['trigger', 'view', 'index', 'table'])
      for (const { name } of foreign.filter((object) => object.type === type && isDroppable(object)))
        db.exec(`DROP ${type} IF EXISTS "${name.replaceAll('"', '""')}"`)
  })
}

function isDroppable(object: ForeignObject): boolean {
  // Automatic indexes go with their table; the search index is rebuilt as a whole.
  return object.sql !== null && !isVirtual(object) && !(object.isChanged && isOfIndex(object))
}

function isVirtual({ type, sql }: SchemaObject): boolean {
  return type === 'table' && /^\s*create\s+virtual\b/i.test(sql ?? '')
}

/** Dropping it would run its module, or fail without it. Its tables are listed and dropped like others. */
function forgetVirtual(db: Database, { name }: ForeignObject): void {
  db.pragma('writable_schema = ON')
  db.prepare(`DELETE FROM sqlite_schema WHERE type = 'table' AND name = ? AND rootpage = 0`).run(name)
  db.pragma('writable_schema = RESET')
}

function makeMissing(db: Database, missing: readonly SchemaObject[]): void {
  for (const { type, name, sql } of missing)
    if (sql !== null && (type !== 'table' || name === SCRUBS)) db.exec(sql)
  // Which erasures were pending is unknown now: assume one, to be safe.
  if (missing.some(({ name }) => name === SCRUBS))
    db.prepare('INSERT INTO scrubs (requested_at) VALUES (?)').run(Date.now())
}
