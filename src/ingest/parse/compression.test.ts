import { expect, test } from 'vitest'
import { savesEnough } from './compression.ts'

test.each([
  [100, 85, true],
  [100, 86, false],
  [20, 17, true],
  [20, 18, false],
  [7, 5, true],
  [7, 6, false],
])('of %i bytes, %i are short enough: %s', (before, after, expected) => {
  expect(savesEnough('a'.repeat(before), 'b'.repeat(after))).toBe(expected)
})

test('counts bytes, not characters', () => {
  expect(savesEnough('€€', 'a'.repeat(5))).toBe(true)
  expect(savesEnough('aaaaaa', '€€')).toBe(false)
})
