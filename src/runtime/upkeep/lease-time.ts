import { DAY_MS } from '../../util/text/duration.ts'

/** The shortest lease, even for a shorter interval: a run may take this long, and its result stays readable for as long. */
const LEAST_MS = 10_000

/** Long enough that a late process keeps the job, short enough that a dead one is soon replaced. */
export function leaseMsOf(intervalMs: number): number {
  return Math.min(Math.max(2.5 * intervalMs, LEAST_MS), DAY_MS)
}
