import { readdirSync, statSync } from 'node:fs'
import { MemoryError } from '../../core/errors.ts'

/**
 * Throws if `folder` is no longer the same folder. An unmounted disk leaves an empty mount point
 * behind, which would look as if every file had been deleted. A folder whose files were deleted still has its `.remindb`.
 */
export function checkIsSource(folder: string): void {
  const found = statSync(folder, { throwIfNoEntry: false })
  // A compile refuses a missing folder by itself.
  if (!found || (found.isDirectory() && !isEmptyFolder(folder))) return
  const problem = found.isDirectory() ? 'is empty, without even a .remindb' : 'is no longer a folder'
  throw new MemoryError(
    'UNAVAILABLE',
    `the source folder ${folder} ${problem}: is its disk mounted? Nothing was removed; to remove its documents, compile it by hand`,
  )
}

/** False for a path that is not a folder. */
export function isEmptyFolder(folder: string): boolean {
  const isFolder = statSync(folder, { throwIfNoEntry: false })?.isDirectory() === true
  return isFolder && readdirSync(folder).length === 0
}
