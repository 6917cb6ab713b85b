import { existsSync, realpathSync } from 'node:fs'
import { basename, isAbsolute, join, relative, sep } from 'node:path'
import { nearestMemory } from '../../runtime/places/places.ts'
import { environmentDb, programFolders } from '../../runtime/settings/config.ts'
import { shellWord } from '../../util/text/shell-word.ts'
import type { Context } from './command.ts'
import { shortName } from './databases.ts'

/**
 * Turns `inspect --tree` into what a person can type where they are: with the program as their shell finds it, and with
 * `--db` where it is needed to mean `file`.
 */
export function commandFor(
  context: Pick<Context, 'script' | 'cwd'>,
  file: string,
): (words: string) => string {
  const program = programName(context)
  const db = needsFlag(context.cwd, file)
    ? ` --db ${shellWord(shortestPath(context.cwd, shortName(file)))}`
    : ''
  return (words) => `${program} ${words}${db}`
}

function needsFlag(cwd: string, file: string): boolean {
  if (environmentDb() !== undefined) return true
  const nearest = nearestMemory(cwd)
  return nearest?.db !== file || nearest.isForeign
}

function programName({ script, cwd }: Pick<Context, 'script' | 'cwd'>): string {
  const name = basename(script)
  const isFound = programFolders().some((folder) => isSameFile(join(folder, name), script))
  if (isFound) return name
  const path = shortestPath(cwd, script)
  const direct = path.includes(sep) ? path : `.${sep}${path}`
  return process.platform === 'win32' ? `node ${shellWord(direct)}` : shellWord(direct)
}

function isSameFile(a: string, b: string): boolean {
  return existsSync(a) && existsSync(b) && realpathSync(a) === realpathSync(b)
}

/** `path` from `cwd`, or as it is where that is shorter. */
export function shortestPath(cwd: string, path: string): string {
  const way = relative(cwd, path) || '.'
  return isAbsolute(way) || way.length >= path.length ? path : way
}
