import { expect, test } from 'vitest'
import { abbreviate, formatAge, formatSize, plural } from './units.ts'

test.each([
  [0, '0'],
  [999, '999'],
  [1000, '1.0k'],
  [18_450, '18.4k'],
  [999_949, '999.9k'],
  [999_950, '1.0M'],
  [1_234_567, '1.2M'],
  [2_000_000_000, '2.0G'],
])('abbreviate turns %i into %s', (count, text) => {
  expect(abbreviate(count)).toBe(text)
})

test.each([
  [0, '0s'],
  [42.9, '42s'],
  [60, '1m'],
  [3599, '59m'],
  [3 * 3600, '3h'],
  [2 * 86_400, '2d'],
  [400 * 86_400, '400d'],
])('formatAge turns %d seconds into %s', (seconds, text) => {
  expect(formatAge(seconds)).toBe(text)
})

test.each([
  [0, '0 B'],
  [1023, '1023 B'],
  [196_608, '192.0 KB'],
  [5 * 1024 ** 2, '5.0 MB'],
  [3.25 * 1024 ** 3, '3.3 GB'],
])('formatSize turns %d bytes into %s', (bytes, text) => {
  expect(formatSize(bytes)).toBe(text)
})

test('plural uses the singular for one', () => {
  expect([0, 1, 2].map((count) => plural(count, 'file'))).toEqual(['0 files', '1 file', '2 files'])
})
