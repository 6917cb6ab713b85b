import { DAY_MS } from '../../util/text/duration.ts'

/** A turn may take as long however short the interval is, and so long others can read what was last done. */
const LEAST_MS = 10_000

/** Long enough that who is late does not lose the job, short enough that a dead process is soon replaced. */
export function leaseMsOf(intervalMs: number): number {
  return Math.min(Math.max(2.5 * intervalMs, LEAST_MS), DAY_MS)
}
