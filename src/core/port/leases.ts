import type { ChangeKind } from './change-feed.ts'

/** Who does a job that only one of several processes may do, and what it last did. */
export interface LeaseRow {
  holder: string
  /** As its holder told it, JSON; null when it told nothing yet. */
  detail: string | null
  /** Milliseconds since 1970. */
  expiresAt: number
}

export interface LeaseReads {
  /** Undefined: nobody holds it at `now`. */
  findLease(name: string, now: number): Promise<LeaseRow | undefined>
}

export interface LeaseWrites {
  /** True when `holder` has the lease until `now + ttlMs`: nobody else holds it. A new holder begins without detail. */
  acquireLease(lease: { name: string; holder: string; ttlMs: number; now: number }): Promise<boolean>
  /**
   * Tells what the holder did: for every process on this memory to see, so nothing that could be erased. False, and
   * nothing is stored, when somebody else has the lease. With `change` whoever watches is told that this happened.
   */
  describeLease(lease: {
    name: string
    holder: string
    detail: string
    change?: ChangeKind
  }): Promise<boolean>
  releaseLease(lease: { name: string; holder: string }): Promise<void>
}
