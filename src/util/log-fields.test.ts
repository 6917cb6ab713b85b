import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { flattenFields } from './log-fields.ts'

class Failure extends Error {
  override readonly name = 'Failure'
}

describe('a field of a log', () => {
  test.each<[string, unknown, unknown]>([
    ['an error', new Failure('no room'), 'Failure: no room'],
    ['a time', new Date(1_737_200_000_123), '2025-01-18T11:33:20.123Z'],
    ['an invalid time', new Date(Number.NaN), 'Invalid Date'],
    ['a bigint', 12n, 12],
    ['a large bigint', 2n ** 64n, '18446744073709551616'],
    ['NaN', Number.NaN, 'NaN'],
    ['endless', Number.NEGATIVE_INFINITY, '-Infinity'],
    ['minus zero', -0, 0],
    ['null', null, null],
    ['a URL', new URL('http://example.org/'), 'http://example.org/'],
    ['bytes', new Uint8Array(3), '(3 bytes)'],
    ['a set', new Set([1, 'b']), [1, 'b']],
    ['a list', [1, new Failure('x'), undefined, { a: { b: 1n } }], [1, 'Failure: x', null, { 'a.b': 1 }]],
    ['a lone surrogate', '\ud800', '\ufffd'],
    ['a symbol', Symbol('a'), 'Symbol(a)'],
  ])('with %s becomes plain JSON', (_name, value, expected) => {
    expect(flattenFields({ value })).toEqual({ value: expected })
  })

  test('without a value is left out', () => {
    expect(flattenFields({ a: undefined, b: () => 1, c: {}, d: false })).toEqual({ d: false })
    expect(flattenFields(undefined)).toEqual({})
  })

  test('of a group has the names of its parents', () => {
    const fields = { a: { b: { c: 1 }, err: new Failure('x') }, map: new Map([[1, { two: 2 }]]) }
    expect(flattenFields(fields)).toEqual({ 'a.b.c': 1, 'a.err': 'Failure: x', 'map.1.two': 2 })
  })

  test('is cut if it is long', () => {
    expect(String(flattenFields({ a: 'x'.repeat(10_000) }).a)).toHaveLength(4097)
  })

  test('that cannot be read is reported as unreadable', () => {
    const fields = {
      get a(): never {
        throw new Error('no')
      },
      b: { toJSON: () => fields.a },
    }
    expect(flattenFields(fields)).toEqual({ a: '(unreadable)', b: '(unreadable)' })
  })

  test('that contains itself is cut', () => {
    const fields: Record<string, unknown> = { first: 1 }
    for (let at = 0; at < 50; at++) fields[`k${at}`] = fields
    fields.list = [fields, fields]
    fields.json = { toJSON: () => fields.json }
    const flat = flattenFields(fields)
    expect(flat.first).toBe(1)
    expect(Object.keys(flat).length).toBeLessThan(1001)
  })
})

test('any log fields become JSON that can be parsed back', () => {
  const fields = fc.dictionary(fc.string(), fc.anything({ withBigInt: true, withDate: true, withMap: true }))
  fc.assert(
    fc.property(fields, (given) => {
      const flat = flattenFields(given)
      expect(JSON.parse(JSON.stringify(flat))).toEqual(flat)
    }),
  )
})
