import type { Heat } from '../port/heat.ts'
import type { HeatSummary } from '../port/store.ts'

/** The summary of the heat of all nodes. */
export function heatSummary(
  heats: readonly Heat[],
  { hot, cold }: { hot: number; cold: number },
): HeatSummary {
  const values = heats.map(({ value }) => value).sort((a, b) => a - b)
  return {
    avg: values.reduce((sum, value) => sum + value, 0) / Math.max(1, values.length),
    median: values[Math.floor(values.length / 2)] ?? 0,
    hot: values.filter((value) => value >= hot).length,
    cold: values.filter((value) => value < cold).length,
    pinned: heats.filter(({ pinned }) => pinned).length,
  }
}
