import { dropLease, holdLease } from '../../core/heat/leases.ts'
import type { Store } from '../../core/port/store.ts'
import { findLease } from '../../core/rows/leases.ts'
import type { RescanMeta } from '../../mcp/model/observer.ts'
import type { SetTimer } from '../timing/timer.ts'
import { leaseMsOf } from '../upkeep/lease-time.ts'

export const RESCAN_LEASE = 'rescan'

export interface RescanLeaseInput {
  store: Store
  /** Told apart from every other process that looks. */
  holder: string
  now: () => number
}

/** Which of several processes looks at the source: one is enough, and the others show what it found. */
export function createRescanLease({ store, holder, now }: RescanLeaseInput) {
  let heldUntil = 0
  const name = RESCAN_LEASE

  /** Takes or renews it, and tells what was done. */
  async function hold(intervalMs: number, told?: { meta: RescanMeta; isNews: boolean }): Promise<boolean> {
    const at = now()
    const ttlMs = leaseMsOf(intervalMs)
    const news = told && {
      detail: JSON.stringify(told.meta),
      change: told.isNews ? ('rescan' as const) : undefined,
    }
    const isMine = await store.write(holdLease, { name, holder, ttlMs, now: at, ...(news && { told: news }) })
    heldUntil = isMine ? at + ttlMs : 0
    return isMine
  }
  const find = () => store.read((tx) => findLease(tx, name, now()))

  return {
    isMine: (): boolean => heldUntil > now(),
    /** True when the job is this process's until after the next look. Whoever does not get it writes nothing. */
    async take(intervalMs: number): Promise<boolean> {
      if (heldUntil - now() > intervalMs) return true
      const found = await find()
      if (!found || found.holder === holder) return hold(intervalMs)
      heldUntil = 0
      return false
    },
    /** For all processes to see; `isNews`: and to be told of. */
    publish: (intervalMs: number, meta: RescanMeta, isNews: boolean): Promise<boolean> =>
      hold(intervalMs, { meta, isNews }),
    /** Another process has the job, and has not finished a look yet. */
    async isOthersFirst(): Promise<boolean> {
      const found = await find()
      return found !== undefined && found.holder !== holder && found.detail === null
    },
    /** What whoever has the job last found. */
    async findMeta(): Promise<RescanMeta | undefined> {
      const detail = (await find())?.detail
      return detail ? (JSON.parse(detail) as RescanMeta) : undefined
    },
    /** Goes on holding it until the answer is called: for a look that takes long. */
    keep(intervalMs: number, setTimer: SetTimer, onError: (error: unknown) => void): () => void {
      const everyMs = leaseMsOf(intervalMs) / 3
      let cancel = setTimer(renew, everyMs)
      function renew(): void {
        void hold(intervalMs).catch(onError)
        cancel = setTimer(renew, everyMs)
      }
      return () => cancel()
    },
    async release(): Promise<void> {
      if (heldUntil === 0) return
      heldUntil = 0
      await store.write(dropLease, { name, holder })
    },
  }
}
