import { readdirSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { MemoryError } from '../../core/errors.ts'
import type { FileMaintenance, Maintenance } from '../../core/port/store.ts'
import { backupName, backupPrefix } from '../../util/files/backup-name.ts'
import type { Places } from './places.ts'

interface BackupDeps {
  places: Places
  now: () => number
}

/** A copy made by `copy`, by default beside the database under a name with the time. Returns its name. */
export async function backUp(
  { places, now }: BackupDeps,
  copy: FileMaintenance['backup'],
  file: string = backupName(places.db, now()),
): Promise<string> {
  await copy(file)
  return file
}

/** Backups need files: a memory without any has none. */
export function filesOf({ files }: Pick<Maintenance, 'files'>): FileMaintenance {
  if (files) return files
  throw new MemoryError('FORBIDDEN', 'this memory has no file to copy; export it instead')
}

/** Copies beside the database, including unfinished ones: they may hold erased text. */
export function listBackups(places: Places): string[] {
  const prefix = basename(backupPrefix(places.db))
  return readdirSync(dirname(places.db))
    .filter((name) => name.startsWith(prefix) || name.startsWith(`.${prefix}`))
    .map((name) => join(dirname(places.db), name))
    .sort()
}
