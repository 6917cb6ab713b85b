import { linkSync, lstatSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { hasCode } from '../error-code.ts'

/** Longer than any work under a lock: the holder of an older one has died. */
const STALE_MS = 30_000

/**
 * Runs `work` unless another process holds the lock: then returns false immediately. `work` must be quick and
 * synchronous.
 */
export function withLockFile(lock: string, work: () => void): boolean {
  if (!create(lock) && !(removeStale(lock) && create(lock))) return false
  try {
    work()
  } finally {
    rmSync(lock, { force: true })
  }
  return true
}

function create(lock: string): boolean {
  try {
    // The owner, for a person who finds it.
    writeFileSync(lock, `${process.pid}\n`, { flag: 'wx', mode: 0o600 })
    return true
  } catch (error) {
    if (hasCode(error, 'EEXIST')) return false
    throw error
  }
}

/** Removes a stale lock. Of two processes that find it, only one gets it; the other may get a fresh one. */
function removeStale(lock: string): boolean {
  if (!isStale(lock)) return false
  const taken = `${lock}.${crypto.randomUUID()}`
  try {
    renameSync(lock, taken)
    const isRight = isStale(taken)
    if (!isRight) linkSync(taken, lock)
    return isRight
  } catch (error) {
    if (hasCode(error, 'ENOENT', 'EEXIST')) return false
    throw error
  } finally {
    rmSync(taken, { force: true })
  }
}

function isStale(lock: string): boolean {
  const stats = lstatSync(lock, { throwIfNoEntry: false })
  return stats !== undefined && Date.now() - stats.mtimeMs > STALE_MS
}
