import { decode } from '@toon-format/toon'
import { describe, expect, test } from 'vitest'
import { parseOptions } from '../../../../test/support/parse-options.ts'
import { labelOf } from '../../../core/label.ts'
import type { Block } from '../../../core/model.ts'
import { ParseError } from '../../../core/parse-error.ts'
import { redactionMarker } from '../../../core/redact.ts'
import { estimateTokens } from '../../../core/tokens.ts'
import { createRedactor } from '../../redact/redactor.ts'
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

  test('never promotes a value inside an array', () => {
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

  test('indents continuation lines of a text, so that they are not keys', () => {
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

  test('writes an array node in TOON only when that is much shorter', () => {
    const long = five.map((letter) => letter.repeat(40))
    expect(only({ long }).children).toMatchObject([{ format: 'plain' }])
    expect(only({ five }).children).toMatchObject([{ format: 'toon', text: 'five[5]: a,b,c,d,e' }])
    expect(only([1, 2, 3])).toMatchObject({ format: 'plain', text: '- 1\n- 2\n- 3' })
  })

  test('labels an array in TOON by its header, even if its key holds a colon', () => {
    const [list] = only({ 'a: b': five }).children
    expect(list).toMatchObject({ text: '"a: b"[5]: a,b,c,d,e', label: '"a: b"[5]' })
  })

  test('splits a long array so that each piece is valid TOON', () => {
    const rows = Array.from({ length: 40 }, (_, i) => ({ id: i, name: `name ${i}` }))
    const { children } = blocksOf({ rows }, { maxNodeTokens: 30 })[0] as Block
    expect(children.length).toBeGreaterThan(3)
    for (const { format, text } of children) {
      expect(format).toBe('toon')
      expect(estimateTokens(text)).toBeLessThanOrEqual(30)
    }
    expect(children.flatMap(({ text }) => (decode(text) as { rows: unknown[] }).rows)).toEqual(rows)
  })

  test('leaves an array with an item that fits in no node plain', () => {
    const rows = Array.from({ length: 5 }, (_, i) => ({
      a: i,
      b: i,
      c: i,
      d: 'word '.repeat(i === 4 ? 50 : 1).trim(),
    }))
    expect(blocksOf({ rows }, { maxNodeTokens: 30 })[0]?.children).toMatchObject([{ format: 'plain' }])
  })

  describe('with secrets', () => {
    const redact = (text: string) => text.replaceAll(/secret,? ?\w+|BEGIN[\s\S]*?END/g, '«redacted»')
    const clean = (value: unknown) => blocksOf(value, { redact })[0] as Block

    test('takes them out of values and keys', () => {
      expect(clean({ 'secret a': 'my secret b', c: ['secret d'] }).text).toBe(
        'c:\n- «redacted»\n«redacted»: my «redacted»',
      )
    })

    test('takes them out of arrays in TOON', () => {
      expect(clean({ tags: ['a', 'b', 'c', 'd', 'secret e'] }).children).toMatchObject([
        { format: 'toon', text: 'tags[5]: a,b,c,d,«redacted»' },
      ])
    })

    test('writes an array plain when TOON would join two items to a secret', () => {
      expect(clean({ tags: ['a', 'b', 'c', 'secret', 'e', 'f', 'g'] }).children).toMatchObject([
        { format: 'plain' },
      ])
    })
  })
})

describe('a secret that its key names', async () => {
  const { redact } = await createRedactor({})
  const mark = redactionMarker('keyed_secret')
  const textOf = (value: unknown): string => (blocksOf(value, { redact })[0] as Block).text

  test('is removed from a map, with any value', () => {
    expect(textOf({ user: 'app', DB_PASSWORD: 'topsecret', pin: 4821, passwords: ['otter', 'heron'] })).toBe(
      `DB_PASSWORD: ${mark}\npasswords:\n- ${mark}\n- ${mark}\npin: ${mark}\nuser: app`,
    )
  })

  test('is taken out of rows that name their columns once', () => {
    const users = five.map((name) => ({ name: `user ${name}`, password: `heron-${name}`, role: 'reader' }))
    const { format, text } = blocksOf(users, { redact })[0] as Block
    expect(format).toBe('toon')
    expect(text).not.toContain('heron')
    expect(text.match(/«redacted:keyed_secret»/g)).toHaveLength(users.length)
    expect(redact(text)).toBe(text)
  })

  test('is taken out beside the name that is a value itself', () => {
    expect(textOf([{ name: 'DB_PASSWORD', value: 'otter' }])).toBe(`-\n  name: DB_PASSWORD\n  value: ${mark}`)
  })

  test('is taken out of the data of a secret, and of nothing else', () => {
    const manifest = { kind: 'Secret', metadata: { name: 'db' }, data: { user: 'YWRtaW4=' } }
    expect(textOf(manifest)).toBe(`data:\n  user: ${mark}\nkind: Secret\nmetadata:\n  name: db`)
    expect(textOf({ ...manifest, kind: 'ConfigMap' })).toContain('user: YWRtaW4=')
  })
})
