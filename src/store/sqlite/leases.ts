import type { LeaseRow } from '../../core/port/leases.ts'
import type { WriteSet } from '../../core/port/write-set.ts'
import type { Context } from './context.ts'
import { statement } from './statements.ts'

export function leaseWrites({ db, spaceId: space }: Context) {
  const put = statement<[LeaseRow & { space: number }]>(
    db,
    `INSERT OR REPLACE INTO leases (space_id, name, holder, expires_at, detail)
     VALUES (@space, @name, @holder, @expiresAt, @detail)`,
  )
  const remove = statement<[number, string]>(db, 'DELETE FROM leases WHERE space_id = ? AND name = ?')
  return (leases: NonNullable<WriteSet['leases']>): void => {
    for (const lease of leases.put) put().run({ space, ...lease })
    for (const name of leases.remove) remove().run(space, name)
  }
}
