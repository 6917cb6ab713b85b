import { existsSync, realpathSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import { MemoryError } from '../../core/errors.ts'
import { removeDatabase } from '../../store/sqlite/health/copy.ts'
import { replaceDatabase } from '../../store/sqlite/health/replace.ts'
import { backupName } from '../../util/files/backup-name.ts'
import { partName } from '../../util/files/part-file.ts'
import { copyChecked } from '../memory/copy-checked.ts'
import { placesOf, refuseLinkedState } from '../places/places.ts'
import { createStateFolder } from '../places/state-folder.ts'
import { keepEnd, keptEnd, recordRestored } from './restored-audit.ts'

export interface RestoreMemoryInput {
  /** The file to restore from. It stays as it is. */
  backup: string
  db: string
  now: number
}

export interface RestoredMemory {
  db: string
  /** What was in its place; null: nothing. */
  aside: string | null
}

/**
 * Puts a copy of a backup in the place of a database, which is kept under a name with the time. The copy is checked first.
 * Throws, and changes nothing, where another process has the database open. A process that is killed meanwhile leaves the old
 * database or the new one.
 */
export async function restoreMemory({ backup, db, now }: RestoreMemoryInput): Promise<RestoredMemory> {
  const places = placesOf(db)
  refuseLinkedState(places)
  refuseSame(backup, places.db)
  makeFolder(places)
  const aside = backupName(places.db, now)
  const staged = partName(aside, 'backup')
  try {
    const { isNewest } = await copyChecked(backup, staged, { name: backup })
    const folder = dirname(places.db)
    // Before there was an audit, the schema was an older one.
    const end = isNewest ? await recordRestored({ db: staged, replaced: keptEnd(folder), now }) : undefined
    const wasThere = replaceDatabase({ file: places.db, staged, aside })
    await keepEnd(folder, end)
    return { db: places.db, aside: wasThere ? aside : null }
  } finally {
    removeDatabase(staged)
  }
}

function refuseSame(backup: string, db: string): void {
  if (!statSync(backup, { throwIfNoEntry: false }))
    throw new MemoryError('NOT_FOUND', `there is no file ${backup}`)
  if (existsSync(db) && realpathSync(backup) === realpathSync(db))
    throw new MemoryError('INVALID_INPUT', `${backup} is the memory itself; name a backup of it`)
}

function makeFolder({ db, stateFolder }: { db: string; stateFolder: string }): void {
  const folder = dirname(db)
  if (folder === stateFolder) createStateFolder(stateFolder)
  else if (!existsSync(folder))
    throw new MemoryError('NOT_FOUND', `there is no folder ${folder}; create it first`)
}
