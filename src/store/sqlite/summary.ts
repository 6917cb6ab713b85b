import type { HistoryCost } from '../../core/port/history.ts'
import type { HeatSummary, SpaceSummary } from '../../core/port/store.ts'
import type { Context } from './database/context.ts'
import { EFFECTIVE_HEAT, HEAT_CLOCK } from './database/rows.ts'
import { statement } from './database/statements.ts'
import { whileUnchanged } from './database/unchanged.ts'
import { byColdness, coldnessNow, PINNED } from './nodes/node-orders.ts'

type Sums = Record<'count' | 'sum' | 'hot' | 'cold', number>
type Thresholds = [{ space: number; hot: number; cold: number }]

/** Covered by the index on coldness, which has every node that cools: no table is read. */
export const COOLING_SUMS = `SELECT count(*) AS count, total(exp(coldness - ${HEAT_CLOCK})) AS sum,
    total(coldness >= ${coldnessNow('@hot')}) AS hot, total(coldness < ${coldnessNow('@cold')}) AS cold
  FROM heat WHERE coldness IS NOT NULL`

const PINNED_SUMS = `SELECT count(*) AS count, total(value) AS sum, total(value >= @hot) AS hot, total(value < @cold) AS cold
  FROM (${PINNED})`

/**
 * The median node. Pinned nodes can move it by at most their number, so only that part of the index is merged with
 * them.
 */
export const MIDDLE = `SELECT value FROM (
    SELECT ${EFFECTIVE_HEAT} AS value FROM (${byColdness('', 'LIMIT @pinned + 1 OFFSET @skipped')}) m
      CROSS JOIN heat h ON h.node_key = m.node_key
    UNION ALL SELECT value FROM (${PINNED}))
  ORDER BY value LIMIT 1 OFFSET @place`

const PRESENT_TEXTS = `SELECT text_id FROM nodes WHERE text_id IS NOT NULL
  UNION SELECT text_id FROM documents WHERE text_id IS NOT NULL
  UNION SELECT v.text_id FROM documents d JOIN document_versions v ON v.document_id = d.id
    WHERE d.appended = 1 AND v.text_id IS NOT NULL`

/** `octet_length` does not read the texts. */
const HISTORY_COST = `SELECT (SELECT count(*) FROM snapshots WHERE space_id = ?) AS snapshots,
  (SELECT count(*) FROM versions) + (SELECT count(*) FROM document_versions) AS versions,
  (SELECT coalesce(sum(octet_length(body)), 0) FROM texts WHERE id NOT IN (${PRESENT_TEXTS})) AS textBytes`

export function heatSummaries({ db, spaceId }: Context) {
  const coolingSums = statement<Thresholds, Sums>(db, COOLING_SUMS)
  const pinnedSums = statement<Thresholds, Sums>(db, PINNED_SUMS)
  const middleOf = statement<
    [{ space: number; pinned: number; skipped: number; place: number }],
    { value: number }
  >(db, MIDDLE)

  /** The element at half the number of nodes, by ascending heat. */
  function median(pinned: number, total: number): number {
    const middle = Math.floor(total / 2)
    const skipped = Math.max(0, middle - pinned)
    return middleOf().get({ space: spaceId, pinned, skipped, place: middle - skipped })?.value ?? 0
  }

  return ({ hot, cold }: { hot: number; cold: number }): HeatSummary => {
    const parameters = { space: spaceId, hot, cold }
    const cooling = coolingSums().get(parameters) as Sums
    const pinned = pinnedSums().get(parameters) as Sums
    const total = cooling.count + pinned.count
    return {
      avg: total === 0 ? 0 : (cooling.sum + pinned.sum) / total,
      median: median(pinned.count, total),
      hot: cooling.hot + pinned.hot,
      cold: cooling.cold + pinned.cold,
      pinned: pinned.count,
    }
  }
}

export function summaryReads(context: Context) {
  const { db, spaceId } = context
  const heat = heatSummaries(context)
  const counters = statement<[number], [name: string, value: number]>(
    db,
    'SELECT name, value FROM counters WHERE space_id = ? AND value <> 0 ORDER BY name',
  )
  const counts = statement<[number], Pick<SpaceSummary, 'snapshots' | 'indexRows'>>(
    db,
    `SELECT (SELECT count(*) FROM snapshots WHERE space_id = ?) AS snapshots,
       (SELECT count(*) FROM node_index_docsize) AS indexRows`,
  )
  // It reads every node: a client that polls the overview pays for that only after a change.
  const summary = whileUnchanged(
    context,
    (thresholds: { hot: number; cold: number }): SpaceSummary => ({
      counters: Object.fromEntries(counters().raw().all(spaceId)),
      ...(counts().get(spaceId) as Pick<SpaceSummary, 'snapshots' | 'indexRows'>),
      heat: heat(thresholds),
    }),
  )
  const cost = statement<[number], HistoryCost>(db, HISTORY_COST)
  return {
    historyCost: (): HistoryCost => cost().get(spaceId) as HistoryCost,
    summary: ({ hot, cold }: { hot: number; cold: number }): SpaceSummary =>
      structuredClone(summary({ hot, cold })),
  }
}
