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
  ['nothing is asked', {}, true],
  ['one of the types', { types: ['code', 'text'] }, true],
  ['other types', { types: ['code'] }, false],
  ['no type at all', { types: [] }, false],
  ['its kind', { kinds: ['record'] }, true],
  ['another kind', { kinds: ['key'] }, false],
  ['one of the paths', { paths: ['nowhere', 'LIMITS'] }, true],
  ['other paths', { paths: ['nowhere'] }, false],
  ['all tags', { tags: ['#rate', '#cache'] }, true],
  ['a tag that it has not', { tags: ['#rate', '#redis'] }, false],
  ['a tag as it was given', { documentTags: ['Cache'] }, true],
  ['a tag as nobody gave it', { documentTags: ['cache'] }, false],
  ['changed at that time', { since: 100 }, true],
  ['changed before', { since: 101 }, false],
  ['not pinned', { pinned: false }, true],
  ['pinned', { pinned: true }, false],
  ['without words that it has', { without: word('rate') }, false],
  ['without other words', { without: word('redis') }, true],
  ['of each list one', { any: [[{ pinned: true }, { types: ['text'] }], [{ since: 1 }]] }, true],
  ['of one list none', { any: [[{ types: ['text'] }], [{ pinned: true }]] }, false],
  ['of an empty list none', { any: [[]] }, false],
  ['what is left out', { none: [{ pinned: true }, { types: ['text'] }] }, false],
  ['what is left out is something else', { none: [{ pinned: true }] }, true],
  ['what is left out of what is left out', { none: [{ none: [{ types: ['text'] }] }] }, true],
])('filters: %s', (_, filters, expected) => {
  expect(passes(node, filters)).toBe(expected)
})
