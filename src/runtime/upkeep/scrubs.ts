import type { Maintenance, Store } from '../../core/port/store.ts'
import { CHECK_MS, type SetTimer, setIdleTimer, startLoop } from '../timing/timer.ts'

export interface ScrubParts {
  store: Pick<Store, 'read'>
  maintenance: Pick<Maintenance, 'scrub'>
}

export interface ScrubHandlers {
  /** Called once, until it works again. */
  onError: (error: unknown) => void
  setTimer?: SetTimer
}

/** Overwrites removed text on disk, if any is pending. `false`: some still is. */
export async function finishScrubs(
  { store, maintenance }: ScrubParts,
  options?: { wait?: boolean },
): Promise<boolean> {
  const { pendingScrubs: pending } = await store.read((tx) => tx.state())
  return pending === 0 || maintenance.scrub(options)
}

/**
 * Finishes erasures that a reader or a crash interrupted, of this process or another: now, and then at an interval. Does not
 * keep the process alive.
 */
export function startScrubs(
  parts: ScrubParts,
  { onError, setTimer = setIdleTimer }: ScrubHandlers,
): { stop(): Promise<void> } {
  let hasFailed = false

  async function finish(): Promise<void> {
    try {
      await finishScrubs(parts, { wait: false })
      hasFailed = false
    } catch (error) {
      if (!hasFailed) onError(error)
      hasFailed = true
    }
  }
  return startLoop(finish, { waitMs: () => CHECK_MS, setTimer })
}
