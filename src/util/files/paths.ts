import { realpathSync } from 'node:fs'
import { basename, dirname, isAbsolute, join, relative, sep } from 'node:path'

/** Whether `path` is `folder` or below it. Both absolute; real paths where links must not lead out. */
export function isInside(folder: string, path: string): boolean {
  const way = relative(folder, path)
  return way === '' || (!isAbsolute(way) && way !== '..' && !way.startsWith(`..${sep}`))
}

/** The same for paths with `/` below one root; '' is the root itself. */
export function isUnder(folder: string, path: string): boolean {
  return folder === '' || path === folder || path.startsWith(`${folder}/`)
}

/** The path without links. Also for a file that does not exist yet: its name will be the same. */
export function realOrSame(path: string): string {
  try {
    return realpathSync(path)
  } catch {
    // Missing or inaccessible: the same for callers that only need a name.
    return dirname(path) === path ? path : join(realOrSame(dirname(path)), basename(path))
  }
}
