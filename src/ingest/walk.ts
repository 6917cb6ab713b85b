import { type Dirent, readdirSync, realpathSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { isInside } from '../util/paths.ts'

/** Folders of tools and build output: nothing in them was written to be remembered. */
const SKIPPED_FOLDERS = new Set([
  'Pods',
  '__pycache__',
  'bower_components',
  'dist',
  'node_modules',
  'target',
  'vendor',
  'venv',
])

export interface Walk {
  /** Relative to the root, with `/`, in lexical order. */
  files: string[]
  /** What could not be looked at, and why. */
  problems: { path: string; reason: string }[]
}

export interface WalkInput {
  root: string
  /** A folder or file below the root to look at, '' for all of it. */
  scope: string
  accepts: (path: string) => boolean
}

/** Lists the files to compile. Links to folders are not followed; links to files count while they stay in the root. */
export function walk({ root, scope, accepts }: WalkInput): Walk {
  const found: Walk = { files: [], problems: [] }
  const realRoot = realpathSync(root)
  if (scope !== '' && !statSync(join(root, scope)).isDirectory()) {
    visitFile(found, realRoot, root, scope, accepts)
    return found
  }
  const folders = [scope]
  for (let folder = folders.pop(); folder !== undefined; folder = folders.pop()) {
    for (const entry of readFolder(found, root, folder)) {
      const path = folder === '' ? entry.name : `${folder}/${entry.name}`
      if (entry.isDirectory()) {
        if (!isSkippedFolder(entry.name)) folders.push(path)
      } else visitFile(found, realRoot, root, path, accepts)
    }
  }
  found.files.sort()
  return found
}

export function isSkippedFolder(name: string): boolean {
  return name.startsWith('.') || SKIPPED_FOLDERS.has(name)
}

function readFolder(found: Walk, root: string, folder: string): Dirent[] {
  try {
    return readdirSync(join(root, folder), { withFileTypes: true })
  } catch (error) {
    found.problems.push({ path: folder || '.', reason: `cannot be read (${codeOf(error)})` })
    return []
  }
}

function visitFile(
  found: Walk,
  realRoot: string,
  root: string,
  path: string,
  accepts: WalkInput['accepts'],
): void {
  if (!accepts(path)) return
  try {
    const real = realpathSync(join(root, path))
    if (!isInside(realRoot, real)) found.problems.push({ path, reason: 'is a link that leaves the folder' })
    else if (statSync(real).isFile()) found.files.push(path)
  } catch (error) {
    found.problems.push({ path, reason: `cannot be read (${codeOf(error)})` })
  }
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : 'unknown reason'
}
