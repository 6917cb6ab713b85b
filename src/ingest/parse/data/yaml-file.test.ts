import { describe, expect, test } from 'vitest'
import { parseOptions } from '../../../../test/support/parse-options.ts'
import { ParseError } from '../../../core/parse-error.ts'
import { parseYaml } from './yaml-file.ts'

const yaml = (text: string, options = {}) => parseYaml(text, parseOptions(options))
const errorOf = (text: string): string => {
  try {
    yaml(text)
  } catch (error) {
    if (error instanceof ParseError) return error.message
    throw error
  }
  return 'no error'
}

describe('a YAML file', () => {
  test('is a map of keys in order, with large values below', () => {
    const [root] = yaml('b: 2\na: {y: 1, x: [1, 2]}\nports: [1, 2, 3, 4, 5]\n')
    expect(root).toMatchObject({ type: 'kv', text: 'a:\n  x:\n  - 1\n  - 2\n  y: 1\nb: 2' })
    expect(root?.children).toMatchObject([{ type: 'list', format: 'toon', text: 'ports[5]: 1,2,3,4,5' }])
  })

  test('gives every document its own nodes, in order', () => {
    expect(
      yaml('%YAML 1.2\n---\na: 1\n---\n---\n- b\n...\n---\nc\n').map(({ type, text }) => [type, text]),
    ).toEqual([
      ['kv', 'a: 1'],
      ['list', '- b'],
      ['kv', 'c'],
    ])
  })

  test('keeps numbers as written, and distinguishes them from texts', () => {
    expect(yaml('[12345678901234567890, 1.10, "1", 012, 0x1F, 1_000, 1, 2, 3, 4, 5]')).toMatchObject([
      { text: '[11]: 12345678901234567890,1.10,"1","012",0x1F,1_000,1,2,3,4,5' },
    ])
  })

  test('takes numbers, null and lists for keys', () => {
    expect(yaml('2: a\n1.10: b\n~: c\n? [x, 3]\n: d\n')).toMatchObject([
      { text: '1.10: b\n2: a\n[x, 3]: d\nnull: c' },
    ])
  })

  test('writes aliases out and merges maps', () => {
    expect(yaml('a: &x {k: 1}\nb: *x\nc:\n  <<: *x\n  l: 2\n')).toMatchObject([
      { text: 'a:\n  k: 1\nb:\n  k: 1\nc:\n  k: 1\n  l: 2' },
    ])
  })

  test('may be empty, null or only a comment', () => {
    for (const text of ['', '~', '# a', '---\n', '""']) expect(yaml(text)).toEqual([])
  })

  test.each([
    ['a: *secret', 'line 1: invalid YAML: unidentified alias'],
    ['a: 1\n---\nb: 2\nb: 3', 'line 4: invalid YAML: duplicated mapping key'],
    ['a: 1\na: 2', 'line 2: invalid YAML: duplicated mapping key'],
    ['1: a\n1: b', 'line 2: invalid YAML: duplicated mapping key'],
    ['--- !secret!a b', 'line 1: invalid YAML: undeclared tag handle'],
    ['&secret [*secret]', 'line 1: refused YAML: an alias is inside its own target'],
    ['a: &x [1]\n---\nb: *x', 'line 3: invalid YAML: unidentified alias'],
  ])('that is invalid is refused by line, without quoting it: %j', (text, message) => {
    expect(errorOf(text)).toBe(message)
  })

  test('is refused when it would not end', () => {
    const bomb = ['a0: &a0 [x,x,x,x,x,x,x,x,x]']
    for (let i = 1; i < 9; i++) bomb.push(`a${i}: &a${i} [${`*a${i - 1},`.repeat(9)}]`)
    expect(errorOf(bomb.join('\n'))).toMatch(/^line \d+: refused YAML: aliases expand to too much text$/)
    expect(errorOf('['.repeat(100_000))).toMatch(/^line 1: invalid YAML/)
    expect(errorOf('x'.repeat(17_000_000))).toMatch(/at most 16777216 are read$/)
  })
})
