import { readdirSync, statSync } from 'node:fs'
import { MemoryError } from '../../core/errors.ts'

/**
 * Fails when `folder` is something else than the folder that it was. A disk that is not mounted leaves an empty folder
 * behind: taken at its word, it would say that every file was deleted. Where files were deleted, `.remindb` is left.
 */
export function checkIsSource(folder: string): void {
  const found = statSync(folder, { throwIfNoEntry: false })
  // What is not there at all, a compile refuses by itself.
  if (!found || (found.isDirectory() && !isEmptyFolder(folder))) return
  const problem = found.isDirectory() ? 'has nothing in it, not even .remindb' : 'is no longer a folder'
  throw new MemoryError(
    'UNAVAILABLE',
    `the source folder ${folder} ${problem}: is its disk mounted? Nothing was removed; to remove what came from it, compile it by hand`,
  )
}

/** False for what is no folder. */
export function isEmptyFolder(folder: string): boolean {
  const isFolder = statSync(folder, { throwIfNoEntry: false })?.isDirectory() === true
  return isFolder && readdirSync(folder).length === 0
}
