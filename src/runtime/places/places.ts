import { existsSync, lstatSync, statSync } from 'node:fs'
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from 'node:path'
import { MemoryError } from '../../core/errors.ts'
import { isInside, realOrSame } from '../../util/files/paths.ts'
import { findLinkIn } from './state-links.ts'

/** Where a memory keeps its things: one place for state, never the current directory by accident. */
export interface Places {
  db: string
  /** The `.remindb` folder. */
  stateFolder: string
  /** The folder that `.remindb` is in: compile roots below it are stored relative to it, so that it can be moved. */
  home: string
  /** True when the database itself is in `.remindb`: home then is the memory's own source. */
  isAtHome: boolean
}

export const STATE_FOLDER = '.remindb'
const DB_NAME = 'memory.db'

/**
 * The places of the database at `db`: a file, or a folder that has (or will have) a `.remindb`. A memory with a source keeps
 * its state with that, wherever the database is.
 */
export function placesOf(db: string, source?: string): Places {
  refuseUrl(db)
  const file = followOwn(fileAt(resolve(db)))
  const folder = dirname(file)
  const isAtHome = basename(folder) === STATE_FOLDER
  const home = isAtHome ? dirname(folder) : folder
  const stateFolder = join(source === undefined ? home : resolve(source), STATE_FOLDER)
  return { db: file, stateFolder, home: realOrSame(home), isAtHome }
}

/** As a path, a URL would become a folder of that name. */
export function refuseUrl(db: string): void {
  const scheme = /^([a-z][a-z0-9+.-]+):\/\//i.exec(db)?.[1]
  if (scheme === undefined) return
  throw new MemoryError(
    'INVALID_INPUT',
    `a memory cannot be opened from ${scheme}://; name a database file, or a folder that has one`,
  )
}

function fileAt(path: string): string {
  if (!isFolder(path)) return path
  return basename(path) === STATE_FOLDER ? join(path, DB_NAME) : join(path, STATE_FOLDER, DB_NAME)
}

/**
 * A link to a database outside `.remindb` is the user's: the real file is meant, with its journals beside it. A link in
 * `.remindb` may have come with a stranger's folder, and is not followed: see `refuseLinkedState`.
 */
function followOwn(file: string): string {
  const isLink = existsSync(file) && lstatSync(file).isSymbolicLink()
  return isLink ? realUnlessLinkedState(file) : file
}

/** The database at a path given by a person. The path of a project means the database in its `.remindb`. */
export function namedDatabaseFile(path: string): string {
  const isProject = isFolder(path) && basename(path) !== STATE_FOLDER
  return isProject ? placesOf(path).db : realUnlessLinkedState(placesOf(path).db)
}

function realUnlessLinkedState(file: string): string {
  return findLinkIn(STATE_FOLDER, file) === undefined ? realOrSame(file) : file
}

function isFolder(path: string): boolean {
  return existsSync(path) && statSync(path).isDirectory()
}

/**
 * Throws if `.remindb` is a symbolic link, or the path to the database goes through one in it, even if named explicitly: a
 * stranger's folder must not lead us out of itself.
 */
export function refuseLinkedState({ db, stateFolder }: Places): void {
  const link = findLinkIn(STATE_FOLDER, stateFolder) ?? findLinkIn(STATE_FOLDER, db)
  if (link === undefined) return
  throw new MemoryError(
    'FORBIDDEN',
    `${link} is a symbolic link, which may have come with the folder; remove it, or name the real file with --db`,
  )
}

/** The nearest memory at or above `folder`, as git finds its repository. Throws if it belongs to another user. */
export function findMemory(folder: string): string | undefined {
  const found = nearestMemory(folder)
  if (!found?.isForeign) return found?.db
  throw new MemoryError(
    'FORBIDDEN',
    `the memory at ${found.db} belongs to another user; name it with --db to use it`,
  )
}

/** As `findMemory`; `isForeign` if another user may have put it there to collect our writes. */
export function nearestMemory(folder: string): { db: string; isForeign: boolean } | undefined {
  const start = resolve(folder)
  for (let at = start; ; at = dirname(at)) {
    const db = join(at, STATE_FOLDER, DB_NAME)
    if (existsSync(db)) return { db, isForeign: at !== start && isOfAnother(dirname(db), start) }
    if (dirname(at) === at) return undefined
  }
}

/** The owner of `start` does not count: in a container that is often neither us nor root. */
function isOfAnother(stateFolder: string, start: string): boolean {
  const us = process.geteuid?.()
  if (us === undefined) return false
  const owner = lstatSync(stateFolder).uid
  return owner !== us && owner !== 0 && owner !== statSync(start, { throwIfNoEntry: false })?.uid
}

/** A compile root and the part of it to compile. */
export interface CompileScope {
  /** As stored: relative to home if it is below it. */
  stored: string
  root: string
  scope: string
  /** Roots inside this one, which were compiled before it existed. */
  absorbs: { root: string; prefix: string }[]
  /** Where links to files may lead: inside the root, and inside the named roots. */
  linksWithin: string
}

export interface KnownRoots {
  /** As stored in the database. They decide the names of files, never which may be read. */
  stored: readonly string[]
  /** Real paths that the operator named. */
  named: readonly string[]
}

/**
 * How to compile `real`, a path without links: always relative to the widest root that contains it, so that compiling a
 * file, a folder or everything gives the same nodes. That is the memory's home, a stored root, or else the folder itself.
 */
export function compileScope(places: Places, real: string, known: KnownRoots): CompileScope {
  const folder = statSync(real, { throwIfNoEntry: false })?.isDirectory() ? real : dirname(real)
  const readable = [...known.named, real]
  const roots = known.stored.map((stored) => ({ stored, path: whereIs(showRoot(places, stored), readable) }))
  const wider = [...(places.isAtHome ? [places.home] : []), ...roots.map((known) => known.path)]
  // The outermost: files that were once compiled from there must not exist twice.
  const [root = folder] = wider
    .filter((candidate) => isInside(candidate, real))
    .sort((a, b) => a.length - b.length)
  const inner = roots.filter((known) => known.path !== root && isInside(root, known.path))
  const absorbs = inner.map((known) => ({
    root: known.stored,
    prefix: toSlashes(relative(root, known.path)),
  }))
  const [widest = real] = readable.filter((one) => isInside(one, real)).sort((a, b) => a.length - b.length)
  return {
    stored: storeRoot(places, root),
    root,
    scope: toSlashes(relative(root, real)),
    absorbs,
    linksWithin: isInside(root, widest) ? widest : root,
  }
}

/** A stored root without links. Only a named one is resolved: others may be anywhere, even on a network. */
function whereIs(root: string, readable: readonly string[]): string {
  return readable.some((one) => isInside(one, root)) ? realOrSame(root) : root
}

/** A stored root as an absolute path; '' (no root) stays ''. */
export function showRoot(places: Places, stored: string): string {
  if (stored === '') return ''
  return isAbsolute(stored) ? stored : resolve(places.home, stored)
}

/** An absolute root in its stored form; one that is already stored stays unchanged. */
export function storeRoot(places: Places, root: string): string {
  if (!isAbsolute(root)) return root
  return isInside(places.home, root) ? toSlashes(relative(places.home, root)) || '.' : root
}

/** As paths are stored. */
export function toSlashes(path: string): string {
  return sep === '/' ? path : path.replaceAll(sep, '/')
}
