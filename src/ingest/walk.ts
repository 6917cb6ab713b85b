import { type BigIntStats, lstatSync, realpathSync, statSync } from 'node:fs'
import { extname, join, relative, sep } from 'node:path'
import type { ListedFile } from '../core/compile/source-folder.ts'
import { findOutOfFiles } from '../core/open-files.ts'
import { createBreath } from '../util/breathing.ts'
import { isAbsence } from '../util/files/absence.ts'
import { ReplacedError } from '../util/files/opened.ts'
import { isInside, isUnder } from '../util/files/paths.ts'
import { formatSize } from '../util/text/units.ts'
import { type FindRule, IGNORE_FILE } from './ignore-file.ts'
import { type FolderEntry, listFolder } from './list-folder.ts'

/** Folders of tools and build output: nothing in them was written to be remembered. */
export const SKIPPED_FOLDERS = new Set([
  'Pods',
  '__pycache__',
  'bower_components',
  'dist',
  'node_modules',
  'target',
  'vendor',
  'venv',
])
/** Not even when it is named. */
const STATE_FOLDER = '.remindb'

/** How long a walk may hold the thread before others get a turn. */
const TURN_MS = 10

interface Problem {
  path: string
  reason: string
}

export interface Walk {
  /** By path, in lexical order. */
  files: ListedFile[]
  /** Paths that could not be read, or are too large, and why: they may exist all the same. */
  problems: Problem[]
  /** Paths that were named, but are never compiled. */
  refused: Problem[]
  /** By extension in lower case, without its dot: files of no kind that is read. Hidden and ignored ones do not count. */
  unread: Map<string, number>
}

export interface WalkInput {
  /** A real path: files elsewhere that a link leads to are not listed. */
  root: string
  /** A folder or file below the root to scan, '' for all of it. */
  scope: string
  /** Links to files must not lead out of this folder. Default: the root. */
  linksWithin?: string
  accepts: (path: string) => boolean
  findRule?: FindRule
  /** Larger files are problems. */
  maxFileBytes?: number
  signal?: AbortSignal | undefined
}

/** Lists the files to compile. Links to folders are not followed; links to files count while they stay in the root. */
export async function walk(input: WalkInput): Promise<Walk> {
  const { root, scope, signal } = input
  const found: Walk = { files: [], problems: [], refused: [], unread: new Map() }
  const refusal = refusalOf(input, scope)
  if (refusal !== undefined) {
    found.refused.push({ path: scope, reason: refusal })
    return found
  }
  const breathe = createBreath(TURN_MS, signal)
  const visit = createVisitor(input, found)
  const folders: string[] = []
  if (isFolder(join(root, scope))) folders.push(scope)
  else visit(scope)
  for (let folder = folders.pop(); folder !== undefined; folder = folders.pop()) {
    for (const entry of readFolder(found, root, folder)) {
      const path = folder === '' ? entry.name : `${folder}/${entry.name}`
      if (!entry.isValid) found.problems.push(...invalidName(input, path, entry))
      else if (!entry.isFolder) {
        visit(path)
        if (isUnread(input, path, entry)) countUnread(found, entry.name)
      } else if (!isSkippedFolder(entry.name) && input.findRule?.(`${path}/`) === undefined)
        folders.push(path)
    }
    await breathe()
  }
  found.files.sort((a, b) => (a.path < b.path ? -1 : 1))
  dropTwins(input, found)
  return found
}

function isUnread({ accepts, findRule }: WalkInput, path: string, { name, isFile }: FolderEntry): boolean {
  return isFile && !name.startsWith('.') && !accepts(path) && findRule?.(path) === undefined
}

function countUnread({ unread }: Walk, name: string): void {
  const kind = extname(name).slice(1).toLowerCase()
  unread.set(kind, (unread.get(kind) ?? 0) + 1)
}

/** A file is one document: a link to one that is listed by its own name is left out, and of several links the first by path stays. */
function dropTwins({ scope, accepts }: WalkInput, found: Walk): void {
  const targets = new Set<string>()
  found.files = found.files.filter(({ path, target }) => {
    if (target === undefined) return true
    const isListed = accepts(target) && (isUnder(scope, target) || path === scope)
    const isTwin = isListed || targets.has(target)
    targets.add(target)
    if (isTwin && path === scope) found.refused.push({ path, reason: `is a link to ${target}; compile that` })
    return !isTwin
  })
}

export function isSkippedFolder(name: string): boolean {
  return name.startsWith('.') || SKIPPED_FOLDERS.has(name)
}

/** Whether a walk from `scope` keeps out of a folder that `path` is in. */
export function isInSkippedFolder(scope: string, path: string): boolean {
  const way = isUnder(scope, path) ? path.slice(scope.length) : path
  return way.split('/').slice(0, -1).some(isSkippedFolder)
}

/** Why a scope is not scanned, though it was named. */
function refusalOf({ root, findRule }: WalkInput, scope: string): string | undefined {
  if (scope === '') return undefined
  if (scope.split('/').includes(STATE_FOLDER)) return `is in ${STATE_FOLDER}, which is never compiled`
  const line = findRule?.(isFolder(join(root, scope)) ? `${scope}/` : scope)
  return line === undefined ? undefined : `is ignored by ${IGNORE_FILE}, line ${line}`
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true
}

/** Only for paths that would be scanned. */
function invalidName({ accepts }: WalkInput, path: string, { name, isFolder }: FolderEntry): Problem[] {
  const isOfInterest = isFolder ? !isSkippedFolder(name) : accepts(path)
  return isOfInterest ? [{ path, reason: 'has a name that is not valid UTF-8; rename it' }] : []
}

function readFolder(found: Walk, root: string, folder: string): FolderEntry[] {
  try {
    return listFolder(join(root, folder))
  } catch (error) {
    // Not a problem of this folder, and the next one would have it too.
    const outOfFiles = findOutOfFiles(error)
    if (outOfFiles) throw outOfFiles
    found.problems.push({ path: folder || '.', reason: unreadable(error) })
    return []
  }
}

function createVisitor(input: WalkInput, found: Walk): (path: string) => void {
  const { accepts, findRule, maxFileBytes = Number.POSITIVE_INFINITY } = input
  return (path) => {
    if (!accepts(path) || findRule?.(path) !== undefined) return
    try {
      const file = lookAt(input, path)
      if (!file) return
      if ('reason' in file) found.problems.push(file)
      else if (file.sizeBytes <= maxFileBytes) found.files.push(file)
      else found.problems.push({ path, reason: tooLarge(file.sizeBytes, maxFileBytes) })
    } catch (error) {
      // A broken link, or a file that disappeared meanwhile, does not exist.
      if (!isAbsence(error)) found.problems.push({ path, reason: unreadable(error) })
    }
  }
}

/** Undefined for anything that is not a file, and for a link to an ignored file. */
function lookAt(input: WalkInput, path: string): ListedFile | Problem | undefined {
  const { root, linksWithin = root } = input
  const file = join(root, path)
  const stats = lstatSync(file, { bigint: true })
  if (!stats.isSymbolicLink()) return stats.isFile() ? toListed(path, stats) : undefined
  const real = realpathSync(file)
  if (!isInside(linksWithin, real)) return { path, reason: 'is a link that leaves the folder' }
  const target = toPath(root, real)
  const found = statSync(real, { bigint: true })
  return found.isFile() && !isLeftOut(input, target) ? { ...toListed(path, found), target } : undefined
}

/** An ignored file is not listed under another name. */
function isLeftOut({ scope, findRule }: WalkInput, target: string): boolean {
  return isInSkippedFolder(scope, target) || findRule?.(target) !== undefined
}

function toPath(root: string, file: string): string {
  const path = relative(root, file)
  return sep === '/' ? path : path.replaceAll(sep, '/')
}

function toListed(path: string, stats: BigIntStats): ListedFile {
  const { size, mtimeNs, ctimeNs, ino } = stats
  return {
    path,
    sizeBytes: Number(size),
    modifiedAt: Number(mtimeNs / 1000n),
    changedAt: Number(ctimeNs / 1000n),
    inode: String(ino),
  }
}

/** `format`: too large for this format, regardless of the settings. */
export function tooLarge(sizeBytes: number, maxFileBytes: number, format?: string): string {
  const limit = format === undefined ? 'compile.max_file_size' : `any ${format} file that is read`
  return `is larger than ${limit} (${formatSize(sizeBytes)} > ${formatSize(maxFileBytes)})`
}

export function unreadable(error: unknown): string {
  if (error instanceof ReplacedError) return 'was replaced while the folder was read; compile again'
  return `cannot be read (${error instanceof Error && 'code' in error ? error.code : 'unknown reason'})`
}
