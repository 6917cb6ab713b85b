import type { Overview } from '../../core/port/store.ts'
import type { Context } from './context.ts'
import { heatOverviewReads } from './heat-overview.ts'
import { snapshotReads } from './snapshots.ts'
import { statement } from './statements.ts'
import { whileUnchanged } from './unchanged.ts'

export function overviewReads(context: Context) {
  const { db, spaceId } = context
  const { state } = snapshotReads(context)
  // Every node counts: who polls an overview pays for that only when there is something new.
  const temperature = whileUnchanged(context, heatOverviewReads(context))
  const counters = statement<[number], { name: string; value: number }>(
    db,
    'SELECT name, value FROM counters WHERE space_id = ? AND value <> 0 ORDER BY name',
  )
  const snapshots = statement<[number], { count: number }>(
    db,
    'SELECT count(*) AS count FROM snapshots WHERE space_id = ?',
  )
  const indexRows = whileUnchanged(context, (_: null) => (indexCount().get() as { count: number }).count)
  const indexCount = statement<[], { count: number }>(db, 'SELECT count(*) AS count FROM node_index_docsize')

  return {
    overview(thresholds: { hot: number; cold: number }): Overview {
      const counted = new Map(
        counters()
          .all(spaceId)
          .map((row) => [row.name, row.value]),
      )
      return {
        nodes: {
          total: counted.get('nodes') ?? 0,
          byType: withPrefix(counted, 'nodes.'),
          tokens: counted.get('tokens') ?? 0,
        },
        snapshots: { count: snapshots().get(spaceId)?.count ?? 0, head: state().head },
        temperature: { ...temperature({ hot: thresholds.hot, cold: thresholds.cold }) },
        relations: {
          byOrigin: withPrefix(counted, 'relations.'),
          pending: counted.get('relations_pending') ?? 0,
        },
        indexRows: indexRows(null),
      }
    },
  }
}

function withPrefix(counted: Map<string, number>, prefix: string): Record<string, number> {
  const names = [...counted.keys()].filter((name) => name.startsWith(prefix))
  return Object.fromEntries(names.map((name) => [name.slice(prefix.length), counted.get(name) ?? 0]))
}
