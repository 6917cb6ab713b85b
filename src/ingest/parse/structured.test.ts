import { describe, expect, test } from 'vitest'
import { parseOptions } from '../../../test/support/parse-options.ts'
import { labelOf } from '../../core/label.ts'
import type { Block } from '../../core/model.ts'
import { ParseError } from '../../core/parse-error.ts'
import { structuredBlocks } from './structured.ts'

const blocksOf = (value: unknown, options = {}) => structuredBlocks(value, parseOptions(options))
const only = (value: unknown): Block => blocksOf(value)[0] as Block
const five = ['a', 'b', 'c', 'd', 'e']

describe('structuredBlocks', () => {
  test('writes a map as one node with its keys in order', () => {
    expect(blocksOf({ b: 2, a: 1 })).toEqual([
      { type: 'kv', format: 'plain', text: 'a: 1\nb: 2', children: [] },
    ])
  })

  test('writes small maps and arrays into their parent', () => {
    const { text, children } = only({ m: { y: [1, 2], x: null }, l: [{ b: true, a: [] }, [3], {}], e: {} })
    expect(text).toBe('e: {}\nl:\n-\n  a: []\n  b: true\n-\n  - 3\n- {}\nm:\n  x: null\n  y:\n  - 1\n  - 2')
    expect(children).toEqual([])
  })

  test('makes a node of a map or an array with five entries', () => {
    const { text, children } = only({ name: 'n', tags: five, map: { e: 1, d: 2, c: 3, b: 4, a: 5 } })
    expect(text).toBe('name: n')
    expect(children.map(({ type, text }) => [type, text])).toEqual([
      ['kv', 'map:\n  a: 5\n  b: 4\n  c: 3\n  d: 2\n  e: 1'],
      ['list', 'tags[5]: a,b,c,d,e'],
    ])
  })

  test('never promotes what is inside an array', () => {
    expect(only([{ tags: five }]).children).toEqual([])
  })

  test('names a root whose entries are all promoted after its keys', () => {
    const root = only({ tags: five })
    expect(root.text).toBe('')
    expect(root.label).toBe('tags')
  })

  test('gives nothing for null and a kv for a scalar', () => {
    expect(blocksOf(null)).toEqual([])
    expect(only('hello')).toMatchObject({ type: 'kv', text: 'hello' })
  })

  test('indents the further lines of a text, so that they are no keys', () => {
    const root = only({ a: 'x: 1\ny: 2', b: 1 })
    expect(root.text).toBe('a: x: 1\n  y: 2\nb: 1')
    expect(labelOf(root)).toBe('a, b')
  })

  test('keeps big integers and keys that are not strings', () => {
    expect(
      only(
        new Map<unknown, unknown>([
          [2, 12345678901234567890n],
          [null, 1],
          [['x', 'y'], 2],
        ]),
      ).text,
    ).toBe('2: 12345678901234567890\n[x, y]: 2\nnull: 1')
  })

  test('takes __proto__ for a key like any other', () => {
    expect(only(JSON.parse('{"__proto__": {"a": 1}}')).text).toBe('__proto__:\n  a: 1')
  })

  test.each([
    ['arrays', '['.repeat(50_000) + ']'.repeat(50_000)],
    ['maps', `${'{"a":'.repeat(20_000)}1${'}'.repeat(20_000)}`],
    ['large maps', `${'{"b":1,"c":1,"d":1,"e":1,"a":'.repeat(20_000)}1${'}'.repeat(20_000)}`],
  ])('refuses %s nested without end', (_case, json) => {
    expect(() => blocksOf(JSON.parse(json))).toThrow(ParseError)
  })
})
