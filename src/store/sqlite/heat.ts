import type { Heat, HeatRow } from '../../core/store.ts'
import { type Context, listParameter } from './context.ts'
import { statement } from './statements.ts'

/** Decay is lazy: what a node had, cooled by how far the heat clock went since. Pinned nodes keep theirs. */
export const EFFECTIVE_HEAT =
  'CASE WHEN h.pinned = 1 THEN h.value ELSE h.value * exp(h.clock - s.heat_clock) END'

export function heatReads({ db, spaceId }: Context) {
  const byKey = statement<[string, number], { key: number; value: number; pinned: number; accesses: number }>(
    db,
    `SELECT h.node_key AS key, ${EFFECTIVE_HEAT} AS value, h.pinned, h.accesses
     FROM spaces s, json_each(?) j JOIN heat h ON h.node_key = j.value WHERE s.id = ?`,
  )
  return {
    heat: (keys: number[]): HeatRow[] =>
      byKey()
        .all(listParameter(keys), spaceId)
        .map((row) => ({ ...row, pinned: row.pinned === 1 })),
  }
}

export function heatWrites({ db, spaceId }: Context) {
  const set = statement<[number | null, number | null, number, string]>(
    db,
    `UPDATE heat AS h SET value = coalesce(?, ${EFFECTIVE_HEAT}), clock = s.heat_clock, pinned = coalesce(?, h.pinned)
     FROM spaces s WHERE s.id = ? AND h.node_key IN (SELECT value FROM json_each(?))`,
  )
  const order = statement<[string]>(
    db,
    `UPDATE heat SET coldness = CASE WHEN pinned = 0 AND value > 0 THEN ln(value) + clock END
     WHERE node_key IN (SELECT value FROM json_each(?))`,
  )
  return {
    setHeat(keys: number[], { value, pinned }: Partial<Heat>): void {
      const list = listParameter(keys)
      set().run(value ?? null, pinned === undefined ? null : Number(pinned), spaceId, list)
      order().run(list)
    },
  }
}
