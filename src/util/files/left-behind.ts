import { lstatSync } from 'node:fs'
import { hasCode } from '../error-code.ts'
import { DAY_MS } from '../text/duration.ts'

/** Whether a file that the process with this id made for itself was left: it has ended, or so much time passed that the id says nothing. */
export function isLeftBehind(file: string, pid: number): boolean {
  const stats = lstatSync(file, { throwIfNoEntry: false })
  return stats !== undefined && (!isRunning(pid) || Date.now() - stats.mtimeMs > DAY_MS)
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch (error) {
    return !hasCode(error, 'ESRCH')
  }
}
