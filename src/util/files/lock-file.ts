import { linkSync, lstatSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { hasCode } from '../error-code.ts'

/** Longer than any work under a lock takes: who left it has died. */
const STALE_MS = 30_000

/** Does `work` unless another process is at it: then false, at once. `work` is quick and does not wait for anything. */
export function withLockFile(lock: string, work: () => void): boolean {
  if (!create(lock) && !(takeAway(lock) && create(lock))) return false
  try {
    work()
  } finally {
    rmSync(lock, { force: true })
  }
  return true
}

function create(lock: string): boolean {
  try {
    // Whose it is, for a person who finds it.
    writeFileSync(lock, `${process.pid}\n`, { flag: 'wx', mode: 0o600 })
    return true
  } catch (error) {
    if (hasCode(error, 'EEXIST')) return false
    throw error
  }
}

/** Removes a lock that was left behind. Of two processes that find it, only one gets it; the other may get a fresh one. */
function takeAway(lock: string): boolean {
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
