import { expect, test } from 'vitest'
import { type FilteredNode, passes } from './match-filters.ts'
import type { Filters } from './query/query-model.ts'

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
