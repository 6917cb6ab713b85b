import { expect, test } from 'vitest'
import { elideMiddle } from './elide.ts'

test('a text that fits stays as it is', () => {
  expect(elideMiddle('abcde', 5)).toBe('abcde')
})

test('a longer text keeps its beginning and its end', () => {
  expect(elideMiddle('abcdefghij', 5)).toBe('ab…ij')
})

test('no half of a character is left', () => {
  const shown = elideMiddle('😀'.repeat(10), 8)
  expect(shown).toBe('😀…😀')
  expect(shown.isWellFormed()).toBe(true)
})
