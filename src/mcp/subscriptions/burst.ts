export interface BurstInput {
  /** A burst of changes with pauses shorter than this is one, and over when it paused so long. Milliseconds. */
  windowMs: number
  /** However long a burst, it is told after this time; a window that is longer counts instead. */
  maxWaitMs: number
  /** Calls `work` once after `ms`; the answer takes that back. */
  setTimer: (work: () => void, ms: number) => () => void
  /** Milliseconds of any clock. */
  now: () => number
  /** Called once for each burst, after its last change, and in one that goes on. */
  fire: () => void
}

export function createBurst({ windowMs, maxWaitMs, setTimer, now, fire }: BurstInput) {
  const waitMs = Math.max(windowMs, maxWaitMs)
  let first = 0
  let last = 0
  let cancel: (() => void) | undefined

  function look(): void {
    const at = now()
    const remainingMs = Math.min(last + windowMs, first + waitMs) - at
    // A clock that was set back must not make it wait until it is that late again.
    if (remainingMs > 0 && at >= last) {
      cancel = setTimer(look, remainingMs)
      return
    }
    cancel = undefined
    fire()
  }

  return {
    touch(): void {
      last = now()
      // One timer for a burst: it looks when it fires whether there was more meanwhile.
      if (cancel) {
        first = Math.min(first, last)
        return
      }
      first = last
      cancel = setTimer(look, windowMs)
    },
    close(): void {
      cancel?.()
      cancel = undefined
    },
  }
}
