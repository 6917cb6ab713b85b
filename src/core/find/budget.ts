import { needs, shown } from '../errors.ts'

/** In tokens: less has no room for one node and a line about the rest. */
export const MIN_BUDGET = 50

const BYTES_PER_TOKEN = 4

/**
 * An answer of this many characters reaches the model whole in every agent program; some cut the middle out of longer
 * ones, others replace them with a file name. It is the maximum for a call that gives no budget.
 */
export const DEFAULT_CHARACTERS = 8_000

/**
 * The same as a budget in tokens: a character is at least one byte. A tenth is reserved for text around the answer: the
 * line about a running compile, and the backslashes of programs that show their model JSON.
 */
export const DEFAULT_BUDGET = Math.floor((0.9 * DEFAULT_CHARACTERS) / BYTES_PER_TOKEN)

/** The maximum for any answer, in bytes: it is held in memory several times, as text, as data and as JSON. */
export const MAX_ROOM = 16 * 1024 * 1024

/**
 * The size of an answer in bytes that costs at most `budget` tokens, including a final line feed. Never more than
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

/** The room of an answer to a call that gives no budget. */
export const DEFAULT_ROOM = roomOf(DEFAULT_BUDGET)
