import { hasCode } from '../util/error-code.ts'
import { MemoryError } from './errors.ts'

/** What the system's refusal to open one more file means, also for a thread; undefined for any other error. */
export function findOutOfFiles(error: unknown): MemoryError | undefined {
  const isThread = hasCode(error, 'ERR_WORKER_INIT_FAILED') && /\bE[MN]FILE\b/.test(error.message)
  return isThread || hasCode(error, 'EMFILE', 'ENFILE') ? outOfFiles(error) : undefined
}

export function outOfFiles(cause: unknown): MemoryError {
  return new MemoryError(
    'UNAVAILABLE',
    'too many open files; nothing was changed. Close some programs, or raise the limit (`ulimit -n`), and retry',
    { cause },
  )
}
