import { RE2JS } from 're2js'
import { expect, test } from 'vitest'
import { patternCost } from './pattern-cost.ts'

test.each([
  'BADGE-[0-9]{6}',
  '(?i)tok_[a-z]{2,}-(?:x|yy|zzz)+',
  'a{1,1000}[!?]',
  '([a-h]{0,30}){0,30}[!?]',
  '((ab?){1,20}){3,40}',
  '(.*[ab]){1,400}[!?]',
  '[\\pL\\pN]{200}[\\]x]{30}\\x{61}{5}',
  '(?P<name>\\bx{3})\\[a{90}]',
  '[[:alpha:]]{50}[]a{9}]{7}',
  '(a|b{40}|(c|d){100}){5}',
])('%s costs at least half of what RE2 makes of it, and not much more', (pattern) => {
  const parts = RE2JS.compile(pattern).programSize()
  const cost = patternCost(pattern)
  expect(cost).toBeGreaterThanOrEqual(parts / 2)
  expect(cost).toBeLessThanOrEqual(parts * 4 + 10)
})

test('what is quoted is not read, and counts as too much', () => {
  expect(patternCost('\\Q[\\Ea{1000}[!?]')).toBe(Number.POSITIVE_INFINITY)
})
