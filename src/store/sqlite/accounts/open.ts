import type { Database } from 'better-sqlite3'
import { MemoryError } from '../../../core/errors.ts'
import { preparing } from '../database/driver.ts'
import { readOnlyError, translating } from '../database/errors.ts'
import { BUSY_TIMEOUT_MS, createPrivate, inspectFile, isWritable, openFile } from '../database/open.ts'
import { createSchema, isBlank } from './schema.ts'

export interface AccountFile {
  file: string
  /** What to do when there is none yet. Default: refuse, so that a typing error creates nothing. */
  create?: boolean
}

/** The one handle of a process on its accounts. */
export function openAccountsFile({ file, create = false }: AccountFile): Database {
  if (inspectFile(file) === 'absent') {
    if (!create)
      throw new MemoryError(
        'NOT_FOUND',
        'there are no spaces here yet; create one with `remindb spaces create NAME`, or check --spaces',
      )
    createPrivate(file)
  }
  if (!isWritable(file)) throw readOnlyError()
  return translating(() => preparing(openFile(file), prepare))
}

function prepare(db: Database): void {
  // First: even setting WAL can meet a lock.
  db.pragma(`busy_timeout = ${BUSY_TIMEOUT_MS}`)
  // Before anything is changed: it may not be ours.
  isBlank(db)
  db.pragma('journal_mode = WAL')
  db.pragma('synchronous = FULL')
  db.pragma('foreign_keys = ON')
  db.pragma('secure_delete = ON')
  createSchema(db)
  // From here on whoever waits for another process lets this one go on: see `begin`.
  db.pragma('busy_timeout = 0')
}
