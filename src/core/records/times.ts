import { MemoryError } from '../errors.ts'

export const DAY_MS = 86_400_000

const DATE = /^\d{4}-\d{2}-\d{2}$/
const TIME = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2}(\.\d{1,9})?)?(Z|[+-]\d{2}:?\d{2})?$/i
const DAYS = /^(\d{1,5})d$/

/** Milliseconds since 1970; undefined if it is not a date or time (ISO 8601). UTC without a zone. */
export function parseTime(text: string): number | undefined {
  const isDate = DATE.test(text)
  const zone = isDate ? undefined : TIME.exec(text)
  if (!isDate && !zone) return undefined
  const ms = Date.parse(isDate || zone?.[3] ? text : `${text}Z`)
  const isReal = Number.isFinite(ms) && isDayOf(text)
  return isReal ? ms : undefined
}

/** JavaScript accepts 30 February, as a day of March. */
function isDayOf(text: string): boolean {
  const [year = 0, month = 0, day = 0] = text.slice(0, 10).split('-').map(Number)
  return day <= new Date(Date.UTC(year, month, 0)).getUTCDate()
}

/** A date, a time, or a number of days back (`30d`: since midnight UTC). `name` is for the message. */
export function sinceTime(text: string, now: number, name = 'since'): number {
  const days = DAYS.exec(text)?.[1]
  const at = days === undefined ? parseTime(text) : midnightBack(now, Number(days))
  if (at !== undefined) return at
  throw new MemoryError('INVALID_INPUT', `${name} must be ${SINCE_WORDS}`)
}

export const SINCE_WORDS =
  'a date such as 2026-01-31, a time such as 2026-01-31T10:00:00Z, or a number of days such as 30d'

export function isSince(text: string): boolean {
  return DAYS.test(text) || parseTime(text) !== undefined
}

/** Midnight UTC, `days` days before today. */
export function midnightBack(now: number, days: number): number {
  return Math.floor(now / DAY_MS) * DAY_MS - days * DAY_MS
}
