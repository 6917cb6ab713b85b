import { hasCode } from '../util/error-code.ts'
import { MemoryError } from './errors.ts'

/**
 * The error for a process that has too many open files, also when a thread cannot start; undefined for other errors.
 */
export function findOutOfFiles(error: unknown): MemoryError | undefined {
  return hasCode(error, 'EMFILE', 'ENFILE') || isThreadWithoutFiles(error) ? outOfFiles(error) : undefined
}

/** Node gives the reason that a thread failed to start only as text. */
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
