/** Calls `work` once after `ms`; the answer takes that back. Tests give one that does not wait. */
export type SetTimer = (work: () => void, ms: number) => () => void

/** Whoever does something at an interval looks as often whether the interval was changed meanwhile. */
export const CHECK_MS = 30_000

/** The process stays until it has fired: for what must not be lost. */
export const setTimer: SetTimer = (work, ms) => {
  const timer = setTimeout(work, ms)
  return () => clearTimeout(timer)
}

/** The process may end before: for what can wait until the next one. */
export const setIdleTimer: SetTimer = (work, ms) => {
  const timer = setTimeout(work, ms)
  timer.unref()
  return () => clearTimeout(timer)
}

/** Waits for `work`, but not longer than `ms`. */
export async function atMost(ms: number, work: Promise<void>): Promise<void> {
  const late = Promise.withResolvers<void>()
  const cancel = setIdleTimer(late.resolve, ms)
  await Promise.race([work, late.promise])
  cancel()
}
