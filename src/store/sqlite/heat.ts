import type { Boost, Heat } from '../../core/port/heat.ts'
import { type Context, listParameter } from './context.ts'
import { statement } from './statements.ts'

/** Decay is lazy: what a node had, cooled by how far the heat clock went since. Pinned nodes keep theirs. */
export const EFFECTIVE_HEAT =
  'CASE WHEN h.pinned = 1 THEN h.value ELSE h.value * exp(h.clock - s.heat_clock) END'

/** Where a node stands in the order of heat, which time does not change; stone-cold ones come first. */
export function coldnessOf(value: string, clock: string): string {
  return `CASE WHEN ${value} > 0 THEN ln(${value}) + ${clock} ELSE -9e999 END`
}
export const COLDNESS = coldnessOf('value', 'clock')

const IS_LIVE = 'EXISTS (SELECT 1 FROM nodes n WHERE n.key = node_key AND n.removed_in IS NULL)'
/** What `coldness` of a row must be: what does not cool is not in the order. */
export const RIGHT_COLDNESS = `CASE WHEN pinned = 0 AND ${IS_LIVE} THEN ${COLDNESS} END`
/** What a boost makes of a row, by the parameters of the statement. */
const WARMED = 'min(1.0, CASE WHEN pinned = 1 THEN value ELSE value * exp(clock - @clock) END + @by)'
const LISTED = '(SELECT value FROM json_each(?))'

export function heatWrites({ db, spaceId }: Context) {
  const set = statement<[number | null, number | null, number, string]>(
    db,
    `UPDATE heat AS h SET value = coalesce(?, ${EFFECTIVE_HEAT}), clock = s.heat_clock, pinned = coalesce(?, h.pinned)
     FROM spaces s WHERE s.id = ? AND h.node_key IN ${LISTED}`,
  )
  const keyOf = statement<[string], { key: number }>(db, 'SELECT key FROM nodes WHERE id = ?')
  const clock = statement<[number], { clock: number; coldBelow: number }>(
    db,
    'SELECT heat_clock AS clock, cold_below AS coldBelow FROM spaces WHERE id = ?',
  )
  // One row, once, by its key: what is in the order is live, so its node need not be read.
  const warm = statement<
    [{ key: number; by: number; times: number; at: number; clock: number; coldBelow: number }]
  >(
    db,
    `UPDATE heat SET value = ${WARMED}, clock = @clock, accesses = accesses + @times, accessed_at = @at,
       coldness = CASE WHEN pinned = 0 THEN ${coldnessOf(WARMED, '@clock')} END,
       told = told AND ${WARMED} < @coldBelow
     WHERE node_key = @key AND (coldness IS NOT NULL OR (pinned = 1 AND ${IS_LIVE}))`,
  )
  // After every change of a value. Who is warm again may be reported again when it has cooled.
  const order = statement<[number, string]>(
    db,
    `UPDATE heat SET coldness = ${RIGHT_COLDNESS},
       told = told AND value < (SELECT cold_below FROM spaces WHERE id = ?)
     WHERE node_key IN ${LISTED}`,
  )
  const differing = statement<[{ space: number; documents: string; value: number }], { key: number }>(
    db,
    `SELECT n.key FROM spaces s, json_each(@documents) j CROSS JOIN nodes n ON n.document_id = j.value
     CROSS JOIN heat h ON h.node_key = n.key
     WHERE s.id = @space AND n.removed_in IS NULL AND ${EFFECTIVE_HEAT} <> @value`,
  )

  function setHeat(keys: number[], { value, pinned }: Partial<Heat>): void {
    const list = listParameter(keys)
    set().run(value ?? null, pinned === undefined ? null : Number(pinned), spaceId, list)
    order().run(spaceId, list)
  }

  return {
    setHeat,
    seedHeat(documentIds: number[], value: number): number {
      const rows = differing().all({ space: spaceId, documents: listParameter(documentIds), value })
      if (rows.length > 0)
        setHeat(
          rows.map((row) => row.key),
          { value },
        )
      return rows.length
    },
    boost(boosts: Boost[], at: number): void {
      if (boosts.length === 0) return
      const now = clock().get(spaceId)
      if (!now) return
      for (const { id, key = keyOf().get(id)?.key, by, times } of boosts)
        if (key !== undefined) warm().run({ key, by, times, ...now, at })
    },
  }
}
