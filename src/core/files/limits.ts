import type { DoorDeps } from '../doors/put-text.ts'
import { type TextLimit, textTooLong } from '../doors/text-limit.ts'
import { FileError, toFileError } from './errors.ts'

/** What writing files needs. */
export interface FileDeps extends DoorDeps {
  /** Of one file. */
  limit: TextLimit
}

/** EINVAL for a file that would have more bytes than it may, unless it has fewer than before. */
export function checkFileLength(bytes: number, limit: TextLimit, before = 0): void {
  const problem = bytes < before ? undefined : textTooLong(bytes, limit)
  if (problem !== undefined) throw new FileError('EINVAL', problem)
}

/** Whatever fails, fails in the words of this door. */
export async function inWordsOfFiles<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    throw toFileError(error)
  }
}
