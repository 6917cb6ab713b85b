/** For programs. */
export function isoTime(time: number | null): string | null {
  return time === null ? null : new Date(time).toISOString()
}

/** For people, to the minute. */
export function shortTime(time: number | null): string {
  return isoTime(time)?.slice(0, 16).replace('T', ' ') ?? 'never'
}
