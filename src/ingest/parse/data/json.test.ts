import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { parseOptions } from '../../../../test/support/parse-options.ts'
import { labelOf } from '../../../core/label.ts'
import { ParseError } from '../../../core/parse-error.ts'
import { parseJson, parseJsonLines } from './json.ts'
import { JsonReader } from './json-reader.ts'
import { NumberLiteral } from './number-literal.ts'

const json = (text: string, options = {}) => parseJson(text, parseOptions(options))
const lines = (text: string, options = {}) => parseJsonLines(text, parseOptions(options))
const errorOf = (run: () => unknown): string => {
  try {
    run()
  } catch (error) {
    if (error instanceof ParseError) return error.message
    throw error
  }
  return 'no error'
}

describe('a JSON file', () => {
  test('is a map of keys in order, with large values below', () => {
    const [root] = json('{"b":2,"a":1,"tags":["a","b","c","d","e"],"m":{"e":1,"d":2,"c":3,"b":4,"a":5}}')
    expect(root).toMatchObject({ type: 'kv', format: 'plain', text: 'a: 1\nb: 2' })
    expect(root?.children).toMatchObject([
      { type: 'kv', format: 'plain', text: 'm:\n  a: 5\n  b: 4\n  c: 3\n  d: 2\n  e: 1' },
      { type: 'list', format: 'toon', text: 'tags[5]: a,b,c,d,e' },
    ])
  })

  test('has a table for a list of equal objects', () => {
    const users = Array.from({ length: 5 }, (_, i) => ({ name: `user ${i}`, id: i }))
    const [root] = json(JSON.stringify({ users }))
    const [list] = root?.children ?? []
    expect(list?.text).toBe('users[5]{id,name}:\n  0,user 0\n  1,user 1\n  2,user 2\n  3,user 3\n  4,user 4')
    expect(list && labelOf(list)).toBe('users[5]{id,name}')
  })

  test('keeps numbers as written', () => {
    const numbers = '12345678901234567890, 1.10, -0, 1e400, 0.1E+7, 1, 2, 3, 4, 5'
    expect(json(`[${numbers}]`)).toMatchObject([
      { format: 'toon', text: '[10]: 12345678901234567890,1.10,-0,1e400,0.1E+7,1,2,3,4,5' },
    ])
    expect(json('{"id":12345678901234567890}')).toMatchObject([{ text: 'id: 12345678901234567890' }])
  })

  test('takes the last of two equal keys', () => {
    expect(json('{"a":1,"b":2,"a":3}')).toMatchObject([{ text: 'a: 3\nb: 2' }])
  })

  test('takes __proto__ for a key like any other', () => {
    expect(json('{"__proto__":{"a":1}}')).toMatchObject([{ text: '__proto__:\n  a: 1' }])
  })

  test.each([
    ['null', []],
    ['', []],
    [' \n', []],
    ['""', []],
    ['"a"', ['a']],
    ['7', ['7']],
    ['[]', ['[]']],
    ['{}', ['{}']],
    ['\ufeff{"a":\r\n1}', ['a: 1']],
    ['"a\\u0000b\\ud800\\r\\nc"', ['a\ufffdb\ufffd\n  c']],
  ])('of %j gives %j', (text, expected) => {
    expect(json(text).map((block) => block.text)).toEqual(expected)
  })

  test.each([
    ['{"a":1} secret', 'line 1: invalid JSON: expected the end after one value'],
    ['{"a":1,\n"b":secret}', 'line 2: invalid JSON: expected a value'],
    ['{"a":1,\nsecret:2}', 'line 2: invalid JSON: expected a key in double quotes'],
    ['{"a":1,\n}', 'line 2: invalid JSON: expected a key in double quotes'],
    ['{"a"\n\n"secret"}', 'line 3: invalid JSON: expected a colon after a key'],
    ['{"a":1 "b":2}', 'line 1: invalid JSON: expected a comma or }'],
    ['[1,\n2', 'line 2: invalid JSON: unexpected end'],
    ['[1,]', 'line 1: invalid JSON: expected a value'],
    ['\n"secret', 'line 2: invalid JSON: a string is not closed on its line'],
    ['"secret\n"', 'line 1: invalid JSON: a string is not closed on its line'],
    ['"secret\\x"', 'line 1: invalid JSON: a string holds a bad escape or a control character'],
    ['01', 'line 1: invalid JSON: expected the end after one value'],
    ['// secret', 'line 1: invalid JSON: expected a value'],
    ['nul', 'line 1: invalid JSON: expected a value'],
    ['['.repeat(100_000), 'line 1: invalid JSON: nested deeper than 200 levels'],
    ['{"a":'.repeat(100_000), 'line 1: invalid JSON: nested deeper than 200 levels'],
  ])('that is invalid is refused by line, without quoting it: %#', (text, message) => {
    expect(errorOf(() => json(text))).toBe(message)
  })

  test('accepts and refuses the same texts as JSON.parse', () => {
    const text = fc.oneof(
      fc.json(),
      fc.json().map((value) => JSON.stringify(JSON.parse(value), null, 2)),
      fc.string({ unit: fc.constantFrom(...'{}[]",:\\u0e-+.1tfn al\n'.split('')), maxLength: 12 }),
      fc.string().map((value) => `"${value}"`),
    )
    fc.assert(
      fc.property(text, (source) => {
        expect(readAll(source)).toEqual(parseAll(source))
      }),
      { numRuns: 5000 },
    )
  })

  test('takes bounded stack for a string of any length', () => {
    expect(json(JSON.stringify('\\"'.repeat(2_000_000))).length).toBe(1000)
  })
})

describe('a file of JSON lines', () => {
  test('is one list of all records', () => {
    expect(lines('{"a":1}\n\n{"b":[2]}\r\n"c"\n')).toMatchObject([
      { type: 'list', format: 'plain', text: '-\n  a: 1\n-\n  b:\n  - 2\n- c' },
    ])
  })

  test('is a table when the records are equal', () => {
    const text = Array.from({ length: 3 }, (_, i) => JSON.stringify({ level: 'info', n: i })).join('\n')
    const [list] = lines(text)
    expect(list).toMatchObject({ format: 'toon', text: '[3]{level,n}:\n  info,0\n  info,1\n  info,2' })
    expect(list && labelOf(list)).toBe('[3]{level,n}')
  })

  test('may be empty', () => {
    expect(lines('')).toEqual([])
    expect(lines('\n \n')).toEqual([])
  })

  test('is refused for one bad record, by line', () => {
    expect(errorOf(() => lines('{"a":1}\n\n{"a":secret}\n'))).toBe('line 3: invalid JSON: expected a value')
    expect(errorOf(() => lines('{"a":1}\n{"a":2'))).toBe('line 2: invalid JSON: unexpected end')
  })
})

function readAll(source: string): unknown {
  try {
    const reader = new JsonReader(source)
    const value = reader.readValue()
    return reader.isAtEnd() ? plain(value) : 'refused'
  } catch (error) {
    if (error instanceof ParseError) return 'refused'
    throw error
  }
}

function parseAll(source: string): unknown {
  try {
    return JSON.parse(source)
  } catch {
    return 'refused'
  }
}

function plain(value: unknown): unknown {
  if (value instanceof NumberLiteral) return Number(value.text)
  if (Array.isArray(value)) return value.map(plain)
  if (!(value instanceof Map)) return value
  return Object.fromEntries([...value].map(([key, item]) => [key, plain(item)]))
}
