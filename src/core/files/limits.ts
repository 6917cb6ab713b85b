import type { DoorDeps } from '../doors/put-text.ts'
import { type TextLimit, textTooLong } from '../doors/text-limit.ts'
import { FileError, toFileError } from './errors.ts'

/** Dependencies of writes. */
export interface FileDeps extends DoorDeps {
  /** Maximum length of one file. */
  limit: TextLimit
}

/** EINVAL for a file over the limit, unless it gets shorter. */
export function checkFileLength(bytes: number, limit: TextLimit, before = 0): void {
  const problem = bytes < before ? undefined : textTooLong(bytes, limit)
  if (problem !== undefined) throw new FileError('EINVAL', problem)
}

/** Converts errors to errors of this door. */
export async function asFileErrors<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    throw toFileError(error)
  }
}
