import { existsSync } from 'node:fs'
import { homedir } from 'node:os'
import { isMemoryError, MemoryError } from '../../core/errors.ts'
import { isInside, realOrSame } from '../../util/files/paths.ts'
import type { Places } from './places.ts'
import { addRoot, readRoots } from './roots-file.ts'

/**
 * The folders and files that the operator named for a memory: the only ones that are read for its clients. The roots
 * in the database are for display only; the database may come from a stranger.
 */
export interface NamedRoots {
  /** Real paths, the first one named first. */
  list(): string[]
  /** Names a real path for as long as this process runs. It is not resolved again: it may have become a link since. */
  add(real: string): void
  /** Also for other processes, now and later: outside the database. Throws when it cannot be stored. */
  remember(real: string): Promise<void>
  /** Of each path whether it exists; undefined for one that was not named, which is not looked at. */
  exist(paths: readonly string[]): (boolean | undefined)[]
}

export interface NamedRootsParts {
  places: Places
  /** Where they are stored; null: they are not. */
  file: string | null
  /** Named by a flag, a setting or the caller, absolute. Resolved once. */
  given: readonly string[]
  onProblem: (error: unknown) => void
}

export function createNamedRoots({ places, file, given, onProblem }: NamedRootsParts): NamedRoots {
  const named = new Set(given.map(realOrSame))
  /** Reported once, not with every compile. */
  let lastProblem = ''
  const ofHome = countsAsNamed(places) ? [places.home] : []

  function list(): string[] {
    return [...new Set([...named, ...ofHome, ...remembered()])]
  }
  function remembered(): string[] {
    try {
      return file === null ? [] : readRoots(file, keyOf(places))
    } catch (error) {
      // Damaged: nothing is remembered. An unreadable file may be readable the next time.
      if (isMemoryError(error) && error.code === 'UNAVAILABLE') throw error
      const { message } = error as Error
      if (message !== lastProblem) onProblem(error)
      lastProblem = message
      return []
    }
  }
  return {
    list,
    add: (real) => void named.add(real),
    async remember(root) {
      if (file === null) return
      try {
        // In this order: a root that is allowed anyway needs no file, which may be damaged.
        const isKnown = (roots: readonly string[]): boolean => roots.some((other) => isInside(other, root))
        if (isKnown(ofHome) || isKnown(readRoots(file, keyOf(places)))) return
        await addRoot(file, { db: keyOf(places), root, isStale: (db) => !existsSync(db) })
      } catch (error) {
        throw notRemembered(file, error)
      }
    },
    exist(paths) {
      const roots = list()
      return paths.map((path) => (roots.some((root) => isInside(root, path)) ? existsSync(path) : undefined))
    },
  }
}

/**
 * The folder that has the database in its `.remindb`: creating it there was the operator's choice. Not a parent of the home
 * folder: a memory there would expose all of the user's files.
 */
function countsAsNamed({ isAtHome, home }: Places): boolean {
  return isAtHome && !isInside(home, realOrSame(homedir()))
}

/** The same database through any link. */
function keyOf({ db }: Places): string {
  return realOrSame(db)
}

function notRemembered(file: string, cause: unknown): MemoryError {
  const reason = cause instanceof MemoryError ? cause.message : `${file} cannot be written (${codeOf(cause)})`
  return new MemoryError(
    'FORBIDDEN',
    `the compiled folder is not remembered for \`remindb serve\`: ${reason}. Start it with --source <folder> instead`,
    { cause },
  )
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : 'unexpected'
}
