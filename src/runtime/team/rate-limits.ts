import type { Principal } from '../../core/access/principal.ts'
import { MemoryError } from '../../core/errors.ts'
import type { RateLimit } from '../../mcp/model/served.ts'

export interface RateLimitsParts {
  /** Null: any number. */
  perMinute: number | null
  perDay: number | null
  /** Unix milliseconds. */
  now: () => number
}

interface Window {
  /** How many windows there were before it, since 1970. */
  number: number
  used: number
  /** Calls that came when none was left. */
  refused: number
}

/** Of one client. Agents have a few calls at once; what waits holds its body. */
const MAX_RUNNING = 64
const MINUTE_MS = 60_000
const DAY_MS = 24 * 60 * MINUTE_MS

/** Calls of one client in fixed windows of UTC, which it cannot leave by waiting for a clock to be set back. */
export function createRateLimit({ perMinute, perDay, now }: RateLimitsParts) {
  const minute = createWindow(MINUTE_MS, now)
  const day = createWindow(DAY_MS, now)
  let running = 0

  /** Counts a call. `retryAfter`, in seconds: none is left. */
  function take(): { retryAfter: number } | undefined {
    // The minute first: it ends sooner.
    for (const [window, limit] of [
      [minute, perMinute],
      [day, perDay],
    ] as const)
      if (limit !== null && window.current().used >= limit) {
        window.current().refused++
        return { retryAfter: window.secondsLeft() }
      }
    minute.current().used++
    day.current().used++
    return undefined
  }

  return {
    take,
    count() {
      const refused = take()
      if (refused) throw new MemoryError('LIMIT_EXCEEDED', tooManyCalls(refused.retryAfter))
    },
    figures: () => ({
      per_minute_limit: perMinute,
      per_minute_used: minute.current().used,
      per_minute_remaining: remaining(perMinute, minute.current()),
      per_day_limit: perDay,
      per_day_used: day.current().used,
      per_day_remaining: remaining(perDay, day.current()),
    }),
    /**
     * A request came, whose body is not read yet. `retryAfter`, in seconds: it is not read at all, because too many of the client's
     * requests are being answered, or because it goes on after as many refusals as calls. `leave` is to be called when it is answered.
     */
    enter(): { leave(): void } | { retryAfter: number } {
      if (perMinute !== null && minute.current().refused >= perMinute)
        return { retryAfter: minute.secondsLeft() }
      if (running >= MAX_RUNNING) return { retryAfter: 1 }
      running++
      return { leave: () => void running-- }
    },
  } satisfies RateLimit & Record<string, unknown>
}

export type ClientRateLimit = ReturnType<typeof createRateLimit>

export interface RateLimitsOptions extends RateLimitsParts {
  /** Names of users without limits. */
  exemptUsers: readonly string[]
}

/** The rate limits of all clients, which outlast connections. Keys that a key made share its limit. */
export function createRateLimits({ exemptUsers, ...parts }: RateLimitsOptions) {
  const exempt = new Set(exemptUsers)
  const clients = new Map<string, ClientRateLimit>()
  return ({ rootId: id, user }: Pick<Principal, 'rootId' | 'user'>): ClientRateLimit => {
    const known = clients.get(id)
    if (known) return known
    const limits = exempt.has(user) ? { ...parts, perMinute: null, perDay: null } : parts
    const made = createRateLimit(limits)
    clients.set(id, made)
    return made
  }
}

export type RateLimits = ReturnType<typeof createRateLimits>

function createWindow(lengthMs: number, now: () => number) {
  let window: Window = { number: 0, used: 0, refused: 0 }
  return {
    current(): Window {
      const number = Math.floor(now() / lengthMs)
      if (number > window.number) window = { number, used: 0, refused: 0 }
      return window
    },
    secondsLeft: (): number => Math.max(1, Math.ceil(((window.number + 1) * lengthMs - now()) / 1000)),
  }
}

function remaining(limit: number | null, { used }: Window): number | null {
  return limit === null ? null : Math.max(0, limit - used)
}

/** The text is part of the contract. */
export function tooManyCalls(seconds: number): string {
  return `Rate limit exceeded. Retry after ${seconds}s.`
}
