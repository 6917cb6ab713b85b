import type { ChangeKind } from '../../core/port/change-feed.ts'
import type { LeaseRow } from '../../core/port/leases.ts'
import { DAY_MS } from '../../util/duration.ts'
import type { ChangeRows } from './change-rows.ts'
import type { Context } from './context.ts'
import { statement } from './statements.ts'

interface Lease {
  name: string
  holder: string
  ttlMs: number
  now: number
}

interface Description {
  name: string
  holder: string
  detail: string
  change?: ChangeKind
}

/** No job takes longer than a day: a lease that would last longer was taken with a clock that was wrong. */
const HELD = 'expires_at > @now AND expires_at <= @now + @day'

export function leaseReads({ db, spaceId: space }: Context) {
  const find = statement<[{ space: number; name: string; now: number; day: number }], LeaseRow>(
    db,
    `SELECT holder, detail, expires_at AS expiresAt FROM leases
     WHERE space_id = @space AND name = @name AND ${HELD}`,
  )
  return {
    findLease: (name: string, now: number): LeaseRow | undefined =>
      find().get({ space, name, now, day: DAY_MS }),
  }
}

/** Who of several processes does a job that must be done once: the row decides. */
export function leaseWrites({ db, spaceId: space }: Context, rows: ChangeRows) {
  const acquire = statement<
    [{ space: number; name: string; holder: string; until: number; now: number; day: number }]
  >(
    db,
    `INSERT INTO leases (space_id, name, holder, expires_at) VALUES (@space, @name, @holder, @until)
     ON CONFLICT DO UPDATE SET holder = excluded.holder, expires_at = excluded.expires_at,
       detail = CASE WHEN holder = excluded.holder THEN detail END
     WHERE holder = excluded.holder OR NOT (${HELD})`,
  )
  const describe = statement<[{ space: number; name: string; holder: string; detail: string }]>(
    db,
    'UPDATE leases SET detail = @detail WHERE space_id = @space AND name = @name AND holder = @holder',
  )
  const release = statement<[number, string, string]>(
    db,
    'DELETE FROM leases WHERE space_id = ? AND name = ? AND holder = ?',
  )
  return {
    acquireLease: ({ name, holder, ttlMs, now }: Lease): boolean =>
      acquire().run({ space, name, holder, until: now + ttlMs, now, day: DAY_MS }).changes > 0,
    describeLease({ name, holder, detail, change }: Description): boolean {
      const isMine = describe().run({ space, name, holder, detail }).changes > 0
      if (isMine && change) rows.mean(change)
      return isMine
    },
    releaseLease(lease: { name: string; holder: string }): void {
      release().run(space, lease.name, lease.holder)
    },
  }
}
