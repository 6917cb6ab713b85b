import fc from 'fast-check'
import { expect, test } from 'vitest'
import { formatDuration, parseDuration, parseLifetime } from './duration.ts'

test.each([
  ['0', 0],
  ['0s', 0],
  ['500ms', 500],
  ['30s', 30_000],
  ['1.5s', 1500],
  ['.5s', 500],
  ['1h30m', 5_400_000],
  ['+1m', 60_000],
  ['250us', 0.25],
  ['1000ns', 0.001],
])('%s is %d ms', (text, ms) => {
  expect(parseDuration(text)).toBeCloseTo(ms, 9)
})

test.each(['', '30', '-1s', 's', '1 s', '1d', '1h30', 'forever', '.s', '1.2.3s', '+', `${'9'.repeat(400)}h`])(
  '%j is no duration',
  (text) => {
    expect(parseDuration(text)).toBeUndefined()
  },
)

test.each([
  ['30d', 30 * 86_400_000],
  ['1d12h', 129_600_000],
  ['24h', 86_400_000],
  ['0d', 0],
])('a lifetime of %s is %d ms', (text, ms) => {
  expect(parseLifetime(text)).toBe(ms)
})

test.each(['', 'd', '30', '1.5d', '-1d', '1d2', '1d1d', '12h1d', `${'9'.repeat(20)}d`])(
  '%j is no lifetime',
  (text) => {
    expect(parseLifetime(text)).toBeUndefined()
  },
)

test.each([
  [0, '0s'],
  [500, '500ms'],
  [30_000, '30s'],
  [90_000, '1m30s'],
  [1500, '1.5s'],
  [3_600_000, '1h'],
  [5_403_000, '1h30m3s'],
])('%d ms is written %s', (ms, text) => {
  expect(formatDuration(ms)).toBe(text)
})

test('what is written can be read', () => {
  fc.assert(
    fc.property(fc.nat(), (ms) => {
      expect(parseDuration(formatDuration(ms))).toBeCloseTo(ms, 3)
    }),
  )
})
