import { needs, shown } from '../errors.ts'

/** In tokens: less has no room for one node and what is said of the others. */
export const MIN_BUDGET = 50

const BYTES_PER_TOKEN = 4

/** Of any answer, in bytes: what is said twice, as text and as data, and written as JSON must fit in memory many times. */
const MAX_ROOM = 16 * 1024 * 1024

/**
 * How many bytes an answer may have, so that with a line feed at its end it costs no more than `budget` tokens. Never more than
 * `MAX_ROOM`.
 */
export function roomOf(budget: number | undefined): number {
  if (budget === undefined || budget === 0) return MAX_ROOM
  needs(
    Number.isSafeInteger(budget) && budget >= MIN_BUDGET,
    `budget must be a whole number of tokens from ${MIN_BUDGET}, or 0 for no limit, got ${shown(budget)}`,
  )
  return Math.min(MAX_ROOM, budget * BYTES_PER_TOKEN - 1)
}
