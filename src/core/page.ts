import { MemoryError, shown } from './errors.ts'

/** Which page of a long answer. */
export interface PageInput {
  /** Default: 200. */
  limit?: number
  /** `next_cursor` of the page before; missing or `start`: the first page. */
  cursor?: string
}

/** What a page has beside its rows. */
export interface NextPage {
  /** For the page after this one; null at the end. */
  next_cursor: string | null
}

/**
 * Characters that one answer may have. It travels as a text inside JSON, which at worst doubles it, and an engine of
 * JavaScript has no texts of more than 536 million.
 */
export const MAX_ANSWER = 250_000_000

const LIMIT = 200
/** Names the first page, where leaving the cursor out would mean another kind of answer. */
const START = 'start'

/** As `input`, with its default, and no cursor for the first page. */
export function pageOf({ limit = LIMIT, cursor }: PageInput): { limit: number; cursor: string | undefined } {
  if (!Number.isSafeInteger(limit) || limit < 1)
    throw new MemoryError('INVALID_INPUT', `invalid limit "${shown(limit)}"; give a whole number from 1`)
  return { limit, cursor: cursor === START ? undefined : cursor }
}

/** The numbers that a cursor is made of. */
export function cursorNumbers(cursor: string, count: number): number[] {
  const parts = cursor.split('.')
  if (parts.length !== count || !parts.every((part) => /^\d{1,15}$/.test(part))) throw invalidCursor()
  return parts.map(Number)
}

export function invalidCursor(): MemoryError {
  return new MemoryError(
    'INVALID_INPUT',
    'invalid cursor; give the next_cursor of an earlier page of the same resource, or begin again with "start"',
  )
}

/** Of one row more than the page has: the page, and the cursor that its last row makes. */
export function cut<T>(
  rows: T[],
  limit: number,
  cursorOf: (last: T) => string,
): { rows: T[]; next: string | null } {
  const page = rows.slice(0, limit)
  const last = page.at(-1)
  return { rows: page, next: rows.length > limit && last !== undefined ? cursorOf(last) : null }
}
