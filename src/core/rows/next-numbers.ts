import { MemoryError } from '../errors.ts'

/** In a hostile memory the next numbers may be too large to count with. */
export function checkNext(...numbers: number[]): void {
  if (!numbers.every(Number.isSafeInteger))
    throw new MemoryError(
      'CORRUPTED_DATA',
      'the database has numbers out of range; restore the newest backup',
    )
}
