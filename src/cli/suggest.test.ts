import { expect, test } from 'vitest'
import { closest } from './suggest.ts'

const KNOWN = ['compile', 'inspect', 'diff', 'delta', 'doctor', 'db', 'config']

test.each([
  ['inspct', 'inspect'],
  ['Compile', 'compile'],
  ['comp', 'compile'],
  ['dif', 'diff'],
  ['docotr', 'doctor'],
  ['dleta', 'delta'],
  ['de', 'delta'],
  ['frobnicate', undefined],
  ['x', undefined],
  ['', undefined],
])('takes %j for %j', (word, meant) => {
  expect(closest(word, KNOWN)).toBe(meant)
})
