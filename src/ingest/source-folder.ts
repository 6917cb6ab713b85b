import { lstatSync } from 'node:fs'
import { join } from 'node:path'
import type { SourceFolder } from '../core/compile/source-folder.ts'
import { isAbsence } from '../util/files/absence.ts'
import { isUnder } from '../util/files/paths.ts'
import { type FindRule, readIgnoreFile } from './ignore-file.ts'
import { type LoadOptions, parserOf } from './load-file.ts'
import { loadFiles } from './parse-pool.ts'
import { findParser } from './parsers.ts'
import { isInSkippedFolder, type Walk, walk } from './walk.ts'

export interface SourceFolderOptions extends Pick<LoadOptions, 'root' | 'maxNodeTokens' | 'redaction'> {
  scope: string
  /** A real folder at or below the root that links to files must not lead out of. Default: the root. */
  linksWithin?: string
  /** Larger files are reported and skipped. Default: none is too large. */
  maxFileBytes?: number
  /** Threads that parse. Default: one. */
  maxThreads?: number
  signal?: AbortSignal | undefined
}

/** A folder on disk as `compile` sees it. */
export function openSourceFolder(options: SourceFolderOptions): SourceFolder {
  const { root, scope, signal, maxThreads = 1, maxFileBytes = Number.POSITIVE_INFINITY } = options
  const { linksWithin = root } = options
  const { settings, fingerprint } = options.redaction
  // Threads are sent a copy: no functions in it.
  const redaction = { settings, fingerprint }
  const loading: LoadOptions = { root, maxNodeTokens: options.maxNodeTokens, maxFileBytes, redaction }
  let findRule: FindRule = () => undefined
  let found: Walk = { files: [], problems: [], refused: [], unread: new Map() }
  /** Of `found.problems`. */
  let hidden = new Set<string>()

  return {
    async list() {
      findRule = readIgnoreFile(root)
      const accepts = (path: string): boolean => findParser(path) !== undefined
      found = await walk({ root, scope, linksWithin, accepts, findRule, maxFileBytes, signal })
      hidden = new Set(found.problems.map(({ path }) => (path === '.' ? '' : path)))
      return found.files
    },
    problems: () => [...found.problems, ...found.refused],
    unread: () => Object.fromEntries([...found.unread].sort(byCount)),
    covers(path) {
      if (!isUnder(scope, path)) return false
      if (findRule(path) !== undefined) return true
      // Not scanned unless named: documents compiled from there stay as long as their files do.
      if (isInSkippedFolder(scope, path)) return isGone(join(root, path))
      // A folder that cannot be read hides its files; that does not mean that they were deleted.
      return !foldersOf(path).some((folder) => hidden.has(folder))
    },
    parserOf: (path) => parserOf(path, loading),
    load: (requests) => loadFiles(requests, { loading, maxThreads, signal }),
  }
}

/** Most first; equally many by name. */
function byCount([a, m]: [string, number], [b, n]: [string, number]): number {
  return n - m || (a < b ? -1 : 1)
}

/** Certainly: a place that cannot be looked at may hold it. */
function isGone(file: string): boolean {
  try {
    const stats = lstatSync(file)
    return !stats.isFile() && !stats.isSymbolicLink()
  } catch (error) {
    return isAbsence(error)
  }
}

/** The path itself, and every folder it is in up to the root. */
function foldersOf(path: string): string[] {
  const folders = ['']
  for (let at = path.indexOf('/'); at >= 0; at = path.indexOf('/', at + 1)) folders.push(path.slice(0, at))
  return [...folders, path]
}
