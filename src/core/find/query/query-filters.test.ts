import { describe, expect, test } from 'vitest'
import { showUnits as show } from '../../../../test/support/show-units.ts'
import { parseQuery } from './query.ts'
import type { Expression, Query } from './query-model.ts'

const now = Date.UTC(2026, 0, 31)
const parse = (text: string): Query => parseQuery(text, { now })

describe('filters in a query', () => {
  test.each<[string, Query['filters']]>([
    ['type:code,table', { types: ['code', 'table'] }],
    ['TYPE:Code type:text', { types: ['code', 'text'] }],
    ['kind:note', { kinds: ['note'] }],
    ['path:docs/*.md', { paths: ['docs/*.md'] }],
    ['path:"my notes","b c"', { paths: ['my notes', 'b c'] }],
    ['path:./docs path:/notes/ path:/*.md path:/', { paths: ['docs', 'notes/', '/*.md', '/'] }],
    ['tag:#Rate-Limit tag:b', { tags: ['#rate+limit', '#b'] }],
    ['since:7d', { since: Date.UTC(2026, 0, 24) }],
    ['since:2w since:12h', { since: Date.UTC(2026, 0, 30, 12) }],
    ['since:2025-12-24', { since: Date.UTC(2025, 11, 24) }],
    ['since:2025-12-24T10:30', { since: Date.UTC(2025, 11, 24, 10, 30) }],
    ['since:2025-12-24T10:30:00+02:00', { since: Date.UTC(2025, 11, 24, 8, 30) }],
    ['pinned:yes', { pinned: true }],
    ['pinned:false', { pinned: false }],
  ])('%s', (text, filters) => {
    expect(parse(text)).toMatchObject({ units: [], filters, notes: [] })
    expect(Object.keys(parse(text).filters)).toEqual(Object.keys(filters))
  })

  test('may be among words, with or without AND', () => {
    for (const text of [
      'x type:code y',
      'x AND type:code AND y',
      'type:code AND x AND y',
      'x AND y AND type:code',
    ]) {
      expect(parse(text)).toMatchObject({ filters: { types: ['code'] }, notes: [] })
      expect(show(parse(text))).toBe('x y')
    }
    expect(parse('x AND type:code AND y').expression).toEqual({ and: [0, 1] })
    expect(parse('x AND type:code').expression).toBeNull()
  })

  test.each<[string, string, Expression]>([
    ['x type:code NOT y', 'x y', { of: 0, without: 1 }],
    ['x AND type:code NOT y', 'x y', { of: 0, without: 1 }],
    ['x type:code OR y', 'x y', { or: [0, 1] }],
    ['x OR type:code y', 'x y', { or: [0, 1] }],
    ['(x OR y) type:code NOT z', 'x y z', { of: { or: [0, 1] }, without: 2 }],
    ['type:code (x OR y)', 'x y', { or: [0, 1] }],
    ['x AND type:code OR y', 'x y', { or: [0, 1] }],
    ['x OR type:code AND y', 'x y', { or: [0, 1] }],
  ])('%s applies to the whole query, beside words with an operator', (text, words, expression) => {
    const query = parse(text)
    expect(show(query)).toBe(words)
    expect(query).toMatchObject({ filters: { types: ['code'] }, expression, notes: [] })
  })

  test.each([
    ['type:code NOT x', ['x']],
    ['NOT x type:code', ['x']],
    ['type:code AND NOT x', ['x']],
    ['type:code NOT x NOT "y z"', ['x', 'y z']],
    ['type:code NOT (x OR y) AND NOT zz*', ['x', 'y', 'zz*']],
    ['type:code NOT (x AND y)', ['x', 'y']],
    ['(type:code NOT x)', ['x']],
    ['((NOT x type:code))', ['x']],
    ['((type:code) NOT x)', ['x']],
  ])('%s matches everything that passes, without the words', (text, expected) => {
    const query = parse(text)
    expect(query).toMatchObject({ units: [], expression: null, notes: [] })
    expect(query.filters.types).toEqual(['code'])
    expect(query.filters.without?.units.map(({ shown }) => shown)).toEqual(expected)
  })

  test.each(['type:code NOT x OR y', 'type:code NOT', 'NOT x'])(
    '%s excludes nothing, and a note says that NOT is a word',
    (text) => {
      const query = parse(text)
      expect(query.filters).not.toHaveProperty('without')
      expect(query.notes.join()).toContain('AND, OR and NOT were taken as words')
    },
  )

  test('in brackets apply to the whole query, with a note if that may not be meant', () => {
    expect(parse('(x AND type:code) OR y')).toMatchObject({
      filters: { types: ['code'] },
      notes: ['type:code holds for the whole query, not only in its brackets'],
    })
    expect(parse('(x type:code) y').notes).toEqual([])
    expect(parse('(x type:code) AND y').notes).toEqual([])
  })

  test.each([
    ['type:foo', '"type foo"', 'a type is one of heading'],
    ['since:yesterday', '"sinc yesterdai"', 'write a date'],
    ['since:2026-02-31', '"sinc 2026 02 31"', 'write a date'],
    ['pinned:maybe', '"pin mayb"', 'write yes or no'],
    ['tag:!', 'tag', 'a tag follows'],
    ['type: code', 'type code', 'without a space'],
    ['x OR (path:y)', 'x "path y"', 'cannot be alternatives'],
    ['x OR path:y', 'x "path y"', 'cannot be alternatives'],
    ['x NOT ((z OR path:y) w)', 'x z "path y" w', 'cannot be alternatives'],
    ['x NOT (w (z path:y))', 'x w z "path y"', 'cannot be alternatives'],
    ['x OR (path:y AND path:z)', 'x "path y" "path z"', 'cannot be alternatives'],
    ['x AND (path:y NOT z)', 'x "path y" z', 'cannot be alternatives'],
    [`type:${'x'.repeat(5000)}`, `"type ${'x'.repeat(64)}"`, 'taken as words'],
  ])('%s is read as words, and a note says why', (text, expected, note) => {
    const query = parse(text)
    expect(show(query)).toBe(expected)
    expect(query.filters).toEqual({})
    expect(query.notes.join()).toContain(note)
    expect(query.notes.join().length).toBeLessThan(300)
  })

  test.each<[string, string, Query['filters']]>([
    ['NOT path:archive', '', { none: [{ paths: ['archive'] }] }],
    ['x NOT path:archive', 'x', { none: [{ paths: ['archive'] }] }],
    ['x AND NOT path:archive', 'x', { none: [{ paths: ['archive'] }] }],
    ['NOT path:archive x y', 'x y', { none: [{ paths: ['archive'] }] }],
    ['x NOT (path:y)', 'x', { none: [{ paths: ['y'] }] }],
    ['x NOT path:y z', 'x z', { none: [{ paths: ['y'] }] }],
    ['NOT path:a type:code', '', { none: [{ paths: ['a'] }], types: ['code'] }],
    ['NOT path:a NOT tag:b', '', { none: [{ paths: ['a'] }, { tags: ['#b'] }] }],
    ['(tag:a OR tag:b) x', 'x', { any: [[{ tags: ['#a'] }, { tags: ['#b'] }]] }],
    ['x (tag:a OR tag:b) y', 'x y', { any: [[{ tags: ['#a'] }, { tags: ['#b'] }]] }],
    ['x AND (tag:a OR path:b)', 'x', { any: [[{ tags: ['#a'] }, { paths: ['b'] }]] }],
    ['tag:a OR tag:b', '', { any: [[{ tags: ['#a'] }, { tags: ['#b'] }]] }],
    [
      '(tag:a type:code OR NOT tag:b) x',
      'x',
      { any: [[{ tags: ['#a'], types: ['code'] }, { none: [{ tags: ['#b'] }] }]] },
    ],
    ['x NOT (tag:a OR path:b)', 'x', { none: [{ any: [[{ tags: ['#a'] }, { paths: ['b'] }]] }] }],
    [
      '((tag:a OR (tag:b AND NOT path:c))) x',
      'x',
      { any: [[{ tags: ['#a'] }, { tags: ['#b'], none: [{ paths: ['c'] }] }]] },
    ],
    [
      '(tag:a OR tag:b) (type:code OR pinned:yes)',
      '',
      {
        any: [
          [{ tags: ['#a'] }, { tags: ['#b'] }],
          [{ types: ['code'] }, { pinned: true }],
        ],
      },
    ],
  ])('%s is a negated or nested filter', (text, words, filters) => {
    const query = parse(text)
    expect(query.filters).toEqual(filters)
    expect(show(query)).toBe(words)
    expect(query.notes).toEqual([])
  })

  test('beyond the maximum are read as words', () => {
    const many = Array.from({ length: 200 }, (_, at) => `tag:t${at}`).join(' OR ')
    expect(parse(`(${many}) x`).filters).toEqual({})
    const deep = `${'(NOT '.repeat(40)}path:y${')'.repeat(40)}`
    expect(parse(`${deep} x`).filters).not.toHaveProperty(
      'none.0.none.0.none.0.none.0.none.0.none.0.none.0.none.0.none.0.none.0.none.0.none.0.none.0.none.0.none.0.none.0.none',
    )
  })

  test('are found within 5,000 brackets', () => {
    const query = parse(`${'('.repeat(4990)}type:code NOT x${')'.repeat(4990)}`)
    expect(query.filters.without?.units).toHaveLength(1)
  })

  test('in quotes, or inside a word, are words', () => {
    expect(parse('"type:code" xtype:code').filters).toEqual({})
  })
})
