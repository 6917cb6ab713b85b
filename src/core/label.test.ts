import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { labelOf, truncateLabel } from './label.ts'
import { type Block, FORMATS, NODE_TYPES } from './model.ts'
import { utf8Length } from './tokens.ts'

const label = (type: Block['type'], text: string, format: Block['format'] = 'plain') =>
  labelOf({ type, format, text })

describe('labelOf', () => {
  test.each([
    ['a heading by its text', label('heading', 'Set up'), 'Set up'],
    ['a text by its first sentence', label('text', 'It works. It is fast.'), 'It works.'],
    ['a text by a sentence that ends the line', label('text', 'Really?\nYes'), 'Really?'],
    [
      'a text without a sentence end by all of it',
      label('text', 'version 1.2 of\nthe tool'),
      'version 1.2 of the tool',
    ],
    ['a toon list by its header', label('list', 'users[2]{id}:\n  1\n  2', 'toon'), 'users[2]{id}'],
    ['a list by its length and first item', label('list', '- one\n- two'), '2-item list: one'],
    ['a list by its top-level items only', label('list', '- one\n  - in\n  - in\n- two'), '2-item list: one'],
    [
      'a list of maps by the first map',
      label('list', 'users:\n-\n  id: 1\n-\n  id: 2'),
      '2-item list: id: 1',
    ],
    ['a list without items by its text', label('list', 'rest of\nan item'), 'rest of an item'],
    ['a table by its header', label('table', 'a\tb\n1\t2\n3\t4'), 'Table: a, b (2 rows)'],
    ['code by language and first line', label('code', 'js\nrun()'), 'Code (js): run()'],
    ['code with a spaced first line', label('code', 'npm install x\nnpm test'), 'Code: npm install x'],
    ['code of one line', label('code', 'run()'), 'Code: run()'],
    ['a drawing, which has no language line', label('code', 'id="a"\n<path/>', 'svg'), 'Code: id="a"'],
    ['a formula, which has no language line', label('code', '<math>\n<mi>', 'mathml'), 'Code: <math>'],
    ['a map by its first three keys', label('kv', 'a: 1\nb:\n  x: 1\nc: 1\nd: 1'), 'a, b, c'],
    ['a map without mistaking items for keys', label('kv', 'a:\n- x: 1\nb: 2'), 'a, b'],
    ['a map with colons in its keys', label('kv', 'http://x: 1'), 'http://x'],
    ['a scalar by its text', label('kv', 'just this'), 'just this'],
    ['a preamble by all its keys', label('preamble', 'a: 1\nb: 2\nc: 3\nd: 4'), 'Preamble: a, b, c, d'],
    ['a preamble without keys', label('preamble', 'words'), 'Preamble'],
    ['an image by its alt text', label('embed', '![A cat](cat.png)', 'image'), 'Image: A cat'],
    ['a video without alt text by its source', label('embed', '[](clip.mp4)', 'video'), 'Video: clip.mp4'],
  ])('labels %s', (_case, actual, expected) => {
    expect(actual).toBe(expected)
  })

  test('is one line, at most 80 bytes and well formed for any node', () => {
    const node = fc.record({
      type: fc.constantFrom(...NODE_TYPES),
      format: fc.constantFrom(...FORMATS),
      text: fc.oneof(
        fc.string({ unit: 'binary' }),
        fc.string({ unit: 'grapheme', minLength: 60, maxLength: 300 }),
      ),
    })
    fc.assert(fc.property(node, (value) => expectValid(labelOf(value))))
  })

  // A cost that grew with the square of the length would run into the test's timeout.
  test('is short for a text of 10 MB', () => {
    expect(labelOf({ type: 'text', format: 'plain', text: 'x'.repeat(10_000_000) })).toHaveLength(80)
    expect(labelOf({ type: 'text', format: 'plain', text: '\n'.repeat(10_000_000) })).toBe('')
  })
})

describe('truncateLabel', () => {
  test('keeps 80 bytes and cuts 81 to 77 and an ellipsis', () => {
    expect(truncateLabel('a'.repeat(80))).toBe('a'.repeat(80))
    expect(truncateLabel('a'.repeat(81))).toBe(`${'a'.repeat(77)}...`)
  })

  test('never splits a code point', () => {
    expect(truncateLabel('€'.repeat(40))).toBe(`${'€'.repeat(25)}...`)
    expect(truncateLabel('😀'.repeat(40))).toBe(`${'😀'.repeat(19)}...`)
  })

  test('turns line breaks and control characters into single spaces', () => {
    expect(truncateLabel(' \ta\r\n\n b\u0000c\u2028d\u001b \n')).toBe('a b c d')
  })

  test('is idempotent', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 200 }), (text) => {
        const once = truncateLabel(text)
        expectValid(once)
        expect(truncateLabel(once)).toBe(once)
      }),
    )
  })
})

function expectValid(text: string): void {
  expect(utf8Length(text)).toBeLessThanOrEqual(80)
  expect(text.isWellFormed()).toBe(true)
  expect(text).not.toMatch(/[\p{Cc}\u2028\u2029]/u)
  expect(text).toBe(text.trim())
}
