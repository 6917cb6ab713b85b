import { existsSync, realpathSync } from 'node:fs'
import { basename, isAbsolute, join, relative, sep } from 'node:path'
import { nearestMemory } from '../../runtime/places/places.ts'
import { environmentDb, environmentSpace, programFolders } from '../../runtime/settings/config.ts'
import { shellWord } from '../../util/text/shell-word.ts'
import type { Context, MemoryFlags } from './command.ts'
import { shortName } from './databases.ts'
import { namedMemory } from './which-memory.ts'

type Where = Pick<Context, 'script' | 'cwd'> & MemoryFlags

/**
 * Turns `inspect --tree` into a command line for the current folder: with the program as the shell finds it, and with
 * `--db` if it is needed to mean `file`, or with the flags that named its space.
 */
export function commandFor(context: Where, file: string): (words: string) => string {
  const program = programName(context)
  const flags = namedMemory(context)?.kind === 'space' ? spaceFlags(context) : databaseFlag(context, file)
  return (words) => [program, words, ...flags].join(' ')
}

/** A memory named by the environment needs no flag. */
function spaceFlags({ spaces, space }: MemoryFlags): string[] {
  return Object.entries({ spaces, space }).flatMap(([name, value]) =>
    value === undefined ? [] : [`--${name} ${shellWord(value)}`],
  )
}

function databaseFlag(context: Where, file: string): string[] {
  if (!needsFlag(context.cwd, file)) return []
  return [`--db ${shellWord(shortestPath(context.cwd, shortName(file)))}`]
}

function needsFlag(cwd: string, file: string): boolean {
  if (environmentDb() !== undefined || environmentSpace().spaces !== undefined) return true
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

/** `path` relative to `cwd`, or unchanged if that is shorter. */
export function shortestPath(cwd: string, path: string): string {
  const way = relative(cwd, path) || '.'
  return isAbsolute(way) || way.length >= path.length ? path : way
}
