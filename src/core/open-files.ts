import { hasCode } from '../util/error-code.ts'
import { MemoryError } from './errors.ts'

/** What the system's refusal to open one more file means; undefined for any other error. */
export function findOutOfFiles(error: unknown): MemoryError | undefined {
  return hasCode(error, 'EMFILE', 'ENFILE') ? outOfFiles(error) : undefined
}

export function outOfFiles(cause: unknown): MemoryError {
  return new MemoryError(
    'UNAVAILABLE',
    'too many open files; nothing was changed. Close some programs, or raise the limit (`ulimit -n`), and retry',
    { cause },
  )
}
