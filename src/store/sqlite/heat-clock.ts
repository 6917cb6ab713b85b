import type { TickInput } from '../../core/port/heat.ts'
import { DAY_MS, HOUR_MS } from '../../util/duration.ts'
import type { ChangeRows } from './change-rows.ts'
import type { Context } from './context.ts'
import { statement } from './statements.ts'

/** The one row that makes everything cool. Time is charged by the wall clock, whoever ticks and however often. */
export function heatClockWrites({ db, spaceId }: Context, rows: ChangeRows) {
  const read = statement<[number], { ticked_at: number; frozen: number }>(
    db,
    'SELECT heat_ticked_at AS ticked_at, heat_frozen AS frozen FROM spaces WHERE id = ?',
  )
  const move = statement<[number, number, number, number]>(
    db,
    `UPDATE spaces SET heat_clock = heat_clock + ?, heat_ticked_at = ?, heat_frozen = ? WHERE id = ?`,
  )
  // Pinned nodes have no coldness, and stone-cold ones no heat to lose. Each half is one look into the index.
  const canCool = statement<[], { answer: number }>(
    db,
    `SELECT EXISTS (SELECT 1 FROM heat WHERE told = 0 AND coldness > -9e999)
       OR EXISTS (SELECT 1 FROM heat WHERE told = 1 AND coldness > -9e999) AS answer`,
  )
  return {
    tickHeat({ now, ratePerHour, enabled }: TickInput): number {
      const clock = read().get(spaceId)
      if (!clock || (!enabled && clock.frozen)) return 0
      // Somebody ticked with a clock that was wrong: nothing would cool until that time.
      const isFarAhead = clock.ticked_at - now > DAY_MS
      // The time in which it was frozen, or in which it came to be, is charged to nobody.
      if (!enabled || clock.frozen || isFarAhead) {
        move().run(0, now, enabled ? 0 : 1, spaceId)
        return 0
      }
      const hours = (now - clock.ticked_at) / HOUR_MS
      if (hours <= 0) return 0
      move().run(hours * ratePerHour, now, 0, spaceId)
      if (ratePerHour > 0 && canCool().get()?.answer === 1) rows.mean('tick')
      return hours
    },
  }
}
