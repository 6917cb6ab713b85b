const UNITS_MS: Record<string, number> = {
  ns: 1e-6,
  us: 1e-3,
  µs: 1e-3,
  μs: 1e-3,
  ms: 1,
  s: 1000,
  m: 60_000,
  h: 3_600_000,
}
const PART = /(\d+(?:\.\d*)?|\.\d+)(ns|us|µs|μs|ms|s|m|h)/y

/** Milliseconds of a duration such as `500ms` or `1h30m`; undefined for anything else. `0` needs no unit. */
export function parseDuration(text: string): number | undefined {
  if (text === '0') return 0
  let ms = 0
  PART.lastIndex = 0
  while (PART.lastIndex < text.length) {
    const [, number, unit] = PART.exec(text) ?? []
    if (number === undefined || unit === undefined) return undefined
    ms += Number(number) * (UNITS_MS[unit] as number)
  }
  return text === '' || !Number.isFinite(ms) ? undefined : ms
}
