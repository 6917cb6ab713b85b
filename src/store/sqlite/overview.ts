import type { Overview } from '../../core/store.ts'
import type { Context } from './context.ts'
import { EFFECTIVE_HEAT } from './heat.ts'
import { snapshotReads } from './snapshots.ts'
import { statement } from './statements.ts'

const LIVE_HEAT = `SELECT ${EFFECTIVE_HEAT} AS heat, h.pinned FROM spaces s, heat h JOIN nodes n ON n.key = h.node_key
  WHERE s.id = @space AND n.removed_in IS NULL`

export function overviewReads(context: Context) {
  const { db, spaceId } = context
  const { head } = snapshotReads(context)
  const counters = statement<[number], { name: string; value: number }>(
    db,
    'SELECT name, value FROM counters WHERE space_id = ? AND value <> 0 ORDER BY name',
  )
  const heat = statement<
    [{ space: number; hot: number; cold: number }],
    { avg: number | null; hot: number | null; cold: number | null; pinned: number | null; total: number }
  >(
    db,
    `SELECT avg(heat) AS avg, sum(heat >= @hot) AS hot, sum(heat < @cold) AS cold, sum(pinned) AS pinned, count(*) AS total
     FROM (${LIVE_HEAT})`,
  )
  const nth = statement<[{ space: number; middle: number }], { heat: number }>(
    db,
    `${LIVE_HEAT} ORDER BY heat LIMIT 1 OFFSET @middle`,
  )
  const snapshots = statement<[number], { count: number }>(
    db,
    'SELECT count(*) AS count FROM snapshots WHERE space_id = ?',
  )
  const indexRows = statement<[], { count: number }>(db, 'SELECT count(*) AS count FROM node_index_docsize')

  return {
    overview({ hot, cold }: { hot: number; cold: number }): Overview {
      const counted = new Map(
        counters()
          .all(spaceId)
          .map((row) => [row.name, row.value]),
      )
      const warmth = heat().get({ space: spaceId, hot, cold })
      const middle = Math.floor((warmth?.total ?? 0) / 2)
      return {
        nodes: {
          total: counted.get('nodes') ?? 0,
          byType: withPrefix(counted, 'nodes.'),
          tokens: counted.get('tokens') ?? 0,
        },
        snapshots: { count: snapshots().get(spaceId)?.count ?? 0, head: head() },
        temperature: {
          avg: warmth?.avg ?? 0,
          median: nth().get({ space: spaceId, middle })?.heat ?? 0,
          hot: warmth?.hot ?? 0,
          cold: warmth?.cold ?? 0,
          pinned: warmth?.pinned ?? 0,
        },
        relations: {
          byOrigin: withPrefix(counted, 'relations.'),
          pending: counted.get('relations_pending') ?? 0,
        },
        indexRows: indexRows().get()?.count ?? 0,
      }
    },
  }
}

function withPrefix(counted: Map<string, number>, prefix: string): Record<string, number> {
  const names = [...counted.keys()].filter((name) => name.startsWith(prefix))
  return Object.fromEntries(names.map((name) => [name.slice(prefix.length), counted.get(name) ?? 0]))
}
