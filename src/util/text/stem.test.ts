import { expect, test } from 'vitest'
import { stem } from './stem.ts'

test('the forms of a word have one stem', () => {
  expect(['run', 'running', 'runs'].map(stem)).toEqual(['run', 'run', 'run'])
  expect(stem('memories')).toBe(stem('memory'))
})

test('a word of two letters is its own, also where a rule would cut it', () => {
  expect(['is', 'as', 'a', ''].map(stem)).toEqual(['is', 'as', 'a', ''])
})
