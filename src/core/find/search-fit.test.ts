import fc from 'fast-check'
import { expect, test } from 'vitest'
import { NODE_TYPES } from '../model.ts'
import { estimateTokens } from '../tokens.ts'
import { MIN_BUDGET, roomOf } from './budget.ts'
import { PLAIN } from './paint.ts'
import { fitSearch } from './search-fit.ts'
import type { SearchAnswer, SearchHit } from './search-model.ts'
import { searchLines, searchText } from './search-text.ts'

const HIT: SearchHit = {
  id: '3GGuLAq3yNP',
  type: 'text',
  label: 'Retries are capped.',
  path: 'docs/ops.md',
  headingPath: ['Ops', 'Retries'],
  snippet: 'Retries are capped. They wait a little longer each time.',
  matches: [[0, 7]],
  score: 1.239,
  temperature: 0.5,
  tokens: 35,
}
const ANSWER: SearchAnswer = {
  query: 'retries',
  hits: [HIT],
  leftOut: 0,
  next: null,
  searched: {
    nodes: 9,
    words: ['retries'],
    dropped: [],
    missing: [],
    filters: {},
    matched: 1,
    complete: true,
    notes: [],
  },
}

const linesOf = (answer: SearchAnswer): string[] => searchText(answer).split('\n')

test('a search answer has its hits, then what was searched', () => {
  expect(linesOf(ANSWER)).toEqual([
    '[text] (id=3GGuLAq3yNP file=docs/ops.md score=1.24 temp=0.50 tok=35)',
    '  Ops › Retries',
    '  Retries are capped. They wait a little longer each time.',
    'searched 9 nodes',
  ])
})

test('a search answer names the words searched for if they differ from the query, in any order', () => {
  const last = (query: string, searched: Partial<SearchAnswer['searched']> = {}) =>
    linesOf({ ...ANSWER, query, searched: { ...ANSWER.searched, ...searched } }).at(-1)
  const both = { words: ['retries', 'capped'] }
  expect(last('Capped  retries', both)).toBe('searched 9 nodes')
  expect(last('retries of capped', { ...both, dropped: ['of'] })).toBe('searched 9 nodes; too common: of')
  expect(last('retries-capped', both)).toBe('searched 9 nodes for retries, capped')
  expect(last('retries capped NOT old', both)).toBe('searched 9 nodes for retries, capped')
})

test('only the best three have headings and a snippet; a later text shows the words around its match', () => {
  const far =
    'Nothing here is about it, but far behind in this text the retries are capped, and then it goes on.'
  const start = far.indexOf('retries')
  const hits: SearchHit[] = [
    HIT,
    HIT,
    HIT,
    HIT,
    { ...HIT, snippet: far, matches: [[start, start + 7]], label: 'Nothing here is about it, but far…' },
    { ...HIT, type: 'list', label: '2-item list: one' },
    { ...HIT, type: 'list', label: '2-item list: one that goes on for longer than a line has room' },
    { ...HIT, type: 'heading', label: '2-item list: one that goes on for longer than a line has room' },
  ]
  const lines = linesOf({ ...ANSWER, hits })
  const facts = '(id=3GGuLAq3yNP file=docs/ops.md score=1.24 temp=0.50 tok=35)'
  expect(lines.slice(9, -1)).toEqual([
    `[text] Retries are capped. ${facts}`,
    `[text] …behind in this text the retries are capp… ${facts}`,
    `[list] 2-item list: one ${facts}`,
    `[list] 2-item list: one that goes on for longer… ${facts}`,
    `[heading] 2-item list: one that goes on for longer than a line has room ${facts}`,
  ])
})

test('beside its snippet a list shows only its length', () => {
  const hit = { ...HIT, type: 'list' as const, label: '2-item list: Retries are capped.' }
  expect(linesOf({ ...ANSWER, hits: [hit] })[0]).toMatch(/^\[list\] 2-item list \(id=/)
})

test('a root has no headings, and a snippet equal to the label is not repeated', () => {
  const hit = { ...HIT, headingPath: [], snippet: HIT.label }
  expect(linesOf({ ...ANSWER, hits: [hit] })).toHaveLength(2)
})

test('matches are marked in the snippet, or in the label that replaces it', () => {
  const paint = { ...PLAIN, match: (text: string) => `<${text}>` }
  const firstOf = (hit: SearchHit) => searchLines({ ...ANSWER, hits: [hit] }, paint)
  expect(firstOf(HIT)[2]).toMatch(/^ {2}<Retries> are capped\. They/)
  expect(firstOf({ ...HIT, snippet: HIT.label })[0]).toMatch(/^\[text\] <Retries> are capped\. \(id=/)
})

test('a search answer counts one node in the singular', () => {
  expect(linesOf({ ...ANSWER, searched: { ...ANSWER.searched, nodes: 1 } }).at(-1)).toBe('searched 1 node')
})

test('the last lines of a search answer name what is left out, missing, too common, filtered and not understood', () => {
  const searched = {
    ...ANSWER.searched,
    missing: ['zebra'],
    dropped: ['the', 'of'],
    filters: { types: ['text' as const], since: 0 },
    notes: ['one', 'two'],
  }
  expect(linesOf({ ...ANSWER, leftOut: 3, searched }).slice(-3)).toEqual([
    '… 3 more left out: narrow the query; searched 9 nodes for retries; nowhere: zebra; too common: the, of; filtered by type, since',
    'note: one',
    'note: two',
  ])
  expect(linesOf({ ...ANSWER, leftOut: 3, searched: { ...searched, complete: false } })).toContainEqual(
    expect.stringContaining('at least 3 more left out'),
  )
})

test('long lists of words in a search answer are cut', () => {
  const words = Array.from({ length: 64 }, (_, at) => `word${at}`)
  const last = linesOf({ ...ANSWER, searched: { ...ANSWER.searched, words } }).at(-1) ?? ''
  expect(last).toMatch(/^searched 9 nodes for word0, word1, .*…$/)
  expect(last.length).toBeLessThan(160)
})

test('cutting the only hit shortens the snippet first, then drops the headings, then the path', () => {
  const long = { ...HIT, snippet: `${HIT.snippet} ${'And so on. '.repeat(40)}`.trim() }
  const cut = (hit: SearchHit, budget: number) => fitSearch({ ...ANSWER, hits: [hit] }, roomOf(budget))
  const [shorter] = cut(long, 60).hits
  expect(shorter).toMatchObject({ cut: true, headingPath: ['Ops', 'Retries'], matches: [[0, 7]] })
  expect(shorter?.snippet).toMatch(/^Retries are capped.*…$/)
  const deep = { ...long, headingPath: Array.from({ length: 9 }, () => 'A heading above it') }
  expect(cut(deep, 60).hits).toMatchObject([{ cut: true, headingPath: [], matches: [[0, 7]] }])
  const far = { ...deep, path: 'folder/'.repeat(60) }
  const [one] = cut(far, 50).hits
  expect(one).toMatchObject({ label: HIT.label, snippet: '', headingPath: [] })
  expect(one?.path).toMatch(/^folder\/.*…$/)
})

test('a match at the very end of a snippet that fits stays marked', () => {
  const hit = { ...HIT, headingPath: ['x'.repeat(300)], snippet: 'Words then retries', matches: [[11, 18]] }
  const [fitted] = fitSearch({ ...ANSWER, hits: [hit as SearchHit] }, roomOf(50)).hits
  expect(fitted).toMatchObject({ cut: true, snippet: 'Words then retries', matches: [[11, 18]] })
})

const line = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 400 }),
  fc.string({ unit: 'grapheme', maxLength: 400 }),
  fc.constantFrom('', 'x', '\x1b'.repeat(300), '👩‍👩‍👧‍👦'.repeat(40), '東京'.repeat(90)),
)
const part = { label: true, text: true, headings: true, sibling: 1, idf: 1, frequency: 1, score: 1 }
const hit = fc.record<SearchHit>(
  {
    id: fc.constant('3GGuLAq3yNP'),
    type: fc.constantFrom(...NODE_TYPES),
    label: line,
    path: line,
    headingPath: fc.array(line, { maxLength: 6 }),
    snippet: line,
    matches: fc.constant([]),
    score: fc.double({ min: 0, max: 1500, noNaN: true }),
    temperature: fc.double({ min: 0, max: 1, noNaN: true }),
    tokens: fc.nat({ max: 10_000_000 }),
    explain: fc.record({
      parts: fc.array(
        line.map((unit) => ({ ...part, unit })),
        { maxLength: 30 },
      ),
      relevance: fc.constant(1),
      prior: fc.constant(1),
    }),
  },
  { requiredKeys: ['id', 'type', 'label', 'path', 'headingPath', 'snippet', 'matches', 'score', 'temperature', 'tokens'] }, // biome-ignore format: a list
)
const words = fc.array(line, { maxLength: 64 })
const answers = fc.record<SearchAnswer>({
  query: line,
  hits: fc.array(hit, { maxLength: 8 }),
  leftOut: fc.nat({ max: 10_000_000 }),
  next: fc.option(fc.nat({ max: 9_999 })),
  searched: fc.record({
    nodes: fc.nat({ max: 1_000_000_000 }),
    words,
    dropped: words,
    missing: words,
    filters: fc.constantFrom({}, { types: [], kinds: [], paths: [], tags: [], since: 0, pinned: true }),
    matched: fc.nat(),
    complete: fc.boolean(),
    notes: fc.array(line, { maxLength: 8 }),
  }),
})

/** Every part of the answer takes the most room. */
const tightest: SearchAnswer = {
  query: '',
  hits: [
    {
      ...{ id: '3GGuLAq3yNP', type: 'heading', label: '\0', path: ' ', headingPath: [], snippet: '' },
      ...{ matches: [], score: 0, temperature: 0, tokens: 1_000_000 },
    },
  ],
  leftOut: 9_000_000,
  next: 9_999,
  searched: {
    ...{ nodes: 1_000_000_000, words: [], dropped: [], missing: [] },
    filters: { types: [], kinds: [], paths: [], tags: [], since: 0, pinned: true },
    ...{ matched: 0, complete: false, notes: [] },
  },
}

test('any search answer fits into every budget, with its best hit', () => {
  const budgets = fc.oneof(fc.constant(MIN_BUDGET), fc.integer({ min: MIN_BUDGET, max: 2000 }))
  fc.assert(
    fc.property(answers, budgets, (answer, budget) => {
      const fitted = fitSearch(answer, roomOf(budget))
      expect(estimateTokens(`${searchText(fitted)}\n`)).toBeLessThanOrEqual(budget)
      expect(fitted.hits.length).toBeGreaterThanOrEqual(Math.min(1, answer.hits.length))
      expect(fitted.hits.length + fitted.leftOut).toBe(answer.hits.length + answer.leftOut)
    }),
    { numRuns: 300, examples: [[tightest, MIN_BUDGET]] },
  )
})
