import fc from 'fast-check'
import { expect, test } from 'vitest'
import { compactJsonPieces, jsonPieces } from './json-pieces.ts'

const print = (value: unknown): string => [...jsonPieces(value)].join('')

test('jsonPieces gives the same text as JSON.stringify', () => {
  fc.assert(
    fc.property(fc.jsonValue({ noUnicodeString: true }), (value) => {
      expect(JSON.parse(print(value))).toEqual(JSON.parse(JSON.stringify(value)))
    }),
  )
  const value = {
    a: 1,
    none: undefined,
    list: [1, 'x', null, [], {}, [[]], { b: { c: true } }],
    'a "key"': '',
  }
  for (const part of [value, [], {}, [value], null, 'text', 3]) {
    expect(print(part)).toBe(`${JSON.stringify(part, null, 2)}\n`)
    expect([...compactJsonPieces(part)].join('')).toBe(JSON.stringify(part))
  }
})

test('jsonPieces accepts any depth', () => {
  let deep: unknown = []
  for (let level = 0; level < 20_000; level++) deep = { children: [deep] }
  let pieces = 0
  for (const piece of jsonPieces(deep)) pieces += piece === '' ? 0 : 1
  expect(pieces).toBeGreaterThan(80_000)
})

test('jsonPieces escapes terminal controls, also in names', () => {
  expect(print({ '\u009b': '\u202e' })).toBe('{\n  "\\u009b": "\\u202e"\n}\n')
})
