import type { ChangeKind } from '../port/change-feed.ts'
import type { Operation } from '../port/store.ts'
import { acquireLease, describeLease, releaseLease } from '../rows/leases.ts'

interface HoldInput {
  name: string
  holder: string
  ttlMs: number
  now: number
  /** What the holder did, for every process to see. `change`: reported to subscribers. */
  told?: { detail: string; change?: ChangeKind | undefined }
}

/** Takes or renews a lease, and stores what its holder did. False: another process holds it. */
export const holdLease: Operation<HoldInput, boolean> = {
  name: 'hold-lease',
  async run(tx, { told, ...lease }) {
    const isMine = await acquireLease(tx, lease)
    if (!isMine || !told) return isMine
    const { name, holder } = lease
    const { detail, change } = told
    return describeLease(tx, { name, holder, detail, ...(change && { change }) })
  },
}

export const dropLease: Operation<{ name: string; holder: string }, void> = {
  name: 'release-lease',
  run: releaseLease,
}
