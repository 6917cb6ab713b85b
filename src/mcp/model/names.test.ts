import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { createMemoryFinder } from '../resources/memory/finder.ts'
import { findMemoryName, RECORD_VIEWS, uriOfCustomView, uriOfKey, uriOfView } from './names.ts'

const key = (name: string, template = 'memory://{key}') => ({
  ...{ kind: 'key', template, variables: { key: name } },
})

describe('a key', () => {
  test.each([
    ['release-cadence', 'memory://release-cadence'],
    ['release/smoke-tests', 'memory://release%2Fsmoke-tests'],
    ['index', 'memory://index'],
    ['tasks', 'memory://tasks'],
    ['custom', 'memory://custom'],
    ['custom/python', 'memory://custom%2Fpython'],
    ["a!b*c'd(e)", 'memory://a%21b%2Ac%27d%28e%29'],
    ['-_.~', 'memory://-_.~'],
    ['a b+c', 'memory://a%20b%2Bc'],
    ['100%', 'memory://100%25'],
    ['%2F', 'memory://%252F'],
    ['ü€😀', 'memory://%C3%BC%E2%82%AC%F0%9F%98%80'],
    ['\u0000', 'memory://%00'],
    ['?limit=1#x', 'memory://%3Flimit%3D1%23x'],
  ])('%j is read at %s', (name, uri) => {
    expect(uriOfKey(name)).toBe(uri)
    expect(findMemoryName(uri)).toEqual(key(name))
  })

  test.each([
    'recent',
    'core',
    'learnings',
    'tasks/active',
    'tasks/completed',
    '_index',
    '_key',
    '_',
    '_a/b',
  ])('%j is in the reserved namespace: its name is taken', (name) => {
    expect(uriOfKey(name)).toBe(`memory://_key/${encodeURIComponent(name)}`)
    expect(findMemoryName(uriOfKey(name))).toEqual(key(name, 'memory://_key/{key}'))
  })

  test('is decoded exactly once', () => {
    expect(findMemoryName('memory://%61b%2fc')).toEqual(key('ab/c'))
    expect(findMemoryName('memory://_key/plain')).toEqual(key('plain', 'memory://_key/{key}'))
    expect(findMemoryName('memory://tasks%2Factive')).toEqual(key('tasks/active'))
    expect(findMemoryName('memory://Grüße')).toEqual(key('Grüße'))
  })

  test('with half a surrogate pair has the URI of the stored key', () => {
    expect(uriOfKey('a\ud800b')).toBe('memory://a%EF%BF%BDb')
  })
})

describe('static names', () => {
  test.each(RECORD_VIEWS)('%s is a view, and narrowed by its query', (view) => {
    const uri = uriOfView(view)
    expect(findMemoryName(uri)).toEqual({ kind: 'view', template: uri, variables: {} })
    expect(findMemoryName(`${uri}?tags=a%2Cb,c&limit=5`)).toEqual({
      ...{ kind: 'view', template: `${uri}{?limit,since,tags}` },
      variables: { tags: 'a,b,c', limit: '5' },
    })
    expect(findMemoryName(`${uri}?limit=`)).toEqual({ kind: 'view', template: uri, variables: {} })
  })

  test('are the same with percent-encoded letters', () => {
    expect(findMemoryName('memory://%72ecent')).toMatchObject({ kind: 'view' })
    expect(findMemoryName('memory://%5Findex')).toMatchObject({ kind: 'index' })
    expect(findMemoryName('memory://%5Fkey/a')).toMatchObject({ kind: 'key', variables: { key: 'a' } })
  })

  test('custom views have any name', () => {
    expect(uriOfCustomView('python work')).toBe('memory://custom/python%20work')
    expect(findMemoryName('memory://custom/python%20work?since=2025-12-01')).toEqual({
      kind: 'custom',
      template: 'memory://custom/{view}{?limit,since,tags}',
      variables: { view: 'python work', since: '2025-12-01' },
    })
  })

  test('the index', () => {
    expect(findMemoryName('memory://_index')).toEqual({
      ...{ kind: 'index', template: 'memory://_index', variables: {} },
    })
  })
})

test.each([
  'memory://',
  'memory:///',
  'memory://a/b',
  'memory://recent/',
  'memory://recent/x',
  'memory://tasks/all',
  'memory://custom/',
  'memory://custom/a/b',
  'memory://_key',
  'memory://_key/',
  'memory://_key/a/b',
  'memory://_other',
  'memory://_index?limit=1',
  'memory://key?limit=1',
  'memory:recent',
  'remindb://tree',
  '',
])('%j names no resource', (uri) => {
  expect(findMemoryName(uri)).toBeUndefined()
})

test.each([
  ['memory://%', 'malformed percent-encoding'],
  ['memory://a%GG', 'malformed percent-encoding'],
  ['memory://%C3%28', 'malformed percent-encoding'],
  ['memory://%ED%A0%80', 'malformed percent-encoding'],
  ['memory://_key/%', 'malformed percent-encoding'],
  ['memory://a\ud800', 'half a surrogate pair'],
  ['memory://recent?offset=1', 'unknown variable "offset"; known: limit, since, tags'],
  ['memory://recent?limit=1&limit=2', 'limit is given twice'],
  ['memory://custom/a?limit=%', 'malformed percent-encoding'],
])('%j is refused', (uri, message) => {
  expect(() => findMemoryName(uri)).toThrow(
    expect.objectContaining({ code: 'INVALID_INPUT', message: expect.stringContaining(message) }),
  )
})

describe('any key', () => {
  const anyKey = fc.oneof(
    fc.string({ unit: 'binary', minLength: 1 }),
    fc.string({ unit: 'grapheme', minLength: 1 }),
    fc
      .tuple(fc.constantFrom(...RECORD_VIEWS, '_index', '_key/', '_', 'custom/', '%', '?'), fc.string())
      .map(([start, rest]) => start + rest),
  )

  test('its URI leads back to it, and to no static name', () => {
    fc.assert(
      fc.property(anyKey, (name) => {
        const uri = uriOfKey(name)
        expect(uri).toMatch(/^memory:\/\/(_key\/)?(?:[A-Za-z0-9\-_.~]|%[0-9A-F]{2})+$/)
        expect(findMemoryName(uri)).toMatchObject({ kind: 'key', variables: { key: name } })
      }),
    )
  })

  test('a URI means one thing, or is refused as input', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (rest) => {
        try {
          const name = findMemoryName(`memory://${rest}`)
          if (name?.kind === 'key') expect(name.variables.key).not.toBe('')
        } catch (error) {
          expect(error).toMatchObject({ code: 'INVALID_INPUT' })
        }
      }),
    )
  })
})

test('a resource is found by its template, with its variables', () => {
  const resource = (uri: string) => ({
    ...{ uri, name: uri, title: uri, description: uri, scope: 'memories:read' as const },
    read: async () => uri,
  })
  const one = resource('memory://{key}')
  const find = createMemoryFinder([one, resource('memory://recent')])
  expect(find('memory://a%2Fb')).toEqual({ resource: one, variables: { key: 'a/b' } })
  expect(find('memory://recent')?.resource.uri).toBe('memory://recent')
  // Its door is not there.
  expect(find('memory://_index')).toBeUndefined()
})
