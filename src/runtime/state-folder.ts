import { chmodSync, lstatSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { MemoryError } from '../core/errors.ts'
import { findOutOfFiles } from '../core/open-files.ts'
import { hasCode } from '../util/error-code.ts'
import { refuseLinks } from '../util/within-folder.ts'

/** Makes `.remindb`, for its owner alone, also one that came with a clone. What people write themselves may be shared; nothing else of it by accident. */
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

/** The owner's own rights stay as they are: a folder may be read-only on purpose. */
function makePrivate(folder: string): void {
  const { mode, uid } = lstatSync(folder)
  const isOurs = process.getuid === undefined || process.getuid() === uid
  if (isOurs && (mode & 0o077) !== 0) chmodSync(folder, mode & 0o700)
}

/** What is there already stays, a link too. */
function writeOnce(file: string, text: string): void {
  try {
    writeFileSync(file, text, { flag: 'wx', mode: 0o600 })
  } catch (error) {
    if (!hasCode(error, 'EEXIST')) throw error
  }
}
