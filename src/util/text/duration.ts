export const HOUR_MS = 3_600_000
export const DAY_MS = 24 * HOUR_MS

const UNITS_MS = new Map([
  ['ns', 1e-6],
  ['us', 1e-3],
  ['µs', 1e-3],
  ['μs', 1e-3],
  ['ms', 1],
  ['s', 1000],
  ['m', 60_000],
  ['h', HOUR_MS],
])
const PART = /(\d+(?:\.\d*)?|\.\d+)(ns|us|µs|μs|ms|s|m|h)/y

/** `500ms`, `1h30m`, `1.5s` or `0` in milliseconds; undefined for anything else, and for a negative one. */
export function parseDuration(text: string): number | undefined {
  const parts = text.trim().replace(/^\+/, '')
  if (/^0+$/.test(parts)) return 0
  let total = 0
  let at = 0
  while (at < parts.length) {
    PART.lastIndex = at
    const [part, amount, unit = ''] = PART.exec(parts) ?? []
    if (part === undefined) return undefined
    total += Number(amount) * (UNITS_MS.get(unit) ?? Number.NaN)
    at += part.length
  }
  return at > 0 && Number.isFinite(total) ? total : undefined
}

/** As `parseDuration`, with days before the rest: `30d`, `1d12h`. */
export function parseLifetime(text: string): number | undefined {
  const [, days, rest] = /^(\d{1,6})d(.*)$/s.exec(text.trim()) ?? []
  if (days === undefined) return parseDuration(text)
  const more = rest ? parseDuration(rest) : 0
  return more === undefined ? undefined : Number(days) * DAY_MS + more
}

/** 90000 as `1m30s`, 500 as `500ms`: what `parseDuration` reads. */
export function formatDuration(ms: number): string {
  if (ms > 0 && ms < 1000) return `${ms}ms`
  const hours = Math.floor(ms / HOUR_MS)
  const minutes = Math.floor((ms % HOUR_MS) / 60_000)
  const seconds = (ms % 60_000) / 1000
  const parts = [hours > 0 && `${hours}h`, minutes > 0 && `${minutes}m`, seconds > 0 && `${seconds}s`]
  return parts.filter(Boolean).join('') || '0s'
}
