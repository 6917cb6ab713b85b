import { type BigIntStats, statSync } from 'node:fs'

/** File systems have coarse times, at worst two seconds: two edits within one step may have the same time. */
const COARSEST_STEP_MS = 2000

export interface SettledFileParts<T> {
  path: string
  read: () => T
  /** The value if there is no file. */
  absent: T
  now?: () => number
}

/**
 * Reads a file again only if it may have changed, for frequent callers. A file that is unchanged, and was not recently
 * modified when it was read, is not opened; any later edit changes its time.
 */
export function createSettledFile<T>({ path, read, absent, now = Date.now }: SettledFileParts<T>): () => T {
  let known: { stamp: string; content: T } | undefined
  return () => {
    // Both before the file is read: an edit in between is seen the next time.
    const at = now()
    const stats = look(path)
    if (stats === undefined) return absent
    const stamp = stats && stampOf(stats)
    if (stamp !== null && stamp === known?.stamp) return known.content
    known = undefined
    const content = read()
    if (stats && stamp && at - Number(stats.ctimeMs) > COARSEST_STEP_MS) known = { stamp, content }
    return content
  }
}

/** Undefined: it does not exist. Null: unknown; a read reports the reason. */
function look(path: string): BigIntStats | null | undefined {
  try {
    return statSync(path, { bigint: true, throwIfNoEntry: false })
  } catch {
    return null
  }
}

/** The inode's change time covers edits with a modification time set by hand. */
function stampOf({ dev, ino, size, mode, mtimeNs, ctimeNs }: BigIntStats): string {
  return [dev, ino, size, mode, mtimeNs, ctimeNs].join()
}
