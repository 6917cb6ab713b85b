import { existsSync, statSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { MemoryError } from '../../core/errors.ts'
import { isInside, realOrSame } from '../../util/files/paths.ts'
import { quoted } from '../../util/text/quoted.ts'

/**
 * The real path of a file or folder that a client asked to compile. It must be inside one of `roots`, which are real paths, after links
 * are resolved: a client must not read files outside them. A relative path is resolved from the first root. The
 * answer must not be resolved again: by then a folder may have been replaced by a link.
 */
export function insideRoots(path: string, roots: readonly string[]): string {
  const [first = ''] = roots
  const target = realOrSame(resolve(folderOf(first), path))
  if (!roots.some((root) => isInside(root, target))) throw notNamed(path)
  // Only now: a client must not learn which files exist elsewhere.
  if (!existsSync(target))
    throw new MemoryError('NOT_FOUND', `there is no file or folder ${path} in the source folder`)
  return target
}

/** A root can also be a file. */
function folderOf(root: string): string {
  return statSync(root, { throwIfNoEntry: false })?.isFile() ? dirname(root) : root
}

function notNamed(path: string): MemoryError {
  return new MemoryError(
    'FORBIDDEN',
    `${quoted(path)} is not inside a folder that was named for this memory; to allow it, the person who runs the server runs \`remindb compile <folder>\` once for this database, or starts \`remindb serve --source <folder>\``,
  )
}
