import { parseLifetime } from '../../../util/text/duration.ts'
import { UsageError } from '../../base/command.ts'

/** The value of a flag such as `30d`, in whole milliseconds. */
export function lifetimeOf(flag: string, text: string): number {
  const ms = parseLifetime(text)
  if (ms !== undefined) return Math.floor(ms)
  throw new UsageError(`${flag} must be a duration such as 30d, 24h or 90m, got ${JSON.stringify(text)}`)
}
