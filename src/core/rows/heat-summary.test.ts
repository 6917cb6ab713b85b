import { expect, test } from 'vitest'
import { heatSummary } from './heat-summary.ts'

test('the heat summary counts hot, cold and pinned nodes, including those at the thresholds', () => {
  const heats = [0.1, 0.8, 0.2, 0.5].map((value, at) => ({ value, pinned: at === 1 }))
  expect(heatSummary(heats, { hot: 0.8, cold: 0.2 })).toEqual({
    ...{ avg: 0.4, median: 0.5, hot: 1, cold: 1, pinned: 1 },
  })
})

test('the heat summary of no nodes is empty', () => {
  expect(heatSummary([], { hot: 1, cold: 0 })).toEqual({ avg: 0, median: 0, hot: 0, cold: 0, pinned: 0 })
})
