import { expect, test } from 'vitest'
import { heatSummary } from './heat-summary.ts'

test('counts what is hot, cold and pinned, at the thresholds too', () => {
  const heats = [0.1, 0.8, 0.2, 0.5].map((value, at) => ({ value, pinned: at === 1 }))
  expect(heatSummary(heats, { hot: 0.8, cold: 0.2 })).toEqual({
    ...{ avg: 0.4, median: 0.5, hot: 1, cold: 1, pinned: 1 },
  })
})

test('nothing has no heat', () => {
  expect(heatSummary([], { hot: 1, cold: 0 })).toEqual({ avg: 0, median: 0, hot: 0, cold: 0, pinned: 0 })
})
