import { expect, test } from 'vitest'
import { isOnPath, matches } from './match-words.ts'
import { parseQuery } from './query/query.ts'

const row = { label: 'redi guid', body: 'the rate limit of redi #rate+limit' }

function isFound(text: string, inLabel = false): boolean {
  const { units, expression } = parseQuery(text, { now: 0 })
  return matches(row, { units, expression: expression ?? { or: units.map((_, at) => at) }, inLabel })
}

test.each([
  ['redis', true],
  ['redi*', true],
  ['"rate limit"', true],
  ['"limit rate"', false],
  ['"guide the"', false],
  ['guide AND limit', true],
  ['guide NOT limit', false],
  ['guide NOT zebra', true],
  ['zebra OR limit', true],
  ['#rate-limit', true],
])('what has its words matches: %s', (text, expected) => {
  expect(isFound(text)).toBe(expected)
})

test('in labels only what labels have', () => {
  expect(isFound('guide', true)).toBe(true)
  expect(isFound('limit', true)).toBe(false)
  expect(isFound('guide NOT limit', true)).toBe(true)
})

test('what is asked for with any of nothing is nowhere', () => {
  expect(matches(row, { units: [], expression: { or: [] } })).toBe(false)
})

test.each([
  ['docs/Guide.md', 'DOCS/gui', true],
  ['docs/Guide.md', '*/guide.md', true],
  ['docs/Guide.md', '?uide.md', false],
  ['docs/Guide.md', '[d]ocs', false],
  ['a+b (1).md', 'a+b (1)', true],
  ['Ärger/ÜBER.md', 'ärger/über', true],
])('%s is on the path %s: %s', (name, path, expected) => {
  expect(isOnPath(name, path)).toBe(expected)
})
