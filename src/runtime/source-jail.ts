import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { MemoryError } from '../core/errors.ts'
import { isInside, realOrSame } from '../util/paths.ts'

/**
 * The real path of what a client asked to compile. It must be inside one of `roots`, whatever links say: a client must not
 * read files that nobody meant for this memory. A relative path is meant from the first root.
 */
export function insideRoots(path: string, roots: readonly string[]): string {
  const real = roots.filter((root) => existsSync(root)).map(realOrSame)
  const [first] = real
  if (first === undefined) {
    throw new MemoryError(
      'FORBIDDEN',
      'this server has no source folder; start it with `remindb serve --source <folder>` to compile files',
    )
  }
  const target = realOrSame(resolve(first, path))
  if (!real.some((root) => isInside(root, target))) {
    throw new MemoryError(
      'FORBIDDEN',
      'the path is outside the source folders of this server; compile what is inside them',
    )
  }
  // Only here is told what is not there: a client must not learn which files exist elsewhere.
  if (!existsSync(target))
    throw new MemoryError('NOT_FOUND', `there is no file or folder ${path} in the source folder`)
  return target
}
