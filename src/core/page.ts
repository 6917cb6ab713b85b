import { MemoryError, shown } from './errors.ts'

/** One page of a long answer. */
export interface PageInput {
  /** Default: 200. */
  limit?: number
  /** `next_cursor` of the previous page; missing or `start`: the first page. */
  cursor?: string
}

/** The members of a page besides its rows. */
export interface NextPage {
  /** For the page after this one; null at the end. */
  next_cursor: string | null
}

/**
 * Maximum length of an answer in characters. It is sent as a string inside JSON, which at worst doubles it, and
 * JavaScript engines limit strings to about 536 million characters.
 */
export const MAX_ANSWER = 250_000_000

const LIMIT = 200
/** Names the first page where a missing cursor means a different answer. */
const START = 'start'

/** `input` with its default, and without a cursor for the first page. */
export function pageOf({ limit = LIMIT, cursor }: PageInput): { limit: number; cursor: string | undefined } {
  if (!Number.isSafeInteger(limit) || limit < 1)
    throw new MemoryError('INVALID_INPUT', `invalid limit "${shown(limit)}"; give a whole number from 1`)
  return { limit, cursor: cursor === START ? undefined : cursor }
}

/** The numbers in a cursor. */
export function cursorNumbers(cursor: string, count: number): number[] {
  const parts = cursor.split('.')
  if (parts.length !== count || !parts.every((part) => /^\d{1,15}$/.test(part))) throw invalidCursor()
  return parts.map(Number)
}

export function invalidCursor(): MemoryError {
  return new MemoryError(
    'INVALID_INPUT',
    'invalid cursor; give the next_cursor of an earlier page of the same resource, or start over with "start"',
  )
}

/** Takes one row more than the page holds; returns the page and the cursor after its last row. */
export function cut<T>(
  rows: T[],
  limit: number,
  cursorOf: (last: T) => string,
): { rows: T[]; next: string | null } {
  const page = rows.slice(0, limit)
  const last = page.at(-1)
  return { rows: page, next: rows.length > limit && last !== undefined ? cursorOf(last) : null }
}
