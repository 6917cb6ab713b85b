import { hasCode } from '../util/error-code.ts'
import { MemoryError } from './errors.ts'

/** What the system's refusal to open one more file means, also for a thread; undefined for any other error. */
export function findOutOfFiles(error: unknown): MemoryError | undefined {
  return hasCode(error, 'EMFILE', 'ENFILE') || isThreadWithoutFiles(error) ? outOfFiles(error) : undefined
}

/** Node says only in words why a thread could not be started. */
function isThreadWithoutFiles(error: unknown): boolean {
  return (
    hasCode(error, 'ERR_WORKER_INIT_FAILED', 'ERR_INVALID_PACKAGE_CONFIG') &&
    /\bE[MN]FILE\b|too many open files/.test(error.message)
  )
}

export function outOfFiles(cause: unknown): MemoryError {
  return new MemoryError(
    'UNAVAILABLE',
    'too many open files; nothing was changed. Close some programs, or raise the limit (`ulimit -n`), and retry',
    { cause },
  )
}
