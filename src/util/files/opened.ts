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
 * Opens a path first and verifies afterwards what was opened: between a check of a path and its use, any folder in it can be
 * replaced by a link. Paths given here are real ones: they have no links in them unless somebody put one there meanwhile.
 */

/** What was opened is not at its path: the path, or a folder in it, was replaced. */
export class ReplacedError extends Error {
  override readonly name = 'ReplacedError'
}

/** Follows no link at the end, waits for no other end of a pipe, takes no terminal. */
const OPEN_FLAGS =
  constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0) | (constants.O_NOCTTY ?? 0)

/** Where the system tells the path of what a handle has open. */
const HANDLES = '/proc/self/fd'
const HAS_HANDLES = process.platform === 'linux' && existsSync(HANDLES)

/** Gives `use` a handle of the file or folder at a real path. Throws `ReplacedError` when it is not what is there. */
export function withOpened<T>(path: string, use: (handle: number) => T): T {
  const handle = openReal(path)
  try {
    if (!isAt(handle, path)) throw new ReplacedError(path)
    return use(handle)
  } finally {
    closeSync(handle)
  }
}

/** As `withOpened`; `use` gets a path that leads into this very folder, where the system has such paths. */
export function withOpenedFolder<T>(path: string, use: (path: string) => T): T {
  if (HAS_HANDLES) return withOpened(path, (handle) => use(`${HANDLES}/${handle}`))
  // The next best: the same folder before and after.
  const before = identityOf(realLstat(path))
  const result = use(path)
  if (identityOf(realLstat(path)) !== before) throw new ReplacedError(path)
  return result
}

function openReal(path: string): number {
  try {
    return openSync(path, OPEN_FLAGS)
  } catch (error) {
    // What O_NOFOLLOW says of a link.
    if (error instanceof Error && 'code' in error && (error.code === 'ELOOP' || error.code === 'EMLINK'))
      throw new ReplacedError(path, { cause: error })
    throw error
  }
}

function isAt(handle: number, path: string): boolean {
  if (HAS_HANDLES) {
    const opened = readlinkSync(`${HANDLES}/${handle}`)
    if (opened === path) return true
    // Where names that differ in case are one, the system shows the one that was used first.
    if (!isSameName(opened, path)) return false
  }
  return identityOf(fstatSync(handle, { bigint: true })) === identityOf(realLstat(path))
}

/** What is at a path that no link leads through, as far as can be told. */
function realLstat(path: string): BigIntStats {
  const check = (): void => {
    if (!isSameName(realpathSync.native(path), path)) throw new ReplacedError(path)
  }
  check()
  const stats = lstatSync(path, { bigint: true })
  check()
  return stats
}

/** Windows tells devices in more than one way. */
function identityOf({ dev, ino }: BigIntStats): string {
  return process.platform === 'win32' ? `${ino}` : `${dev}:${ino}`
}

/** Some file systems take names for the same that differ in case or composition. */
function isSameName(a: string, b: string): boolean {
  return a === b || a.normalize().toLowerCase() === b.normalize().toLowerCase()
}
