import { lstatSync } from 'node:fs'
import { hasCode } from '../error-code.ts'
import { DAY_MS } from '../text/duration.ts'

/**
 * Whether a file that the process with this id made for itself was left: it has ended, or so much time passed that the id says nothing. In a
 * container every process may have the same id: the file of an earlier one is older than this process.
 */
export function isLeftBehind(file: string, pid: number): boolean {
  const changedAt = lstatSync(file, { throwIfNoEntry: false })?.mtimeMs
  if (changedAt === undefined) return false
  const isEarlier = pid === process.pid && changedAt < Date.now() - 1000 * process.uptime()
  return isEarlier || !isRunning(pid) || Date.now() - changedAt > DAY_MS
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch (error) {
    return !hasCode(error, 'ESRCH')
  }
}
