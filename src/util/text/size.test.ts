import { expect, test } from 'vitest'
import { parseSize } from './size.ts'

test.each([
  ['4096', 4096],
  ['512B', 512],
  ['1k', 1024],
  ['1KB', 1024],
  ['1KiB', 1024],
  ['10MB', 10 * 2 ** 20],
  ['1.5 GiB', 1.5 * 2 ** 30],
  ['2t', 2 ** 41],
  ['.5K', 512],
])('parseSize reads %s as %d bytes', (text, bytes) => {
  expect(parseSize(text)).toBe(bytes)
})

test.each(['', 'MB', '-1', '1PB', '10 MB/s', '1,5MB', '1BB', '1Bi'])('%j is not a size', (text) => {
  expect(parseSize(text)).toBeUndefined()
})
