import { expect, test } from 'vitest'
import { stem } from './stem.ts'

test('stem is the same for the forms of a word', () => {
  expect(['run', 'running', 'runs'].map(stem)).toEqual(['run', 'run', 'run'])
  expect(stem('memories')).toBe(stem('memory'))
})

test('stem leaves a word of two letters unchanged, even if a rule would cut it', () => {
  expect(['is', 'as', 'a', ''].map(stem)).toEqual(['is', 'as', 'a', ''])
})
