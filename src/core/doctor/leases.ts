import { DAY_MS } from '../../util/text/duration.ts'
import { plural } from '../../util/text/units.ts'
import type { StoredRows } from '../port/scan.ts'
import type { WriteTx } from '../port/store.ts'
import { pagesOf } from '../rows/stored-pages.ts'
import { type DoctorTools, fail, pass, type RowChecks } from './check.ts'

/** Checks that no lease is held for longer than a day. */
export function leaseCheck({ now }: Pick<DoctorTools, 'now'>): RowChecks {
  let tooLong = 0
  return {
    see: {
      leases(row) {
        if (isTooLong(row, now)) tooLong++
      },
    },
    findings: {
      leases: () =>
        tooLong === 0
          ? pass('no lease is held for longer than a day')
          : fail(
              `${plural(tooLong, 'lease is', 'leases are')} held for longer than a day: their jobs do not run`,
            ),
    },
  }
}

/** No job takes that long: it was taken with a wrong clock, and blocks everyone else until then. */
export function isTooLong({ expiresAt }: Pick<StoredRows['leases'], 'expiresAt'>, now: number): boolean {
  return typeof expiresAt !== 'number' || expiresAt > now + DAY_MS
}

export async function healLeases(tx: WriteTx, { now }: Pick<DoctorTools, 'now'>): Promise<void> {
  for await (const page of pagesOf(tx, 'leases')) {
    const remove = page.filter((row) => isTooLong(row, now)).map(({ name }) => name)
    await tx.commit({ leases: { put: [], remove } })
  }
}
