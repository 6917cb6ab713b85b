import { realpathSync } from 'node:fs'
import { basename, dirname, isAbsolute, join, relative, sep } from 'node:path'

/** Whether `path` is `folder` or below it. Both absolute; real ones where links must not lead out. */
export function isInside(folder: string, path: string): boolean {
  const way = relative(folder, path)
  return way === '' || (!isAbsolute(way) && way !== '..' && !way.startsWith(`..${sep}`))
}

/** The same for paths with `/` below one root; '' is the root itself. */
export function isUnder(folder: string, path: string): boolean {
  return folder === '' || path === folder || path.startsWith(`${folder}/`)
}

/** The path without links. Also for what is not there yet: it has the same name once it is. */
export function realOrSame(path: string): string {
  try {
    return realpathSync(path)
  } catch {
    // Not there, or not to be looked at: the same for whoever only needs a name.
    return dirname(path) === path ? path : join(realOrSame(dirname(path)), basename(path))
  }
}
