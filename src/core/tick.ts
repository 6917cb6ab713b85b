import type { Store } from './store.ts'
import type { ColdRow, TickInput } from './store-heat.ts'

export const TICK_LEASE = 'tick'

export interface TickSettings extends TickInput {
  /** Who is ticking: several processes share the job, one at a time. */
  holder: string
  leaseMs: number
  /** Take the nodes that fell below a heat, if anybody wants to know. */
  report: { below: number; limit: number } | null
}

export interface TickResult {
  /** Hours of cooling that were charged; null when another process has the job and nothing was done. */
  hours: number | null
  /** What became cold, coldest first: each node is in one answer for each time it falls. */
  cold: ColdRow[]
}

/** Lets time pass for every node, unless another process does. A frozen memory reports nothing. */
export function tick(store: Store, settings: TickSettings): Promise<TickResult> {
  const { holder, leaseMs: ttlMs, report, now, enabled } = settings
  return store.write(async (tx) => {
    const isMine = await tx.acquireLease({ name: TICK_LEASE, holder, ttlMs, now })
    if (!isMine) return { hours: null, cold: [] }
    const hours = await tx.tickHeat(settings)
    const cold = report && enabled ? await tx.takeNewlyCold(report) : []
    // Who does it only once keeps nobody else from it, whatever clocks do.
    if (ttlMs === 0) await tx.releaseLease({ name: TICK_LEASE, holder })
    return { hours, cold }
  })
}
