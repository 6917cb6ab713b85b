import { expect, test } from 'vitest'
import { type FilteredNode, isOnPath, matches, passes } from './match.ts'
import { parseQuery } from './query/query.ts'
import type { Filters } from './query/query-model.ts'

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
])('a node with these words matches %s: %s', (text, expected) => {
  expect(isFound(text)).toBe(expected)
})

test('a match in labels ignores the text', () => {
  expect(isFound('guide', true)).toBe(true)
  expect(isFound('limit', true)).toBe(false)
  expect(isFound('guide NOT limit', true)).toBe(true)
})

test('an empty OR matches nothing', () => {
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

const node: FilteredNode = {
  type: 'text',
  kind: 'record',
  name: 'records/limits',
  words: { label: '', body: 'the rate limit' },
  tags: ['#rate', '#cache'],
  documentTags: ['Cache'],
  changedAt: 100,
  pinned: false,
}
const word = (text: string): NonNullable<Filters['without']> => ({
  units: [{ kind: 'word', words: [text], shown: text, isStopWord: false, isExcluded: false }],
  expression: 0,
})

test.each<[string, Filters, boolean]>([
  ['no filter', {}, true],
  ['one of the types', { types: ['code', 'text'] }, true],
  ['other types', { types: ['code'] }, false],
  ['no type at all', { types: [] }, false],
  ['its kind', { kinds: ['record'] }, true],
  ['another kind', { kinds: ['key'] }, false],
  ['one of the paths', { paths: ['nowhere', 'LIMITS'] }, true],
  ['other paths', { paths: ['nowhere'] }, false],
  ['all tags', { tags: ['#rate', '#cache'] }, true],
  ['a missing tag', { tags: ['#rate', '#redis'] }, false],
  ['a tag as given', { documentTags: ['Cache'] }, true],
  ['a tag in another case', { documentTags: ['cache'] }, false],
  ['changed at that time', { since: 100 }, true],
  ['changed before', { since: 101 }, false],
  ['not pinned', { pinned: false }, true],
  ['pinned', { pinned: true }, false],
  ['without words that it has', { without: word('rate') }, false],
  ['without other words', { without: word('redis') }, true],
  ['one of each list', { any: [[{ pinned: true }, { types: ['text'] }], [{ since: 1 }]] }, true],
  ['none of one list', { any: [[{ types: ['text'] }], [{ pinned: true }]] }, false],
  ['an empty list', { any: [[]] }, false],
  ['an excluded type', { none: [{ pinned: true }, { types: ['text'] }] }, false],
  ['another exclusion', { none: [{ pinned: true }] }, true],
  ['an exclusion within an exclusion', { none: [{ none: [{ types: ['text'] }] }] }, true],
])('a node passes filters: %s', (_, filters, expected) => {
  expect(passes(node, filters)).toBe(expected)
})
