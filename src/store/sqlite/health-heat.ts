import { INITIAL_HEAT } from '../../core/write/coldness.ts'
import { DAY_MS } from '../../util/duration.ts'
import { plural } from '../../util/terminal-units.ts'
import { type Check, countOf, fail, pass } from './check.ts'
import type { Context } from './context.ts'
import { RIGHT_COLDNESS } from './heat.ts'

const SPACE_CLOCK = '(SELECT heat_clock FROM spaces)'

const WITHOUT = 'removed_in IS NULL AND NOT EXISTS (SELECT 1 FROM heat h WHERE h.node_key = nodes.key)'
/** Types too: a column takes what a hand puts in. */
const OUT_OF_RANGE = `(typeof(value) NOT IN ('real', 'integer') OR value NOT BETWEEN 0 AND 1
  OR typeof(clock) NOT IN ('real', 'integer') OR clock > ${SPACE_CLOCK})`
/** The logarithm may differ in its last digit between machines. */
const OUT_OF_ORDER = `(coldness IS NULL) <> (${RIGHT_COLDNESS} IS NULL)
  OR (coldness <> ${RIGHT_COLDNESS} AND NOT abs(coldness - ${RIGHT_COLDNESS}) < 1e-9)`

export function heatCheck({ db, spaceId, now }: Context): Check {
  const isAhead = (): boolean =>
    countOf(db, `SELECT count(*) AS count FROM spaces WHERE heat_ticked_at > ${now() + DAY_MS}`) > 0
  return {
    name: 'heat',
    run() {
      const without = countOf(db, `SELECT count(*) AS count FROM nodes WHERE ${WITHOUT}`)
      if (without > 0) return fail(`${plural(without, 'node has', 'nodes have')} no heat`)
      const wrong = countOf(db, `SELECT count(*) AS count FROM heat WHERE ${OUT_OF_RANGE}`)
      if (wrong > 0) return fail(`${plural(wrong, 'node has', 'nodes have')} an impossible heat`)
      const misplaced = countOf(db, `SELECT count(*) AS count FROM heat WHERE ${OUT_OF_ORDER}`)
      if (misplaced > 0)
        return fail(`${plural(misplaced, 'node is', 'nodes are')} in the wrong place in the order of heat`)
      return isAhead()
        ? fail('the heat clock is ahead of time: nothing cools')
        : pass('every node has its heat')
    },
    heal() {
      if (isAhead()) db.prepare('UPDATE spaces SET heat_ticked_at = ? WHERE id = ?').run(now(), spaceId)
      db.exec(`INSERT INTO heat (node_key, value, clock)
        SELECT key, ${INITIAL_HEAT}, ${SPACE_CLOCK} FROM nodes WHERE ${WITHOUT}`)
      db.exec(`UPDATE heat SET clock = ${SPACE_CLOCK}, value = CASE WHEN typeof(value) NOT IN ('real', 'integer')
        THEN ${INITIAL_HEAT} ELSE max(0, min(1, value)) END WHERE ${OUT_OF_RANGE}`)
      db.exec(`UPDATE heat SET coldness = ${RIGHT_COLDNESS} WHERE ${OUT_OF_ORDER}`)
    },
  }
}

/** No job takes that long: somebody's clock was wrong, and nobody else could do it until then. */
export function leasesCheck({ db, now }: Context): Check {
  const tooLong = (): string => `expires_at > ${now() + DAY_MS}`
  return {
    name: 'leases',
    run() {
      const count = countOf(db, `SELECT count(*) AS count FROM leases WHERE ${tooLong()}`)
      return count === 0
        ? pass('no lease is held for longer than a day')
        : fail(
            `${plural(count, 'lease is', 'leases are')} held for longer than a day: nobody does their jobs`,
          )
    },
    heal() {
      db.exec(`DELETE FROM leases WHERE ${tooLong()}`)
    },
  }
}
