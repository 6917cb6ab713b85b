import { existsSync, realpathSync, statSync } from 'node:fs'
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from 'node:path'
import { MemoryError } from '../core/errors.ts'

/** Where a memory keeps its things: one place for state, never the current directory by accident. */
export interface Places {
  db: string
  /** The `.remindb` folder. */
  stateFolder: string
  /** The folder that `.remindb` is in: compile roots below it are stored relative to it, so that it can be moved. */
  home: string
}

export const STATE_FOLDER = '.remindb'
const DB_NAME = 'memory.db'

/** The places of the database at `db`: a file, or a folder that has (or will have) a `.remindb`. */
export function placesOf(db: string): Places {
  const path = resolve(db)
  const isFolder = existsSync(path) && statSync(path).isDirectory()
  const file = isFolder
    ? basename(path) === STATE_FOLDER
      ? join(path, DB_NAME)
      : join(path, STATE_FOLDER, DB_NAME)
    : path
  const folder = dirname(file)
  const home = basename(folder) === STATE_FOLDER ? dirname(folder) : folder
  return { db: file, stateFolder: join(home, STATE_FOLDER), home: realOrSame(home) }
}

/** The nearest memory at or above `folder`, as git finds its repository. */
export function findMemory(folder: string): string | undefined {
  for (let at = resolve(folder); ; at = dirname(at)) {
    const db = join(at, STATE_FOLDER, DB_NAME)
    if (existsSync(db)) return db
    if (dirname(at) === at) return undefined
  }
}

/** A compile root and what below it to compile. */
export interface CompileScope {
  /** As stored: relative to home where it is below it. */
  stored: string
  root: string
  scope: string
}

/**
 * What compiling `path` means: always in terms of the widest root that holds it, so that compiling a file, a folder or
 * everything gives the same nodes.
 */
export function compileScope(places: Places, path: string, storedRoots: readonly string[]): CompileScope {
  const target = resolve(path)
  if (!existsSync(target)) throw new MemoryError('NOT_FOUND', `there is no file or folder ${path}`)
  const real = realpathSync(target)
  const folder = statSync(real).isDirectory() ? real : dirname(real)
  const candidates = [places.home, ...storedRoots.map((stored) => showRoot(places, stored)), folder]
  const root = candidates.map(realOrSame).find((candidate) => isWithin(candidate, real)) ?? folder
  return { stored: storeRoot(places, root), root, scope: toSlashes(relative(root, real)) }
}

/** A stored root as an absolute path; '' (no root) stays ''. */
export function showRoot(places: Places, stored: string): string {
  if (stored === '') return ''
  return isAbsolute(stored) ? stored : resolve(places.home, stored)
}

/** An absolute root as it is stored; one that is stored already stays as it is. */
export function storeRoot(places: Places, root: string): string {
  if (!isAbsolute(root)) return root
  return isWithin(places.home, root) ? toSlashes(relative(places.home, root)) || '.' : root
}

function isWithin(folder: string, path: string): boolean {
  const way = relative(folder, path)
  return way === '' || (!isAbsolute(way) && way !== '..' && !way.startsWith(`..${sep}`))
}

function toSlashes(path: string): string {
  return sep === '/' ? path : path.replaceAll(sep, '/')
}

function realOrSame(path: string): string {
  return existsSync(path) ? realpathSync(path) : path
}
