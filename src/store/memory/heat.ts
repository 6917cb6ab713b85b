import type { HeatReads, HeatRecord, HeatSelect } from '../../core/port/heat.ts'
import type { Overview } from '../../core/port/store.ts'
import type { StoredNode } from '../../core/port/stored.ts'
import type { Sync } from '../tx.ts'
import { heatOf, isLive, liveNodes } from './nodes.ts'
import { headOf, pick, type Tables } from './tables.ts'

export function heatReads(tables: Tables): Sync<HeatReads> {
  function nodesOf(select: HeatSelect): StoredNode[] {
    if ('keys' in select) return pick(tables.nodes, select.keys).filter(isLive)
    if ('document' in select) return liveNodes(tables, select.document).slice(0, select.limit)
    const wanted = new Set(select.ids)
    return liveNodes(tables).filter(({ id }) => wanted.has(id))
  }
  return {
    heatRecords: (select) =>
      nodesOf(select).map(({ key, id }) => ({ ...(tables.heat.get(key) as HeatRecord), id })),
  }
}

export function overviewOf(tables: Tables, thresholds: { hot: number; cold: number }): Overview {
  const { counters, snapshots, index } = tables
  const withPrefix = (prefix: string): Record<string, number> => {
    const own = [...counters].filter(([name, value]) => name.startsWith(prefix) && value !== 0)
    return Object.fromEntries(own.sort().map(([name, value]) => [name.slice(prefix.length), value]))
  }
  const [total, tokens, pending] = ['nodes', 'tokens', 'relations_pending'].map(
    (name) => counters.get(name) ?? 0,
  )
  return {
    nodes: { total: total ?? 0, byType: withPrefix('nodes.'), tokens: tokens ?? 0 },
    snapshots: { count: snapshots.size, head: headOf(tables) },
    temperature: temperatureOf(tables, thresholds),
    relations: { byOrigin: withPrefix('relations.'), pending: pending ?? 0 },
    indexRows: index.size,
  }
}

function temperatureOf(
  tables: Tables,
  { hot, cold }: { hot: number; cold: number },
): Overview['temperature'] {
  const keys = liveNodes(tables).map(({ key }) => key)
  const values = keys.map((key) => heatOf(tables, key)).sort((a, b) => a - b)
  return {
    avg: values.reduce((sum, value) => sum + value, 0) / Math.max(1, values.length),
    median: values[Math.floor(values.length / 2)] ?? 0,
    hot: values.filter((value) => value >= hot).length,
    cold: values.filter((value) => value < cold).length,
    pinned: pick(tables.heat, keys).filter(({ pinned }) => pinned).length,
  }
}
