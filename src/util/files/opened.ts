import {
  type BigIntStats,
  closeSync,
  constants,
  existsSync,
  fstatSync,
  lstatSync,
  openSync,
  readlinkSync,
  realpathSync,
} from 'node:fs'

/**
 * Opens a path first and then verifies what was opened: between a check of a path and its use, any folder in it can be
 * replaced by a link. Paths given here are real paths: they have no links unless one was added meanwhile.
 */

/** The opened file is not at its path: the path, or a folder in it, was replaced. */
export class ReplacedError extends Error {
  override readonly name = 'ReplacedError'
}

/** Follows no link at the end, does not wait for the other end of a pipe, takes no terminal. */
const OPEN_FLAGS =
  constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0) | (constants.O_NOCTTY ?? 0)

/** Where the system shows the path of an open handle. */
const HANDLES = '/proc/self/fd'
const HAS_HANDLES = process.platform === 'linux' && existsSync(HANDLES)

/**
 * Passes `use` a handle of the file or folder at a real path. Throws `ReplacedError` if it is not the one at the path.
 */
export function withOpened<T>(path: string, use: (handle: number) => T): T {
  const handle = openReal(path)
  try {
    if (!isAt(handle, path)) throw new ReplacedError(path)
    return use(handle)
  } finally {
    closeSync(handle)
  }
}

/** Like `withOpened`; `use` gets a path into this very folder, if the system has such paths. */
export function withOpenedFolder<T>(path: string, use: (path: string) => T): T {
  if (HAS_HANDLES) return withOpened(path, (handle) => use(`${HANDLES}/${handle}`))
  // The next best check: the same folder before and after.
  const before = identityOf(realLstat(path))
  const result = use(path)
  if (identityOf(realLstat(path)) !== before) throw new ReplacedError(path)
  return result
}

function openReal(path: string): number {
  try {
    return openSync(path, OPEN_FLAGS)
  } catch (error) {
    // The error of O_NOFOLLOW for a link.
    if (error instanceof Error && 'code' in error && (error.code === 'ELOOP' || error.code === 'EMLINK'))
      throw new ReplacedError(path, { cause: error })
    throw error
  }
}

function isAt(handle: number, path: string): boolean {
  if (HAS_HANDLES) {
    const opened = readlinkSync(`${HANDLES}/${handle}`)
    if (opened === path) return true
    // On case-insensitive systems, the name that was used first is shown.
    if (!isSameName(opened, path)) return false
  }
  return identityOf(fstatSync(handle, { bigint: true })) === identityOf(realLstat(path))
}

/** The file at a path without links, as far as can be checked. */
function realLstat(path: string): BigIntStats {
  const check = (): void => {
    if (!isSameName(realpathSync.native(path), path)) throw new ReplacedError(path)
  }
  check()
  const stats = lstatSync(path, { bigint: true })
  check()
  return stats
}

/** Windows reports devices in more than one way. */
function identityOf({ dev, ino }: BigIntStats): string {
  return process.platform === 'win32' ? `${ino}` : `${dev}:${ino}`
}

/** Some file systems treat names as equal that differ in case or composition. */
function isSameName(a: string, b: string): boolean {
  return a === b || a.normalize().toLowerCase() === b.normalize().toLowerCase()
}
