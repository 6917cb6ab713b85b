import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { showUnits as show } from '../../../../test/support/show-units.ts'
import { parseQuery } from './query.ts'
import { wantedUnits } from './query-expression.ts'
import type { Expression, Query } from './query-model.ts'

const now = Date.UTC(2026, 0, 31)
const parse = (text: string): Query => parseQuery(text, { now })

describe('any text is words', () => {
  test.each([
    ["what's new", 'what? new'],
    ['C++ or C#', 'c++ or? c#'],
    ['rate-limit', '"rate limit"'],
    ['v1.2', '"v1 2"'],
    ['path/to', '"path to"'],
    ['a: b', 'a? b'],
    ['note: x', 'note x'],
    ['http://example.com', '"http exampl com"'],
    ['#tag', '#tag tag'],
    ['#rate-limit #12', '#rate+limit "rate limit" 12'],
    ['50%', '50'],
    ['3,000 foo,bar;baz', '"3 000" foo bar baz'],
    ['f(x) [y]', 'f x y'],
    ["l'homme don't", '"l homm" dont?'],
    ['done🎉🚀', 'done 🎉 🚀'],
    ['東京都のサーバー', '"東 京" 都 の? "サ ー バ ー"'],
    ['Pythonで書く', 'python で? "書 く"'],
    ['สวัสดีชาวโลก', '"ส วั ส ดี" "ช า ว" "โ ล ก"'],
    ['كِتَاب جديد', 'كتاب جديد'],
    ['Été ÉTÉ ete', 'et'],
    ['run running RUNS', 'run'],
    ['((a b', 'a? b'],
    ['and or not', 'and? or? not?'],
    ['**bold** * a*b', 'bold "a b"'],
  ])('%j', (text, expected) => {
    const query = parse(text)
    expect(show(query)).toBe(expected)
    expect(query).toMatchObject({ text, expression: null, filters: {}, notes: [] })
  })

  test('that is empty, or has no word, has a note', () => {
    expect(parse(' \n')).toMatchObject({ units: [], notes: ['the query is empty'] })
    expect(parse('??? ...')).toMatchObject({ units: [], notes: ['the query has no word to look for'] })
  })
})

describe('a phrase', () => {
  test('is the text in quotes', () => {
    expect(show(parse('"rate limit" x “curly one”'))).toBe('"rate limit" x "curli on"')
  })

  test('of one word is that word, even if it is a stop word', () => {
    expect(show(parse('"the" the'))).toBe('the')
  })

  test('is shown without the spaces at its ends', () => {
    expect(parse('" rate limit "').units).toMatchObject([{ shown: 'rate limit' }])
  })

  test('that is not closed is words', () => {
    const query = parse('"rate limit')
    expect(show(query)).toBe('rate limit')
    expect(query.notes).toEqual(['a quotation mark without a second one was passed over'])
  })
})

describe('a prefix', () => {
  test.each([
    ['conf*', 'conf*'],
    ['rate-lim*', 'rate lim*'],
    ['databases*', 'databas*'],
    ['configura*', 'configur*'],
    ['runni*', 'run*'],
    ['memory*', 'memor*'],
    ['Café*', 'cafe*'],
    ['v1*', 'v1*'],
  ])('%s searches for %s, since the index has stems', (text, expected) => {
    expect(show(parse(text))).toBe(expected)
  })

  test('of one letter is a word, with a note', () => {
    const query = parse('c*')
    expect(show(query)).toBe('c')
    expect(query.notes).toEqual(['c* was taken as a word: a beginning has at least 2 letters'])
  })

  test('in a script whose characters are words is a list of words', () => {
    expect(show(parse('東京*'))).toBe('"東 京"')
    expect(parse('東京* 東* * **').notes).toEqual([])
  })
})

describe('operators', () => {
  const read = (text: string) => parse(text).expression

  test.each<[string, Expression]>([
    ['x AND y', { and: [0, 1] }],
    ['x OR y OR z', { or: [0, 1, 2] }],
    ['x NOT y', { of: 0, without: 1 }],
    ['x AND NOT y AND z', { of: { and: [0, 2] }, without: 1 }],
    ['x NOT y NOT z', { of: 0, without: { or: [1, 2] } }],
    ['x NOT y NOT y', { of: 0, without: 1 }],
    ['x AND y OR z', { or: [{ and: [0, 1] }, 2] }],
    ['x OR y NOT z', { or: [0, { of: 1, without: 2 }] }],
    ['x AND (y OR z)', { and: [0, { or: [1, 2] }] }],
    ['x y AND z', { and: [{ or: [0, 1] }, 2] }],
    ['x AND 東京都', { and: [0, { or: [1, 2] }] }],
    ['"x y" AND zz* AND a/b', { and: [0, 1, 2] }],
    ['x AND x', 0],
  ])('%s', (text, expected) => {
    expect(read(text)).toEqual(expected)
    expect(parse(text).notes).toEqual([])
  })

  test('leave excluded units out of the rank', () => {
    const excluded = (text: string) => parse(text).units.map(({ isExcluded }) => isExcluded)
    expect(excluded('x NOT y')).toEqual([false, true])
    expect(excluded('x NOT y OR y')).toEqual([false, false])
    expect(excluded('x y')).toEqual([false, false])
  })

  test.each([
    'AND',
    'x OR',
    'NOT x',
    'x AND OR y',
    'x AND (y',
    'x) OR y',
    'x OR NOT y',
    'x AND ...',
    `x OR ${'('.repeat(50)}y${')'.repeat(50)}`,
  ])('%s is read as words, with a note', (text) => {
    const query = parse(text)
    expect(query.expression).toBeNull()
    expect(query.units.some(({ isStopWord }) => isStopWord)).toBe(true)
    expect(query.notes.join()).toContain('taken as words')
  })
})

test.each([
  ['rate-limit', ['rate', 'limit']],
  ['http://example.com', ['http', 'exampl', 'com']],
  ['path/to/a', ['path']],
  ['v1.2', []],
  ['"rate limit"', undefined],
  ['rate', undefined],
  ['東京都', undefined],
])('%s has parts to search for if no node has the whole', (text, expected) => {
  const [unit] = parse(text).units
  expect(unit?.parts?.flatMap(({ words }) => words)).toEqual(expected)
})

describe('bounds', () => {
  test('64 different units are searched for', () => {
    const words = Array.from({ length: 100 }, (_, place) => `x${place}`)
    const query = parse(words.join(' '))
    expect(query.units).toHaveLength(64)
    expect(query.notes).toEqual(['only the first 64 different words and phrases were looked for'])
    expect(parse(words.slice(0, 64).join(' ')).notes).toEqual([])
    expect(parse('x y '.repeat(200)).notes).toEqual([])
  })

  test('32 paths and tags are filters', () => {
    const many = Array.from({ length: 100 }, (_, place) => `x${place}`)
    const query = parse(`tag:${many.join(',')} ${many.map((path) => `path:${path}`).join(' ')}`)
    expect(query.filters).toEqual({
      tags: many.slice(0, 32).map((tag) => `#${tag}`),
      paths: many.slice(0, 32),
    })
    expect(query.notes).toEqual([
      'only the first 32 paths were taken as filters',
      'only the first 32 tags were taken as filters',
    ])
  })

  test('10,000 characters are read', () => {
    const query = parse(`${'x '.repeat(5000)}y`)
    expect(show(query)).toBe('x')
    expect(show(parse(`${'x '.repeat(4995)}whole parted`))).toBe('x whole')
    expect(show(parse('x'.repeat(20_000)))).toBe('x'.repeat(64))
    expect(parse(`x ${'東京都'.repeat(5000)}`).units.length).toBeGreaterThan(1)
    expect(query.notes).toEqual(['only the first 10000 characters were read'])
  })

  test.each([
    ['brackets', '('],
    ['quotes', '"'],
    ['stars', 'a*'],
    ['operators', 'a AND ('],
    ['filters', 'type:code,'],
    ['tags', '#a '],
    ['marks', '\u093c\u094d'],
    ['Chinese', '東京都'],
    ['Thai', 'สวัสดี'],
    ['joiners', '👨\u200d'],
  ])('100 kB of %s are parsed in time', (_, part) => {
    expect(parse(part.repeat(Math.ceil(100_000 / part.length))).units.length).toBeLessThanOrEqual(64)
  })
})

test('any text gives a consistent query', () => {
  const piece = fc.constantFrom(
    ...[
      'a',
      'b c',
      '"',
      '"x y"',
      'AND',
      'OR',
      'NOT',
      '(',
      ')',
      'pre*',
      '*',
      '#tag',
      "'s",
      '東京',
      '👍🏽',
      '\ud800',
    ],
    ...['type:code', 'type:', 'path:"', 'path:"x y"', 'since:1d', 'tag:x', 'pinned:no', 'kind:x', ':', ','],
  )
  const text = fc.oneof(
    fc
      .array(fc.oneof(piece, fc.string({ unit: 'binary', maxLength: 3 })), { maxLength: 20 })
      .map((parts) => parts.join(' ')),
    fc.array(piece, { maxLength: 12 }).map((parts) => parts.join('')),
    fc.string({ unit: 'binary', maxLength: 200 }),
  )
  fc.assert(
    fc.property(text, (source) => {
      const { units, expression, notes, filters } = parse(source)
      expect(new Set(units.map(({ kind, words }) => `${kind} ${words.join(' ')}`)).size).toBe(units.length)
      for (const { kind, words } of units) {
        expect(words.length).toBeGreaterThanOrEqual(kind === 'phrase' ? 2 : 1)
        for (const word of words) expect(word).toMatch(/^[a-z0-9+#\u{80}-\u{10ffff}]{1,64}$/u)
      }
      if (expression !== null) {
        const wanted = wantedUnits(expression)
        expect(wanted.length).toBeGreaterThan(0)
        for (const place of wanted) expect(units[place]?.isExcluded).toBe(false)
      }
      if (units.length === 0 && Object.keys(filters).length === 0) expect(notes).not.toEqual([])
    }),
    { numRuns: 1000 },
  )
})

describe('a query that would take an engine too long is cut, with a note', () => {
  const words = Array.from({ length: 100 }, (_, at) => `w${at}`)

  test.each([
    ['a long phrase', `"${words.join(' ')}"`],
    ['many words joined by dots', words.join('.')],
  ])('%s', (_, text) => {
    const { units, notes } = parse(text)
    expect(units[0]?.words).toEqual(words.slice(0, 32))
    expect(notes).toEqual(['of a phrase only the first 32 words were looked for'])
  })

  test('many phrases', () => {
    const phrases = words.slice(0, 20).map((word) => `"${Array(30).fill(word).join(' ')}"`)
    const { units, notes } = parse(phrases.join(' '))
    expect(units.reduce((sum, unit) => sum + unit.words.length, 0)).toBeLessThanOrEqual(192)
    expect(notes).toEqual([expect.stringMatching(/^only the first \d+ /)])
  })

  test('many prefixes, also in an expression', () => {
    const { units, expression, notes } = parse(
      words
        .slice(0, 12)
        .map((word) => `${word}*`)
        .join(' OR '),
    )
    expect(units.map(({ kind }) => kind)).toEqual([...Array(8).fill('prefix'), ...Array(4).fill('word')])
    expect(expression).not.toBeNull()
    expect(notes).toEqual([
      'only the first 8 beginnings were looked for; what follows them was taken as words',
    ])
  })
})
