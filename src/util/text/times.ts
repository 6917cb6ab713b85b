import { DAY_MS, parseDuration } from './duration.ts'

const DATE = /^(\d{4}-\d\d-\d\d)(?:T(\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?)(Z|[+-]\d\d:\d\d)?)?$/i
const DAYS = /^(\d+(?:\.\d+)?)([dw])$/i

/**
 * `2026-01-31`, `2026-01-31T10:30+02:00`, or how long ago as `7d`, `2w` or `12h`, in milliseconds since 1970; undefined for anything
 * else. A time without a zone is UTC: what it means does not depend on the machine.
 */
export function parseTime(text: string, now: number): number | undefined {
  const [, date, time = '00:00', zone = 'Z'] = DATE.exec(text) ?? []
  if (date !== undefined) return timeOn(date, `${time}${zone}`)
  const [, amount, unit = ''] = DAYS.exec(text) ?? []
  const days = unit.toLowerCase() === 'w' ? 7 * Number(amount) : Number(amount)
  const ago = amount === undefined ? parseDuration(text) : days * DAY_MS
  return ago === undefined || !Number.isFinite(ago) ? undefined : now - ago
}

function timeOn(date: string, time: string): number | undefined {
  const midnight = new Date(`${date}T00:00Z`)
  // JavaScript accepts the 31st of February, as a day of March.
  if (Number.isNaN(midnight.getTime()) || midnight.toISOString().slice(0, 10) !== date) return undefined
  const ms = Date.parse(`${date}T${time}`.toUpperCase())
  return Number.isNaN(ms) ? undefined : ms
}
