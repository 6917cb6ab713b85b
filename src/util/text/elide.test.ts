import { expect, test } from 'vitest'
import { elideMiddle } from './elide.ts'

test('elideMiddle leaves a text that fits unchanged', () => {
  expect(elideMiddle('abcde', 5)).toBe('abcde')
})

test('elideMiddle keeps the beginning and the end of a longer text', () => {
  expect(elideMiddle('abcdefghij', 5)).toBe('ab…ij')
})

test('elideMiddle leaves no half of a character', () => {
  const shown = elideMiddle('😀'.repeat(10), 8)
  expect(shown).toBe('😀…😀')
  expect(shown.isWellFormed()).toBe(true)
})
