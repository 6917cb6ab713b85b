import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { isMemoryError } from '../../core/errors.ts'
import { findResource, RESOURCES } from '../resources/list.ts'
import type { Resource } from './resource.ts'
import { createFinder, expandUri, isTemplate } from './uri.ts'

const found = (uri: string): [string, Record<string, string>] | undefined => {
  const match = findResource(uri)
  return match && [match.resource.uri, match.variables]
}

function errorOf(uri: string): string {
  try {
    findResource(uri)
  } catch (error) {
    return isMemoryError(error) ? `${error.code}: ${error.message}` : `not a MemoryError: ${error}`
  }
  return 'no error'
}

describe('finds', () => {
  test.each(RESOURCES.filter(({ uri }) => !isTemplate(uri)).map(({ uri }) => uri))('%s unchanged', (uri) => {
    expect(found(uri)).toEqual([uri, {}])
  })

  test.each([
    ['remindb://tree/aB3', 'remindb://tree/{rootId}{?depth}', { rootId: 'aB3' }],
    ['remindb://tree/aB3?depth=2', 'remindb://tree/{rootId}{?depth}', { rootId: 'aB3', depth: '2' }],
    ['remindb://snapshots?limit=5', 'remindb://snapshots{?limit}', { limit: '5' }],
    ['remindb://snapshots/3/diffs', 'remindb://snapshots/{id}/diffs', { id: '3' }],
    ['remindb://sessions/history/Xy3', 'remindb://sessions/history/{hash}', { hash: 'Xy3' }],
    ['remindb://sessions/logs/k7f3', 'remindb://sessions/logs/{id}', { id: 'k7f3' }],
    ['remindb://search?q=a%20b', 'remindb://search{?q,limit}', { q: 'a b' }],
  ])('%s by its template', (uri, template, variables) => {
    expect(found(uri)).toEqual([template, variables])
  })

  test('the paged form when a variable of it is given, in any order', () => {
    const page = 'remindb://tree{?depth,cursor,limit}'
    expect(found('remindb://tree?limit=5')).toEqual([page, { limit: '5' }])
    const all = { depth: '1', cursor: 'c', limit: '5' }
    expect(found('remindb://tree?limit=5&cursor=c&depth=1')).toEqual([page, all])
    expect(found('remindb://tree?depth=1&limit=5&cursor=c')).toEqual([page, all])
    expect(found('remindb://tree/x?limit=5')?.[0]).toBe('remindb://tree/{rootId}{?depth,cursor,limit}')
    expect(found('remindb://snapshots?limit=5&cursor=9')?.[0]).toBe('remindb://snapshots{?cursor,limit}')
  })

  test('an empty value, or none, as not given', () => {
    for (const uri of ['remindb://snapshots?limit=', 'remindb://snapshots?limit', 'remindb://snapshots?'])
      expect(found(uri)).toEqual(['remindb://snapshots', {}])
    expect(found('remindb://tree/')).toEqual(['remindb://tree/{rootId}{?depth}', {}])
  })

  test('percent-encoded characters of a segment', () => {
    expect(found('remindb://tree/a%2Fb%3F%E2%82%AC')).toEqual([
      'remindb://tree/{rootId}{?depth}',
      { rootId: 'a/b?€' },
    ])
  })

  test.each([
    'remindb://nothing',
    'remindb://overview/',
    'REMINDB://overview',
    'remindb:overview',
    'remindb://tree/a/b',
    'remindb://snapshots/3',
    'overview',
    '',
  ])('nothing for %j', (uri) => {
    expect(found(uri)).toBeUndefined()
  })
})

describe('refuses', () => {
  test.each([
    ['remindb://overview?x=1', 'unknown variable "x"; this resource has none'],
    ['remindb://snapshots?limt=1', 'unknown variable "limt"; known: limit, cursor'],
    ['remindb://tree/a?constructor=1', 'unknown variable "constructor"; known: depth, cursor, limit'],
    ['remindb://snapshots?limit=1&limit=2', 'limit is given twice; give it once'],
    [
      'remindb://tree/%E0%A4',
      'malformed percent-encoding in "%E0%A4"; encode each value as UTF-8 (RFC 3986)',
    ],
    ['remindb://search?q=%', 'malformed percent-encoding in "%"; encode each value as UTF-8 (RFC 3986)'],
  ])('%s', (uri, message) => {
    expect(errorOf(uri)).toBe(`INVALID_INPUT: ${message}`)
  })

  test('to repeat all of a long mistake', () => {
    expect(errorOf(`remindb://overview?${'x'.repeat(10_000)}=1`).length).toBeLessThan(200)
  })

  test('variables that no resource has together', () => {
    const stub = (uri: string) => ({ uri }) as Resource
    const find = createFinder([stub('x://a{?b}'), stub('x://a{?c}')])
    expect(find('x://a?c=1')?.resource.uri).toBe('x://a{?c}')
    expect(() => find('x://a?b=1&c=1')).toThrow('no resource accepts b, c together')
  })
})

describe('for any text', () => {
  const pieces = fc.constantFrom(
    ...['remindb:', '//', '/', '?', '&', '=', '%', '%2', '%E2%82%AC', '{', '}', '#', '__proto__', '\u0000'],
    ...[
      'tree',
      'snapshots',
      'diffs',
      'sessions',
      'logs',
      'search',
      'limit',
      'depth',
      'cursor',
      'q',
      '1',
      '\ud800',
    ],
  )

  test('throws nothing but a MemoryError', () => {
    const uris = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.array(pieces, { maxLength: 12 }).map((parts) => `remindb://${parts.join('')}`),
    )
    fc.assert(
      fc.property(uris, (uri) => {
        expect(errorOf(uri)).not.toContain('not a MemoryError')
      }),
      { numRuns: 2000 },
    )
  })

  // `memory://` has its own rules: `memory/names.test.ts`.
  const own = RESOURCES.map(({ uri }) => uri).filter((uri) => uri.startsWith('remindb://'))
  test.each(own)('%s returns the variables it was made from', (uri) => {
    const names = [...uri.matchAll(/[{,?](\w+)/g)].map(([, name]) => name as string)
    const values = fc.record(
      Object.fromEntries(names.map((name) => [name, fc.string({ unit: 'grapheme', minLength: 1 })])),
    )
    fc.assert(
      fc.property(values, (variables) => {
        expect(found(expandUri(uri, variables))?.[1]).toEqual(variables)
      }),
    )
  })
})
