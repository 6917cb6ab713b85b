import type { Context } from './context.ts'
import { statement } from './statements.ts'

/** Who of several processes does a job that must be done once: the row decides. */
export function leaseWrites({ db, spaceId }: Context) {
  const acquire = statement<[number, string, string, number, number]>(
    db,
    `INSERT INTO leases (space_id, name, holder, expires_at) VALUES (?, ?, ?, ?)
     ON CONFLICT DO UPDATE SET holder = excluded.holder, expires_at = excluded.expires_at
     WHERE holder = excluded.holder OR expires_at <= ?`,
  )
  const release = statement<[number, string, string]>(
    db,
    'DELETE FROM leases WHERE space_id = ? AND name = ? AND holder = ?',
  )
  return {
    acquireLease: (lease: { name: string; holder: string; ttlMs: number; now: number }): boolean =>
      acquire().run(spaceId, lease.name, lease.holder, lease.now + lease.ttlMs, lease.now).changes > 0,
    releaseLease(lease: { name: string; holder: string }): void {
      release().run(spaceId, lease.name, lease.holder)
    },
  }
}
