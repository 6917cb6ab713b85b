import { isEmpty, type Plan } from './plan.ts'
import type { NodeChange, WriteSteps } from './port/store.ts'
import type { LazySnapshot } from './snapshot.ts'

/** Changes sent to the store at once; the next batch is prepared while it works on this one. */
const BATCH = 512
const MAX_IN_FLIGHT = 4

export interface Counts {
  added: number
  modified: number
  removed: number
}

/** Carries plans out, in batches, without waiting for each: the store works while the next plan is made. */
export function createApplier(
  tx: WriteSteps,
  snapshot: Pick<LazySnapshot, 'id'>,
  onPlan?: (plan: Plan) => void,
) {
  const counts: Counts = { added: 0, modified: 0, removed: 0 }
  const inFlight: Promise<void>[] = []
  let buffer: NodeChange[] = []

  async function send(changes: NodeChange[]): Promise<void> {
    if (changes.length === 0) return
    const id = await snapshot.id()
    inFlight.push(tx.applyChanges(id, changes))
    if (inFlight.length > MAX_IN_FLIGHT) await inFlight.shift()
  }

  return {
    counts,
    async apply(plan: Plan): Promise<void> {
      if (isEmpty(plan)) return
      onPlan?.(plan)
      for (const { op } of plan.changes) counts[COUNTER[op]]++
      buffer = buffer.concat(plan.changes)
      if (plan.settledOverlays.length > 0) await tx.deleteOverlays(plan.settledOverlays)
      if (plan.overlays.length > 0) await tx.putOverlays(plan.overlays)
      let sent = 0
      for (; sent + BATCH <= buffer.length; sent += BATCH) await send(buffer.slice(sent, sent + BATCH))
      buffer = buffer.slice(sent)
    },
    /** Everything is on its way; nobody waits until it is there. */
    async send(): Promise<void> {
      const rest = buffer
      buffer = []
      await send(rest)
    },
    async finish(): Promise<Counts> {
      await this.send()
      await Promise.all(inFlight)
      return counts
    },
  }
}

const COUNTER = { add: 'added', mod: 'modified', rem: 'removed' } as const

export type Applier = ReturnType<typeof createApplier>
