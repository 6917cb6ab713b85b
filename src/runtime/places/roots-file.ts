import { isAbsolute } from 'node:path'
import { MemoryError } from '../../core/errors.ts'
import { findOutOfFiles } from '../../core/open-files.ts'
import { readSmallFile } from '../../util/files/small-file.ts'
import { changeOwnFile } from '../settings/own-file.ts'

/** Real paths that were named for a database, by the real path of the database. */
type Roots = Map<string, string[]>

/** With more than this, databases that no longer exist are dropped. */
const MAX_DATABASES = 1000

/** The roots that `file` has for `db`, oldest first. A damaged file throws: it never counts as permission. */
export function readRoots(file: string, db: string): string[] {
  return readAll(file).get(db) ?? []
}

/**
 * Adds a root of `db` to `file`, which is replaced as a whole and is its owner's alone. `isStale` decides which databases to
 * drop from a file with many.
 */
export async function addRoot(
  file: string,
  { db, root, isStale }: { db: string; root: string; isStale: (db: string) => boolean },
): Promise<void> {
  await changeOwnFile(file, () => {
    const all = readAll(file)
    const known = all.get(db) ?? []
    if (known.includes(root)) return undefined
    all.set(db, [...known, root])
    if (all.size > MAX_DATABASES) for (const other of [...all.keys()]) if (isStale(other)) all.delete(other)
    return `${JSON.stringify({ databases: Object.fromEntries(all) }, null, 2)}\n`
  })
}

function readAll(file: string): Roots {
  try {
    return parseRoots(JSON.parse(readSmallFile(file) ?? '{}'))
  } catch (error) {
    const outOfFiles = findOutOfFiles((error as Error).cause)
    if (outOfFiles) throw outOfFiles
    const reason = error instanceof SyntaxError ? 'is not valid JSON' : (error as Error).message
    throw new MemoryError('INVALID_INPUT', `${file} ${reason}; repair or remove it`, { cause: error })
  }
}

function parseRoots(value: unknown): Roots {
  const { databases = {} } = asObject(value)
  const roots: Roots = new Map()
  for (const [db, paths] of Object.entries(asObject(databases))) {
    const isList = Array.isArray(paths) && paths.every((path) => typeof path === 'string' && isAbsolute(path))
    if (!isList) throw new Error('must list absolute paths for every database')
    roots.set(db, paths)
  }
  return roots
}

function asObject(value: unknown): { databases?: unknown } {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value
  throw new Error('must contain an object with "databases"')
}
