import { DAY_MS } from '../../util/text/duration.ts'
import type { ChangeKind } from '../port/change-feed.ts'
import type { LeaseRow } from '../port/leases.ts'
import type { ScanReads } from '../port/scan.ts'
import type { WriteTx } from '../port/store.ts'

type LeaseReads = Pick<ScanReads, 'scan'>
type LeaseTx = Pick<WriteTx, 'scan' | 'commit'>

/** The stored lease, expired or not. */
async function storedLease(tx: LeaseReads, name: string): Promise<LeaseRow | undefined> {
  const [lease] = await tx.scan('leases', { of: { name: [name] }, limit: 1 })
  return lease as LeaseRow | undefined
}

/** Undefined: not held at `now`. */
export async function findLease(tx: LeaseReads, name: string, now: number): Promise<LeaseRow | undefined> {
  const lease = await storedLease(tx, name)
  return lease && isHeld(lease, now) ? lease : undefined
}

/** True if `holder` has the lease until `now + ttlMs`. A new holder starts without detail. */
export async function acquireLease(
  tx: LeaseTx,
  { name, holder, ttlMs, now }: { name: string; holder: string; ttlMs: number; now: number },
): Promise<boolean> {
  const before = await storedLease(tx, name)
  const isMine = before?.holder === holder
  if (before && !isMine && isHeld(before, now)) return false
  const detail = isMine ? before.detail : null
  await tx.commit({ leases: { put: [{ name, holder, detail, expiresAt: now + ttlMs }], remove: [] } })
  return true
}

/**
 * Records what the holder did, for every process on this memory: it must not contain content that could be erased.
 * Returns false, and stores nothing, if another process has the lease. `change` is reported to subscribers.
 */
export async function describeLease(
  tx: LeaseTx,
  { name, holder, detail, change }: { name: string; holder: string; detail: string; change?: ChangeKind },
): Promise<boolean> {
  const before = await storedLease(tx, name)
  if (before?.holder !== holder) return false
  const leases = { put: [{ ...before, detail }], remove: [] }
  await tx.commit({ leases, ...(change && { changes: [change] }) })
  return true
}

export async function releaseLease(
  tx: LeaseTx,
  { name, holder }: { name: string; holder: string },
): Promise<void> {
  if ((await storedLease(tx, name))?.holder === holder)
    await tx.commit({ leases: { put: [], remove: [name] } })
}

/** No job takes longer than a day: a longer lease was taken with a wrong clock. */
function isHeld({ expiresAt }: LeaseRow, now: number): boolean {
  return expiresAt > now && expiresAt <= now + DAY_MS
}
