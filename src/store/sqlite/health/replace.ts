import { constants, copyFileSync, existsSync, linkSync, lstatSync, renameSync } from 'node:fs'
import { dirname } from 'node:path'
import { hasCode } from '../../../util/error-code.ts'
import { syncFolder } from '../../../util/files/sync.ts'
import { alone } from './alone.ts'

export interface Replacement {
  file: string
  /** A database in the same folder, complete and on disk. It gets the name of the first. */
  staged: string
  /** The name that the first keeps its content under. */
  aside: string
}

/**
 * Replaces a database that nobody has open; throws UNAVAILABLE where somebody has. At every moment there is a whole database
 * of that name, the old one or the new one. `false`: there was none before.
 */
export function replaceDatabase({ file, staged, aside }: Replacement): boolean {
  const isThere = lstatSync(file, { throwIfNoEntry: false }) !== undefined
  if (isThere) alone(file, () => swap({ file, staged, aside }))
  else renameSync(staged, file)
  syncFolder(dirname(file))
  return isThere
}

function swap({ file, staged, aside }: Replacement): void {
  // Only a damaged database still has them. Beside another database they would be taken for its own.
  for (const end of ['-wal', '-shm', '-journal'])
    if (existsSync(`${file}${end}`)) renameSync(`${file}${end}`, `${aside}${end}`)
  keepAs(file, aside)
  renameSync(staged, file)
}

function keepAs(file: string, aside: string): void {
  try {
    linkSync(file, aside)
  } catch (error) {
    if (hasCode(error, 'EEXIST')) throw error
    // Not every file system has links.
    copyFileSync(file, aside, constants.COPYFILE_EXCL)
  }
}
