import { needs, shown } from '../errors.ts'

/** In tokens: less has no room for one node and what is said of the others. */
export const MIN_BUDGET = 50

const BYTES_PER_TOKEN = 4

/**
 * Characters of an answer that every agent program passes on to its model whole; of longer ones some cut out the middle, and others
 * leave a file name. An answer to a call that does not say how much it wants is no longer.
 */
export const DEFAULT_CHARACTERS = 8_000

/**
 * The same as a budget, in tokens: no character takes less than a byte. A tenth is left for what stands around the text: the line of a
 * compile that goes on, and the backslashes of programs that show their model the JSON.
 */
export const DEFAULT_BUDGET = Math.floor((0.9 * DEFAULT_CHARACTERS) / BYTES_PER_TOKEN)

/** Of any answer, in bytes: what is said twice, as text and as data, and written as JSON must fit in memory many times. */
export const MAX_ROOM = 16 * 1024 * 1024

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

/** The room of an answer to a call that does not say how much it wants. */
export const DEFAULT_ROOM = roomOf(DEFAULT_BUDGET)
