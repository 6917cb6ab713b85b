import { lstatSync } from 'node:fs'
import { isAbsolute, join } from 'node:path'
import type { ParsedSetting } from './setting-values.ts'

/** Not the name of anything else that is in `.remindb`: a database that log records were appended to is damaged. */
const NAME = /^[^/\\]*[^/\\.][^/\\]*\.log$/

/**
 * Where the folder itself may have the log: below `.remindb`, without links, which could lead anywhere. Both separators are
 * looked at on every system: the same folder is used on several.
 */
export function logInside(raw: unknown, stateFolder: string): ParsedSetting {
  const refused = { refused: 'the path of a .log file inside .remindb, without links' }
  if (typeof raw !== 'string' || isAbsolute(raw) || raw.includes(':')) return refused
  const parts = raw.split(/[/\\]/)
  const isBelow = parts.every((part) => part !== '' && part !== '.' && part !== '..')
  if (raw === 'stderr') return { value: raw }
  if (!isBelow || !NAME.test(parts.at(-1) ?? '')) return refused
  const paths = parts.map((_, at) => join(stateFolder, ...parts.slice(0, at + 1)))
  return paths.some(isLink) ? refused : { value: raw }
}

function isLink(path: string): boolean {
  try {
    return lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() ?? false
  } catch {
    // Below a file, or inaccessible: writing the log will report why.
    return false
  }
}
