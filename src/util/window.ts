import { monotonicMs } from './monotonic.ts'

export interface WindowParts {
  lengthMs: number
  /** Unix milliseconds, by a clock that may be set. */
  now: () => number
  /** Milliseconds by a clock that is never set. */
  elapsed?: (() => number) | undefined
}

export type Window = ReturnType<typeof createWindow>

/** Fixed windows of UTC for what is counted in them. A clock that is set back begins no new one before the time of one has passed. */
export function createWindow({ lengthMs, now, elapsed = monotonicMs }: WindowParts) {
  const numberOf = (): number => Math.floor(now() / lengthMs)
  let number = numberOf()
  let since = elapsed()
  const leftMs = (): number =>
    numberOf() < number ? since + lengthMs - elapsed() : (number + 1) * lengthMs - now()

  return {
    /** True once after each: what was counted in it no longer holds. */
    isOver(): boolean {
      if (leftMs() > 0) return false
      number = numberOf()
      since = elapsed()
      return true
    },
    /** Until it is over. At least 1. */
    secondsLeft: (): number => Math.max(1, Math.ceil(leftMs() / 1000)),
  }
}
