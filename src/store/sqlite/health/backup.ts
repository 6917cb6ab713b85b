import type { Database } from 'better-sqlite3'
import { MemoryError } from '../../../core/errors.ts'
import { hasCode } from '../../../util/error-code.ts'
import { makeNewFile } from '../../../util/files/new-file.ts'
import { permitted } from '../database/open.ts'
import { clearPendingScrubs, dropErasedWords } from './scrub.ts'

/** A copy that has its name only when it is whole and on disk; a name that is taken is refused. */
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
  try {
    permitted('READ_ONLY', () => {
      makeNewFile(file, 'backup', (part) => {
        db.prepare('VACUUM INTO ?').run(part)
        finish?.(part)
      })
    })
  } catch (error) {
    throw explained(error)
  }
}

function explained(error: unknown): unknown {
  const because = (code: 'CONFLICT' | 'NOT_FOUND', message: string): MemoryError =>
    new MemoryError(code, message, { cause: error })
  if (hasCode(error, 'EEXIST'))
    return because('CONFLICT', 'there is a file of that name already; choose another name for the backup')
  if (hasCode(error, 'ENOENT'))
    return because('NOT_FOUND', 'the folder of the backup does not exist; create it or choose another name')
  return error
}
