import { DAY_MS } from '../../util/duration.ts'
import type { Context } from './context.ts'
import { statement } from './statements.ts'

interface Lease {
  name: string
  holder: string
  ttlMs: number
  now: number
}

/**
 * Who of several processes does a job that must be done once: the row decides. No job takes longer than a day: a lease that
 * would last longer was taken with a clock that was wrong, and counts for nothing.
 */
export function leaseWrites({ db, spaceId }: Context) {
  const acquire = statement<[number, string, string, number, number, number]>(
    db,
    `INSERT INTO leases (space_id, name, holder, expires_at) VALUES (?, ?, ?, ?)
     ON CONFLICT DO UPDATE SET holder = excluded.holder, expires_at = excluded.expires_at
     WHERE holder = excluded.holder OR expires_at <= ? OR expires_at > ?`,
  )
  const release = statement<[number, string, string]>(
    db,
    'DELETE FROM leases WHERE space_id = ? AND name = ? AND holder = ?',
  )
  return {
    acquireLease({ name, holder, ttlMs, now }: Lease): boolean {
      return acquire().run(spaceId, name, holder, now + ttlMs, now, now + DAY_MS).changes > 0
    },
    releaseLease(lease: { name: string; holder: string }): void {
      release().run(spaceId, lease.name, lease.holder)
    },
  }
}
