import { type BigIntStats, statSync } from 'node:fs'

/** Systems tell times in steps, the coarsest of two seconds: two edits within one may leave the same times. */
const COARSEST_STEP_MS = 2000

export interface SettledFileParts<T> {
  path: string
  read: () => T
  /** What is read where there is no file. */
  absent: T
  now?: () => number
}

/**
 * Reads a file again only when it may have changed, for who asks all the time. A file that is as it was, and that nobody had
 * touched for a while when it was read, is not opened; any later edit gives it another time.
 */
export function createSettledFile<T>({ path, read, absent, now = Date.now }: SettledFileParts<T>): () => T {
  let known: { stamp: string; content: T } | undefined
  return () => {
    // Both before the file is read: an edit meanwhile is seen the next time.
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

/** Undefined: it is not there. Null: that cannot be told, and whoever reads it learns why. */
function look(path: string): BigIntStats | null | undefined {
  try {
    return statSync(path, { bigint: true, throwIfNoEntry: false })
  } catch {
    return null
  }
}

/** The time of the last change of anything is there for those who set the time of the last edit by hand. */
function stampOf({ dev, ino, size, mode, mtimeNs, ctimeNs }: BigIntStats): string {
  return [dev, ino, size, mode, mtimeNs, ctimeNs].join()
}
