import type { HeatRow, NodeHeatRow } from '../../core/port/heat.ts'
import { type Context, listParameter } from './context.ts'
import { limitOf, statement } from './statements.ts'

/** Decay is lazy: what a node had, cooled by how far the heat clock went since. Pinned nodes keep theirs. */
export const EFFECTIVE_HEAT =
  'CASE WHEN h.pinned = 1 THEN h.value ELSE h.value * exp(h.clock - s.heat_clock) END'

const IS_LIVE = 'EXISTS (SELECT 1 FROM nodes n WHERE n.key = node_key AND n.removed_in IS NULL)'
/** What `coldness` of a row must be: what does not cool is not in the order. */
export const RIGHT_COLDNESS = `CASE WHEN pinned = 0 AND ${IS_LIVE} THEN coldness_of(value, clock) END`
export function heatReads({ db, spaceId }: Context) {
  const byKey = statement<[string, number], { key: number; value: number; pinned: number; accesses: number }>(
    db,
    `SELECT h.node_key AS key, ${EFFECTIVE_HEAT} AS value, h.pinned, h.accesses
     FROM spaces s, json_each(?) j JOIN heat h ON h.node_key = j.value WHERE s.id = ?`,
  )
  const listed = statement<
    [{ space: number; after: number; limit: number }],
    Omit<NodeHeatRow, 'pinned'> & { pinned: number }
  >(
    db,
    `SELECT n.key, n.id, n.label, coalesce(${EFFECTIVE_HEAT}, 0) AS value, coalesce(h.pinned, 0) AS pinned
     FROM spaces s CROSS JOIN nodes n LEFT JOIN heat h ON h.node_key = n.key
     WHERE s.id = @space AND n.key > @after AND n.removed_in IS NULL ORDER BY n.key ${limitOf('@limit')}`,
  )
  return {
    heat: (keys: number[]): HeatRow[] =>
      byKey()
        .all(listParameter(keys), spaceId)
        .map(({ key, value, pinned, accesses }) => ({ key, value, pinned: pinned === 1, accesses })),
    listNodeHeat: ({ limit, after = 0 }: { limit: number; after?: number }): NodeHeatRow[] =>
      listed()
        .all({ space: spaceId, after, limit })
        .map((row) => ({ ...row, pinned: row.pinned === 1 })),
  }
}
