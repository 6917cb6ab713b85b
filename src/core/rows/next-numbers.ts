import { MemoryError } from '../errors.ts'

/** In a hostile memory the numbers that come next may be too large to count on. */
export function checkNext(...numbers: number[]): void {
  if (!numbers.every(Number.isSafeInteger))
    throw new MemoryError(
      'CORRUPTED_DATA',
      'the database has numbers out of range; restore the newest backup',
    )
}
