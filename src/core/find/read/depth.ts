import { needs, shown } from '../../errors.ts'

/** Deeper than any document written by hand. */
export const MAX_DEPTH = 128

/** How many levels to go down. */
export function checkDepth(depth: number): number {
  needs(
    Number.isSafeInteger(depth) && depth >= 0,
    `depth must be a whole number of levels from 0, got ${shown(depth)}`,
  )
  return Math.min(depth, MAX_DEPTH)
}
