import { dropLease, holdLease } from '../../core/heat/leases.ts'
import { type PruneDeps, type PruneInput, type PruneResult, pruneHistory } from '../../core/history/prune.ts'
import type { Store } from '../../core/port/store.ts'
import { HOUR_MS } from '../../util/text/duration.ts'
import { CHECK_MS, type SetTimer, setIdleTimer, startLoop } from '../timing/timer.ts'
import { leaseMsOf } from './lease-time.ts'

export const PRUNE_LEASE = 'prune'

export interface PrunerParts extends Pick<PruneDeps, 'maintenance' | 'now'> {
  store: Pick<Store, 'read' | 'write'>
  /** Unique among the processes that prune. */
  holder: string
  /** Asked before every run: settings may change. Null: nothing is pruned. */
  settings: () => PruneInput | null
}

export interface PrunerHandlers {
  /** A run that removed something. */
  onPruned?: (result: PruneResult) => void
  /** Called once, until it works again. */
  onError: (error: unknown) => void
  setTimer?: SetTimer
}

/** Prunes history now and then, in one process at a time. Does not keep the process alive. */
export function startPruner(
  { holder, settings, ...deps }: PrunerParts,
  { onPruned = () => undefined, onError, setTimer = setIdleTimer }: PrunerHandlers,
): { stop(): Promise<void> } {
  const { store, now } = deps
  const stopping = new AbortController()
  // The first requests come first.
  let dueAt = now() + CHECK_MS
  let hasFailed = false
  let isHolder = false

  async function pruneWhenDue(): Promise<void> {
    // A clock that was set back must not make it wait until it is that late again.
    dueAt = Math.min(dueAt, now() + HOUR_MS)
    const input = settings()
    if (!input || now() < dueAt) return
    dueAt = now() + HOUR_MS
    try {
      isHolder = await store.write(holdLease, {
        name: PRUNE_LEASE,
        holder,
        ttlMs: leaseMsOf(HOUR_MS),
        now: now(),
      })
      if (isHolder) await prune(input)
      hasFailed = false
    } catch (error) {
      if (!hasFailed && !stopping.signal.aborted) onError(error)
      hasFailed = true
    }
  }
  async function prune(input: PruneInput): Promise<void> {
    const { signal } = stopping
    const pause = (ms: number): Promise<void> => pausing(ms, setTimer, signal)
    const result = await pruneHistory({ ...deps, pause, signal, inBackground: true }, input)
    if (result.snapshots > 0) onPruned(result)
  }

  const loop = startLoop(pruneWhenDue, { waitMs: () => CHECK_MS, setTimer })
  return {
    async stop() {
      stopping.abort()
      await loop.stop()
      if (isHolder) await store.write(dropLease, { name: PRUNE_LEASE, holder })
    },
  }
}

/** Ends early where the signal aborts. */
export function pausing(ms: number, setTimer: SetTimer, signal?: AbortSignal): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  const cancel = setTimer(resolve, ms)
  signal?.addEventListener('abort', () => resolve(), { once: true })
  return promise.finally(cancel)
}
