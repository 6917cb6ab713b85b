import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { MemoryError } from '../core/errors.ts'
import { findOutOfFiles } from '../core/open-files.ts'

/** Makes `.remindb`, for its owner alone. What people write themselves may be shared; nothing else of it by accident. */
export function createStateFolder(stateFolder: string): void {
  try {
    mkdirSync(stateFolder, { recursive: true, mode: 0o700 })
    const ignoreFile = join(stateFolder, '.gitignore')
    if (!existsSync(ignoreFile)) writeFileSync(ignoreFile, '*\n!config.json\n!ignore\n!temperatures.json\n')
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
