/**
 * A clock that never goes back. While `now` is behind an earlier value, because the system clock was set back, time
 * advances by the monotonic `elapsed`; once `now` has caught up it counts again. Whole milliseconds.
 */
export function createSteadyClock(now: () => number, elapsed: () => number = () => performance.now()) {
  let last = Number.NEGATIVE_INFINITY
  let ticks = elapsed()
  return (): number => {
    const time = now()
    const passed = Math.max(0, Math.floor(elapsed() - ticks))
    ticks += passed
    last = time >= last ? time : Math.max(time, last + passed)
    return last
  }
}
