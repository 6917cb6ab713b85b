import type { HeatReads, HeatRecord, HeatSelect } from '../../core/port/heat.ts'
import type { SpaceSummary } from '../../core/port/store.ts'
import type { StoredNode } from '../../core/port/stored.ts'
import type { Sync } from '../tx.ts'
import { heatOf, isLive, liveNodes } from './nodes.ts'
import { pick, type Tables } from './tables.ts'

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

export function summaryOf(tables: Tables, { hot, cold }: { hot: number; cold: number }): SpaceSummary {
  const { counters, snapshots, index } = tables
  const keys = liveNodes(tables).map(({ key }) => key)
  const values = keys.map((key) => heatOf(tables, key)).sort((a, b) => a - b)
  const heat = {
    avg: values.reduce((sum, value) => sum + value, 0) / Math.max(1, values.length),
    median: values[Math.floor(values.length / 2)] ?? 0,
    hot: values.filter((value) => value >= hot).length,
    cold: values.filter((value) => value < cold).length,
    pinned: pick(tables.heat, keys).filter(({ pinned }) => pinned).length,
  }
  const counted = Object.fromEntries([...counters].filter(([, value]) => value !== 0))
  return { counters: counted, snapshots: snapshots.size, indexRows: index.size, heat }
}
