import type { SpaceSummary } from '../../core/port/store.ts'
import { heatOf, liveNodes } from './nodes.ts'
import { keysIn, pick, type Tables } from './tables.ts'

export function summaryOf(tables: Tables, { hot, cold }: { hot: number; cold: number }): SpaceSummary {
  const { counters, snapshots } = tables
  const keys = keysIn(liveNodes(tables))
  const values = keys.map((key) => heatOf(tables, key)).sort((a, b) => a - b)
  const heat = {
    avg: values.reduce((sum, value) => sum + value, 0) / Math.max(1, values.length),
    median: values[Math.floor(values.length / 2)] ?? 0,
    hot: values.filter((value) => value >= hot).length,
    cold: values.filter((value) => value < cold).length,
    pinned: pick(tables.heat, keys).filter(({ pinned }) => pinned).length,
  }
  const counted = Object.fromEntries([...counters].filter(([, value]) => value !== 0))
  return { counters: counted, snapshots: snapshots.size, indexRows: keys.length, heat }
}
