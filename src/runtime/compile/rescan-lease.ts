import { dropLease, holdLease } from '../../core/heat/leases.ts'
import type { Store } from '../../core/port/store.ts'
import { findLease } from '../../core/rows/leases.ts'
import type { RescanMeta } from '../../mcp/model/observer.ts'
import type { SetTimer } from '../timing/timer.ts'
import { leaseMsOf } from '../upkeep/lease-time.ts'

export const RESCAN_LEASE = 'rescan'

export interface RescanLeaseInput {
  store: Store
  /** Unique among the processes that scan. */
  holder: string
  now: () => number
}

/** Elects one of several processes to scan the source: one is enough, and the others show its result. */
export function createRescanLease({ store, holder, now }: RescanLeaseInput) {
  let heldUntil = 0
  const name = RESCAN_LEASE

  /** Takes or renews the lease, and publishes the last result. */
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
    /** True if this process has the job until after the next scan. A process without the job writes nothing. */
    async take(intervalMs: number): Promise<boolean> {
      if (heldUntil - now() > intervalMs) return true
      const found = await find()
      if (!found || found.holder === holder) return hold(intervalMs)
      heldUntil = 0
      return false
    },
    /** Visible to all processes; `isNews`: they are also notified. */
    publish: (intervalMs: number, meta: RescanMeta, isNews: boolean): Promise<boolean> =>
      hold(intervalMs, { meta, isNews }),
    /** Another process has the job, and has not finished a scan yet. */
    async isOthersFirst(): Promise<boolean> {
      const found = await find()
      return found !== undefined && found.holder !== holder && found.detail === null
    },
    /** The last result of the process that has the job. */
    async findMeta(): Promise<RescanMeta | undefined> {
      const detail = (await find())?.detail
      return detail ? (JSON.parse(detail) as RescanMeta) : undefined
    },
    /** Keeps the lease until the returned function is called: for a long scan. */
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
