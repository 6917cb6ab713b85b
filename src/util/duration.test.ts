import { expect, test } from 'vitest'
import { formatDuration, parseDuration } from './duration.ts'

test.each([
  ['0', 0],
  ['0s', 0],
  ['500ms', 500],
  [' +5m ', 300_000],
  ['1h30m', 5_400_000],
  ['1.5h', 5_400_000],
  ['.5s', 500],
  ['1.s', 1000],
  ['2m3s4ms', 123_004],
  ['1500us', 1.5],
  ['1500µs', 1.5],
  ['1500μs', 1.5],
  ['2000000ns', 2],
])('%s is %d ms', (text, ms) => {
  expect(parseDuration(text)).toBeCloseTo(ms)
})

test.each(['', ' ', '5', '1.5', '-5m', '5 m', 'm', '.s', '1d', '5M', '1h30', '5m,3s', `${'9'.repeat(400)}h`])(
  'refuses %j',
  (text) => {
    expect(parseDuration(text)).toBeUndefined()
  },
)

test.each([
  [0, '0s'],
  [500, '500ms'],
  [90_000, '1m30s'],
  [5_400_000, '1h30m'],
])('%d ms is written %s', (ms, text) => {
  expect(formatDuration(ms)).toBe(text)
})
