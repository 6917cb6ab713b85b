import { dropLease } from '../../core/heat/leases.ts'
import { TICK_LEASE, type TickResult, tick } from '../../core/heat/tick.ts'
import type { Store } from '../../core/port/store.ts'
import type { Archived } from '../../core/records/archive.ts'
import type { ColdRow } from '../../core/rows/heat.ts'
import type { Temperature } from '../settings/temperature.ts'
import { guard } from '../timing/handler.ts'
import { CHECK_MS, type SetTimer, setIdleTimer, startLoop } from '../timing/timer.ts'
import { leaseMsOf } from './lease-time.ts'

export interface TickerParts {
  store: Store
  /** Unique among the processes that tick. */
  holder: string
  now: () => number
  /** Asked before every tick: settings may change while it runs. */
  temperature: () => Temperature
  /** Archives due records; runs with each tick. */
  archive?: () => Promise<Archived>
  /** Removes keys that have expired; every process does that. */
  sweep?: () => Promise<void>
}

export interface TickerHandlers {
  /** Nodes that became cold, coldest first. */
  onCold?: (nodes: ColdRow[]) => void
  /** Records that were archived by this tick, if any were. */
  onArchived?: (archived: Archived) => void
  /** A tick that failed; the next one is tried all the same. */
  onError?: (error: unknown) => void
  setTimer?: SetTimer
}

export interface Ticker {
  /** No tick begins after this; another process can take over immediately. */
  stop(): Promise<void>
}

/** One tick now, unless another process has the job. Only a running ticker keeps the job. */
export function tickOnce(
  parts: TickerParts,
  { report, keep }: { report: boolean; keep: boolean },
): Promise<TickResult> {
  const { enabled, ratePerHour, notifyBelow, reportLimit, tickIntervalMs } = parts.temperature()
  return tick(parts.store, {
    now: parts.now(),
    enabled,
    ratePerHour,
    holder: parts.holder,
    leaseMs: keep ? leaseMsOf(tickIntervalMs) : 0,
    report: report ? { below: notifyBelow, limit: reportLimit } : null,
  })
}

/** Ticks now and then at every interval, and reports nodes that became cold. Does not keep the process alive. */
export function startTicker(parts: TickerParts, handlers: TickerHandlers = {}): Ticker {
  const { setTimer = setIdleTimer } = handlers
  const onError = guard(handlers.onError ?? (() => undefined))
  const onCold = handlers.onCold && guard(handlers.onCold, onError)
  const onArchived = handlers.onArchived && guard(handlers.onArchived, onError)
  let reportedAt = Number.NEGATIVE_INFINITY
  let tickedAt = Number.NEGATIVE_INFINITY

  async function once(): Promise<void> {
    await parts.sweep?.()
    const { reportEveryMs } = parts.temperature()
    const isDue = onCold !== undefined && parts.now() - reportedAt >= reportEveryMs
    const { hours, cold } = await tickOnce(parts, { report: isDue, keep: true })
    if (cold.length > 0) {
      reportedAt = parts.now()
      onCold?.(cold)
    }
    if (hours !== null) await archive()
  }

  async function archive(): Promise<void> {
    const archived = await parts.archive?.()
    if (archived && archived.learnings + archived.tasks > 0) onArchived?.(archived)
  }

  async function tickWhenDue(): Promise<void> {
    if (remainingMs() > 0) return
    await once().catch(onError)
    tickedAt = parts.now()
  }
  function remainingMs(): number {
    // A clock that was set back must not make it wait until it is that late again.
    tickedAt = Math.min(tickedAt, parts.now())
    return tickedAt + parts.temperature().tickIntervalMs - parts.now()
  }
  const waitMs = (): number => Math.max(0, Math.min(remainingMs(), CHECK_MS))
  const loop = startLoop(tickWhenDue, { waitMs, setTimer })

  return {
    async stop() {
      await loop.stop()
      await parts.store.write(dropLease, { name: TICK_LEASE, holder: parts.holder })
    },
  }
}
