import { chmodSync, lstatSync, mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { MemoryError } from '../../core/errors.ts'
import { findOutOfFiles } from '../../core/open-files.ts'
import { hasCode } from '../../util/error-code.ts'
import { refuseLinks } from '../../util/files/within-folder.ts'

/** Creates `.remindb` for its owner only, even one that came with a clone. Files written by people may be shared; nothing else by accident. */
export function createStateFolder(stateFolder: string): void {
  try {
    refuseLinks(stateFolder, stateFolder)
    mkdirSync(stateFolder, { recursive: true, mode: 0o700 })
    makePrivate(stateFolder)
    writeOnce(join(stateFolder, '.gitignore'), '*\n!config.json\n!ignore\n!temperatures.json\n')
  } catch (error) {
    const outOfFiles = findOutOfFiles(error)
    if (outOfFiles) throw outOfFiles
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'unexpected'
    throw new MemoryError(
      'FORBIDDEN',
      `the folder ${stateFolder} cannot be made or written to (${code}); make that possible, or name a database elsewhere with --db`,
      { cause: error },
    )
  }
}

/**
 * Closes a `.remindb` with a database, which may have come with a clone, to other users. The folder first: then nobody else can
 * replace its files. If that fails, everything stays unchanged.
 */
export function closeToOthers(db: string): void {
  for (const path of [dirname(db), db, `${db}-wal`, `${db}-shm`, `${db}-journal`]) {
    try {
      makePrivate(path)
    } catch {
      // Not there, or on a disk that has no permissions or is read-only: no reason not to use it.
    }
  }
}

/**
 * The owner's own rights stay unchanged: a folder may be read-only on purpose. By name, as to close a handle of a database
 * would end the locks that this process has on it.
 */
function makePrivate(path: string): void {
  const stats = lstatSync(path)
  const isOurs = process.getuid === undefined || process.getuid() === stats.uid
  if (!isOurs || (stats.mode & 0o077) === 0) return
  if (stats.isDirectory()) chmodSync(path, stats.mode & 0o700)
  else if (stats.isFile()) chmodSync(path, stats.mode & 0o600)
}

/** Keeps an existing file, or a link. */
function writeOnce(file: string, text: string): void {
  try {
    writeFileSync(file, text, { flag: 'wx', mode: 0o600 })
  } catch (error) {
    if (!hasCode(error, 'EEXIST')) throw error
  }
}
