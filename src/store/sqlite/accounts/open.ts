import type { Database } from 'better-sqlite3'
import { MemoryError } from '../../../core/errors.ts'
import { rememberIdentity } from '../../../util/files/file-identity.ts'
import { preparing } from '../database/driver.ts'
import { readOnlyError, translating } from '../database/errors.ts'
import { BUSY_TIMEOUT_MS, createPrivate, inspectFile, isWritable, openFile } from '../database/open.ts'
import { isOutdated, updateSchema } from './schema.ts'

export interface AccountFile {
  file: string
  /** What to do when there is none yet. Default: refuse, so that a typing error creates nothing. */
  create?: boolean
}

export interface OpenedAccounts {
  db: Database
  /** Whether the file was deleted, moved or replaced; once it was, it stays lost. Others would change a file that this handle never reads. */
  isLost(): boolean
}

/** The one handle of a process on its accounts. */
export function openAccountsFile({ file, create = false }: AccountFile): OpenedAccounts {
  if (inspectFile(file) === 'absent') {
    if (!create)
      throw new MemoryError(
        'NOT_FOUND',
        'there are no spaces here yet; create one with `remindb spaces create NAME`, or check --spaces',
      )
    createPrivate(file)
  }
  if (!isWritable(file)) throw readOnlyError()
  // First: a file that is replaced meanwhile is lost from the start.
  const isSame = rememberIdentity(file)
  let wasLost = false
  return {
    db: translating(() => preparing(openFile(file), prepare)),
    isLost() {
      wasLost ||= !isSame()
      return wasLost
    },
  }
}

export function lostError(): MemoryError {
  return new MemoryError(
    'UNAVAILABLE',
    'auth.db was deleted, moved or replaced while it was open; restart the server',
  )
}

function prepare(db: Database): void {
  // First: even setting WAL can meet a lock.
  db.pragma(`busy_timeout = ${BUSY_TIMEOUT_MS}`)
  const mustUpdate = isOutdated(db)
  db.pragma('journal_mode = WAL')
  db.pragma('synchronous = FULL')
  db.pragma('foreign_keys = ON')
  db.pragma('secure_delete = ON')
  if (mustUpdate) updateSchema(db)
  // From here on whoever waits for another process lets this one go on: see `begin`.
  db.pragma('busy_timeout = 0')
}
