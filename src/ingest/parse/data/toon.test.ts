import { decode, encode } from '@toon-format/toon'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { parseOptions } from '../../../../test/support/parse-options.ts'
import { ParseError } from '../../../core/parse-error.ts'
import { NumberLiteral } from './number-literal.ts'
import { parseToon } from './toon.ts'
import { decodeToon } from './toon-decode.ts'
import { encodeToon, renderToon, splitToon } from './toon-encode.ts'
import { toValue, type Value } from './value.ts'

const toon = (text: string) => parseToon(text, parseOptions())
const errorOf = (text: string): string => {
  try {
    toon(text)
  } catch (error) {
    if (error instanceof ParseError) return error.message
    throw error
  }
  return 'no error'
}
const keep = (text: string) => text
const jsonValue = fc.jsonValue({ stringUnit: 'grapheme' })
const items = (raw: unknown[]) => toValue(raw, keep) as readonly Value[]

describe('a TOON file', () => {
  test('is a map with large values below', () => {
    const text = 'name: x\nusers[5]{id,name}:\n  1,a\n  2,b\n  3,c\n  4,"d, e"\n  5,f\nmap:\n  k: v\n'
    expect(toon(text)).toMatchObject([
      {
        type: 'kv',
        text: 'map:\n  k: v\nname: x',
        children: [{ type: 'list', format: 'toon', text: text.slice(8, -13) }],
      },
    ])
  })

  test('keeps numbers as written, and distinguishes them from texts', () => {
    expect(toon('[13]: 12345678901234567890,1.10,"1",2 apples,-0,1e400,v1,1,2,3,4,5,6')).toMatchObject([
      { text: '[13]: 12345678901234567890,1.10,"1",2 apples,-0,1e400,v1,1,2,3,4,5,6' },
    ])
    expect(
      toon('a: 12345678901234567890\nb[2]:\n  - 1.10\n  - c: 2.50\nd[1|]{"1"|e}:\n  1.0|"1.0"'),
    ).toMatchObject([
      { text: 'a: 12345678901234567890\nb:\n- 1.10\n-\n  c: 2.50\nd:\n-\n  1: 1.0\n  e: 1.0' },
    ])
  })

  test('may be one scalar, or nothing', () => {
    expect(toon('hello')).toMatchObject([{ type: 'kv', text: 'hello' }])
    expect(toon('1.10')).toMatchObject([{ type: 'kv', text: '1.10' }])
    for (const text of ['', '\n', 'null']) expect(toon(text)).toEqual([])
  })

  test('may hold characters of private use', () => {
    expect(toon('a: \ue000 1\nb: 12')).toMatchObject([{ text: 'a: \ue000 1\nb: 12' }])
  })

  test.each([
    ['a: 1\nusers[2]{secret}:\n  1\n', 'line 3: invalid TOON: expected 2 tabular rows, but got 1'],
    ['tags[3]: a,secret', 'line 1: invalid TOON: expected 3 inline-form values, but got 2'],
    ['secret: 1\nsecret: 2', 'line 2: invalid TOON'],
    ['a: "secret', 'line 1: invalid TOON: unterminated string: missing closing quote'],
    ['a:\n   secret: 1', 'line 2: invalid TOON: indentation must be exact multiple of 2, but found 3 spaces'],
    [`a: 1\n${' '.repeat(402)}b: 1`, 'line 2: invalid TOON: nested deeper than 200 levels'],
    [`[1]${'{a'.repeat(201)}`, 'line 1: invalid TOON: nested deeper than 200 levels'],
  ])('that is invalid is refused by line, without quoting it: %j', (text, message) => {
    expect(errorOf(text)).toBe(message)
  })

  test('agrees with the library', () => {
    fc.assert(
      fc.property(jsonValue, (value) => {
        expect(plain(decodeToon(encode(value)))).toEqual(decode(encode(value)))
      }),
      { numRuns: 2000 },
    )
  })
})

describe('an array in TOON', () => {
  test.each([
    ['scalars', 'tags', ['a', 1, true, null, 'b c'], 'tags[5]: a,1,true,null,b c'],
    ['scalars without a key', null, ['a', 'b'], '[2]: a,b'],
    [
      'objects, their keys in order',
      'u',
      [
        { b: 1, a: 'x' },
        { a: 'y', b: 2 },
      ],
      'u[2]{a,b}:\n  x,1\n  y,2',
    ],
    ['keys that need quotes', 'a b', [{ 'x:y': 1 }], '"a b"[1]{"x:y"}:\n  1'],
    [
      'texts that need quotes',
      null,
      ['', ' a', 'a,b', 'true', '1', '-a', '#a', 'a:b', 'a"b', 'a\nb'],
      '[10]: ""," a","a,b","true","1","-a","#a","a:b","a\\"b","a\\nb"',
    ],
  ])('is written for %s', (_case, key, raw, expected) => {
    const array = encodeToon(key, items(raw))
    expect(array && renderToon(array)).toBe(expected)
  })

  test.each([
    ['empty', []],
    ['of arrays', [[1], [2]]],
    ['of scalars and objects', [1, { a: 1 }]],
    ['of objects and scalars', [{ a: 1 }, 1]],
    ['of different objects', [{ a: 1 }, { b: 1 }]],
    ['of objects with more keys', [{ a: 1 }, { a: 1, b: 2 }]],
    ['of objects with something in them', [{ a: [1] }]],
    ['of empty objects', [{}, {}]],
  ])('is not written when %s', (_case, raw) => {
    expect(encodeToon('k', items(raw))).toBeUndefined()
  })

  test('is not split while it fits, even with a long header', () => {
    const array = encodeToon('a', items([{ 'a long name': 1, 'another long name': 2 }]))
    expect(array && splitToon(array, 60)).toEqual(['a[1]{"a long name","another long name"}:\n  1,2'])
    expect(array && splitToon(array, 40)).toBeUndefined()
  })

  const scalar = fc.oneof(
    fc.string({ unit: 'grapheme' }),
    fc.string({ unit: fc.constantFrom(...' \t\n,:"\\[]{}#-+.0e1ax|'.split('')), maxLength: 6 }),
    fc.constantFrom('true', 'null', '-1', '1e5', '+1', '007'),
    fc.integer(),
    fc.boolean(),
    fc.constant(null),
  )
  // No integers as keys: the library writes JavaScript objects, which put those first.
  const key = fc
    .oneof(fc.stringMatching(/^[a-z_.]{1,5}$/), fc.string({ unit: 'grapheme', minLength: 1 }))
    .filter((name) => !/^\d+$/.test(name))
  const array = fc.oneof(
    fc.array(scalar, { minLength: 1 }),
    fc
      .uniqueArray(key, { minLength: 1, maxLength: 4 })
      .chain((keys) =>
        fc.array(fc.record(Object.fromEntries(keys.map((name) => [name, scalar]))), { minLength: 1 }),
      ),
  )

  test('equals the output of the library, and is read by it, whole and in pieces', () => {
    fc.assert(
      fc.property(key, array, fc.integer({ min: 8, max: 200 }), (name, raw, maxBytes) => {
        const clean = items(raw)
        const encoded = encodeToon(name, clean)
        if (!encoded) throw new Error('expected TOON')
        const whole = renderToon(encoded)
        const sorted = plain(clean)
        expect(whole).toBe(encode({ [name]: sorted }))
        expect(decode(whole)).toEqual({ [name]: sorted })
        const pieces = splitToon(encoded, maxBytes)
        if (!pieces) return
        expect(pieces.flatMap((piece) => Object.values(decode(piece) as object)[0])).toEqual(sorted)
        for (const piece of pieces) expect(Buffer.byteLength(piece)).toBeLessThanOrEqual(maxBytes)
      }),
      { numRuns: 2000 },
    )
  })
})

/** Without our types: the result of `decode` of the library. */
function plain(value: unknown): unknown {
  if (value instanceof NumberLiteral) return Number(value.text) + 0
  if (Array.isArray(value)) return value.map(plain)
  if (value instanceof Map) return Object.fromEntries([...value].map(([key, item]) => [key, plain(item)]))
  if (typeof value === 'object' && value !== null && 'entries' in value && Array.isArray(value.entries)) {
    return Object.fromEntries(value.entries.map(([key, item]: [string, unknown]) => [key, plain(item)]))
  }
  return value
}
