import type { Principal } from '../../core/access/principal.ts'
import { MemoryError } from '../../core/errors.ts'
import type { RateLimit } from '../../mcp/model/served.ts'
import { createGate, type Gate } from '../../util/gate.ts'
import { createWindow, type WindowParts } from '../../util/window.ts'
import { createFairShare, type FairShare } from './fair-share.ts'

export interface RateLimitsParts extends Pick<WindowParts, 'now' | 'elapsed'> {
  /** Null: any number. */
  perMinute: number | null
  perDay: number | null
  /** How many calls of one client run at once. */
  callsAtOnce: number
}

interface Calls {
  used: number
  /** Calls that came when none was left. */
  refused: number
}

/** Of one client. Agents have a few calls at once; what waits holds its body. */
const MAX_REQUESTS = 64
/** Where there is no limit for a minute that says how many are many. */
const MANY_REFUSALS = 60
const MINUTE_MS = 60_000
const DAY_MS = 24 * 60 * MINUTE_MS

/** Calls of one client in fixed windows of UTC, which it cannot leave by waiting for a clock to be set back. `inTurn` runs one. */
export function createRateLimit(
  { perMinute, perDay, callsAtOnce, ...clock }: RateLimitsParts,
  inTurn: Gate = runNow,
) {
  const minute = countCalls({ lengthMs: MINUTE_MS, ...clock })
  const day = countCalls({ lengthMs: DAY_MS, ...clock })
  const running = createGate(callsAtOnce)
  let requests = 0
  let calls = 0

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
    async gate(work, signal) {
      calls++
      try {
        return await running(() => inTurn(work, signal), signal)
      } finally {
        calls--
      }
    },
    /** Nothing is known of it that a new one would not know. */
    isForgettable: (): boolean => requests + calls + day.current().used + day.current().refused === 0,
    /**
     * A request came, whose body is not read yet. `retryAfter`, in seconds: it is not read at all, because too many of the client's
     * requests are being answered, or because it goes on after as many refusals as calls. `leave` is to be called when it is answered.
     */
    enter(): { leave(): void } | { retryAfter: number } {
      if (minute.current().refused >= (perMinute ?? Infinity)) return { retryAfter: minute.secondsLeft() }
      if (day.current().refused >= (perMinute ?? MANY_REFUSALS)) return { retryAfter: day.secondsLeft() }
      if (requests >= MAX_REQUESTS) return { retryAfter: 1 }
      requests++
      return { leave: () => void requests-- }
    },
  } satisfies RateLimit & Record<string, unknown>
}

export type ClientRateLimit = ReturnType<typeof createRateLimit>

export interface RateLimitsOptions extends RateLimitsParts {
  /** Names of users without limits. */
  exemptUsers: readonly string[]
  /** Of all clients, exempt or not. */
  inShare?: FairShare
}

/** The rate limits of all clients, which outlast connections. Keys that a key made share its limit. */
export function createRateLimits({ exemptUsers, inShare = createFairShare(), ...parts }: RateLimitsOptions) {
  const exempt = new Set(exemptUsers)
  const clients = new Map<string, ClientRateLimit>()
  const day = createWindow({ lengthMs: DAY_MS, ...parts })

  /** Clients of earlier days, once a day. */
  function forgetPassed(): void {
    if (!day.isOver()) return
    for (const [id, client] of clients) if (client.isForgettable()) clients.delete(id)
  }

  function limitOf(id: string, user: string): ClientRateLimit {
    const known = clients.get(id)
    if (known) return known
    forgetPassed()
    const limits = exempt.has(user) ? { ...parts, perMinute: null, perDay: null } : parts
    const made = createRateLimit(limits, (work, signal) => inShare(id, work, signal))
    clients.set(id, made)
    return made
  }

  /** Looks up the limit each time: connections of one client last longer than what is known of it. */
  function limitsOf({ rootId, user }: Pick<Principal, 'rootId' | 'user'>) {
    const current = (): ClientRateLimit => limitOf(rootId, user)
    return {
      take: () => current().take(),
      count: () => current().count(),
      figures: () => current().figures(),
      enter: () => current().enter(),
      gate: ((work, signal) => current().gate(work, signal)) as Gate,
    } satisfies RateLimit & Record<string, unknown>
  }
  return Object.assign(limitsOf, { size: () => clients.size })
}

export type RateLimits = ReturnType<typeof createRateLimits>

function countCalls(parts: WindowParts) {
  const window = createWindow(parts)
  let calls: Calls = { used: 0, refused: 0 }
  return {
    current(): Calls {
      if (window.isOver()) calls = { used: 0, refused: 0 }
      return calls
    },
    secondsLeft: window.secondsLeft,
  }
}

const runNow: Gate = (work) => work()

function remaining(limit: number | null, { used }: Calls): number | null {
  return limit === null ? null : Math.max(0, limit - used)
}

/** The text is part of the contract. */
export function tooManyCalls(seconds: number): string {
  return `Rate limit exceeded. Retry after ${seconds}s.`
}
