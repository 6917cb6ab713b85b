import { isAbsolute, relative, sep } from 'node:path'

/** Whether `path` is `folder` or below it. Both absolute; real ones where links must not lead out. */
export function isInside(folder: string, path: string): boolean {
  const way = relative(folder, path)
  return way === '' || (!isAbsolute(way) && way !== '..' && !way.startsWith(`..${sep}`))
}

/** The same for paths with `/` below one root; '' is the root itself. */
export function isUnder(folder: string, path: string): boolean {
  return folder === '' || path === folder || path.startsWith(`${folder}/`)
}
