import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { parseOptions } from '../../../test/support/parse-options.ts'
import { labelOf } from '../../core/label.ts'
import type { Block, Link, NodeType } from '../../core/model.ts'
import { estimateTokens } from '../../core/tokens.ts'
import { codeBlocks, splitBlocks } from './split.ts'
import { splitText } from './split-text.ts'

const block = (type: NodeType, text: string, children: Block[] = []): Block => ({
  type,
  format: 'plain',
  text,
  children,
})
const limit = (maxNodeTokens: number) => parseOptions({ maxNodeTokens })
const textsOf = (blocks: readonly Block[]) => blocks.map(({ text }) => text)
const visible = (text: string) => text.replace(/\s/g, '')

describe('splitText', () => {
  test.each([
    ['a paragraph', 'one one one\n\ntwo two\ntwo', 20, ['one one one', 'two two\ntwo']],
    ['a line', 'one. one one\ntwo two two', 20, ['one. one one', 'two two two']],
    ['a sentence', 'One one. Two two two', 16, ['One one.', 'Two two two']],
    ['a sentence in Chinese', '一二。三四五', 12, ['一二。', '三四五']],
    ['a word', 'one two three', 10, ['one two', 'three']],
    ['a code point', '😀😀😀', 8, ['😀😀', '😀']],
    ['the last word that fits exactly', 'abcd efgh', 4, ['abcd', 'efgh']],
  ])('cuts at the end of %s', (_case, text, maxBytes, pieces) => {
    expect(splitText(text, maxBytes)).toEqual(pieces)
  })

  test('passes over a boundary that would leave a piece nearly empty', () => {
    expect(splitText('a\n\nbbbb bbbb bbbb bbbb', 16)).toEqual(['a\n\nbbbb bbbb', 'bbbb bbbb'])
  })

  test('keeps the indentation of a line', () => {
    expect(splitText('aaaa aaaa\n  bbbb bbbb', 12)).toEqual(['aaaa aaaa', '  bbbb bbbb'])
  })

  test('does not cut a link', () => {
    expect(splitText('see it [[Some Long Label]] there', 20)).toEqual([
      'see it',
      '[[Some Long Label]]',
      'there',
    ])
  })

  test('loses no visible character of any text and keeps every piece in its limit', () => {
    const unit = fc.oneof(
      fc.constantFrom('a', ' ', '\n', '. ', '[[', ']]', '€', '😀', '。'),
      fc.string({ unit: 'grapheme' }),
    )
    fc.assert(
      fc.property(fc.string({ unit, maxLength: 200 }), fc.integer({ min: 4, max: 60 }), (text, maxBytes) => {
        const pieces = splitText(text, maxBytes)
        expect(visible(pieces.join(''))).toBe(visible(text))
        for (const piece of pieces) expect(Buffer.byteLength(piece)).toBeLessThanOrEqual(maxBytes)
      }),
    )
  })

  test.each([
    ['without a space', 'a'.repeat(10_000_000)],
    ['of words', 'word '.repeat(2_000_000)],
    ['of link openings', '[['.repeat(5_000_000)],
    ['of spaces', `a${' '.repeat(10_000_000)}b`],
  ])('splits a 10 MB line %s into pieces that fit', (_case, text) => {
    for (const piece of splitText(text, 4000)) expect(piece.length).toBeLessThanOrEqual(4000)
  })
})

describe('splitBlocks', () => {
  test('leaves a block that fits unchanged', () => {
    expect(splitBlocks([block('text', 'a b')], limit(1))).toEqual([block('text', 'a b')])
  })

  test('cuts a list between top-level items', () => {
    const list = '- one\n  - in one\n- two\n- three'
    expect(textsOf(splitBlocks([block('list', list)], limit(5)))).toEqual([
      '- one\n  - in one',
      '- two\n- three',
    ])
  })

  test('cuts an item that does not fit into lines', () => {
    expect(textsOf(splitBlocks([block('list', '- one one\n  two two two\n- b')], limit(4)))).toEqual([
      '- one one',
      '  two two two',
      '- b',
    ])
  })

  test('repeats the header of a table', () => {
    expect(textsOf(splitBlocks([block('table', 'k\tv\n1\tone\n2\ttwo\n3\tthree')], limit(4)))).toEqual([
      'k\tv\n1\tone\n2\ttwo',
      'k\tv\n3\tthree',
    ])
  })

  test('does not repeat a header that would fill the pieces', () => {
    const pieces = textsOf(splitBlocks([block('table', 'long header\tv\n1\tone\n2\ttwo')], limit(4)))
    expect(pieces).toEqual(['long header\tv', '1\tone\n2\ttwo'])
  })

  test('keeps a heading with its children and turns its rest into its first texts', () => {
    const [heading, ...others] = splitBlocks(
      [block('heading', 'one two three four', [block('text', 'x')])],
      limit(2),
    )
    expect(others).toEqual([])
    expect(heading).toEqual(
      block('heading', 'one two', [block('text', 'three'), block('text', 'four'), block('text', 'x')]),
    )
  })

  test('leaves the children with the first piece', () => {
    const pieces = splitBlocks([block('kv', 'aaaa: 1\nbbbb: 2', [block('kv', 'c: 3')])], limit(2))
    expect(pieces).toEqual([block('kv', 'aaaa: 1', [block('kv', 'c: 3')]), block('kv', 'bbbb: 2')])
  })

  test('keeps every node of any type in its limit and loses no visible character', () => {
    const unit = fc.constantFrom('a', 'b c', '\n', '\n- ', '\n  - ', '\t', '. ', '€', '😀', '\n\n')
    const types = fc.constantFrom<NodeType>('text', 'list', 'table', 'kv', 'preamble', 'code', 'heading')
    fc.assert(
      fc.property(
        types,
        fc.string({ unit, maxLength: 100 }),
        fc.integer({ min: 1, max: 20 }),
        (type, text, max) => {
          const pieces = splitBlocks([block(type, text)], limit(max)).flatMap((piece) => [
            piece,
            ...piece.children,
          ])
          for (const piece of pieces) expect(estimateTokens(piece.text)).toBeLessThanOrEqual(max)
          if (type !== 'table') expect(visible(textsOf(pieces).join(''))).toBe(visible(text))
        },
      ),
    )
  })
})

describe('links of a split block', () => {
  const link = (label: string, weight = 1): Link => ({ label, weight, source: '', id: '' })
  const linked = (type: NodeType, text: string, links: Link[]) =>
    splitBlocks([{ ...block(type, text), links }], limit(4))
  const shown = (blocks: readonly Block[]) => blocks.map(({ text, links }) => [text, links ?? []])

  test('go to the pieces that show them, in order', () => {
    const links = [link('A'), link('B'), link('A', 2)]
    expect(shown(linked('text', 'one [[A]]\n\ntwo [[B]]\n\nsix [[A]]', links))).toEqual([
      ['one [[A]]', [link('A')]],
      ['two [[B]]', [link('B')]],
      ['six [[A]]', [link('A', 2)]],
    ])
  })

  test('go to the first piece when none shows them', () => {
    expect(shown(linked('text', 'one one one\n\ntwo two two', [link('A')]))).toEqual([
      ['one one one', [link('A')]],
      ['two two two', []],
    ])
  })

  test('of a repeated header occur once', () => {
    expect(shown(linked('table', '[[A]]\n[[B]]\nccccc', [link('A'), link('B')]))).toEqual([
      ['[[A]]\n[[B]]', [link('A'), link('B')]],
      ['[[A]]\nccccc', []],
    ])
  })

  test('of a heading go to its rest', () => {
    const [heading] = linked('heading', 'one two three [[A]]', [link('A')])
    expect(heading).not.toHaveProperty('links')
    expect(heading?.children).toMatchObject([{ type: 'text', text: '[[A]]', links: [link('A')] }])
  })

  test('are all kept, one piece each, for any text', () => {
    const labels = fc.array(fc.constantFrom('A', 'B', 'C', 'Dd dd'), { maxLength: 12 })
    fc.assert(
      fc.property(labels, labels, fc.integer({ min: 2, max: 12 }), (inText, others, max) => {
        const text = inText.map((label) => `word [[${label}]].`).join(' ')
        const links = [...inText, ...others].map((label, i) => link(label, i))
        const pieces = splitBlocks([{ ...block('text', text), links }], limit(max))
        const kept = pieces.flatMap((piece) => piece.links ?? [])
        expect(kept.map(({ weight }) => weight).sort((a, b) => a - b)).toEqual(links.map((_, i) => i))
      }),
    )
  })
})

describe('secrets', () => {
  const redact = (text: string) => text.replaceAll(/secret \w+ \w+|BEGIN[\s\S]*?END/g, '«redacted»')
  const clean = (maxNodeTokens: number) => parseOptions({ maxNodeTokens, redact })

  test('go before a text is split', () => {
    const pieces = splitBlocks([block('text', 'one two secret aaaaaaaa bbbbbbbb three')], clean(5))
    expect(textsOf(pieces).join(' ')).toBe('one two «redacted» three')
    expect(
      textsOf(codeBlocks({ info: 'secret a b', body: 'x BEGIN aaaa\nbbbb\ncccc END y' }, clean(9))),
    ).toEqual(['«redacted»\nx «redacted» y'])
  })

  test('go after white space is compressed', () => {
    expect(textsOf(splitBlocks([block('text', 'BEGIN \r\n\r\n\r\n END  \n')], clean(100)))).toEqual([
      '«redacted»',
    ])
  })

  test('go from children too', () => {
    const [parent] = splitBlocks([block('heading', 'a', [block('text', 'secret a b')])], clean(100))
    expect(parent?.children[0]?.text).toBe('«redacted»')
  })
})

describe('codeBlocks', () => {
  test('puts the info string on the first line of every piece', () => {
    expect(textsOf(codeBlocks({ info: 'js', body: 'aaaa()\n\nbbbb()\ncccc()\n' }, limit(5)))).toEqual([
      'js\naaaa()',
      'js\nbbbb()\ncccc()',
    ])
  })

  test('labels code without an info string by its first line', () => {
    const [npm] = codeBlocks({ info: '', body: 'npm\ninstall' }, limit(100))
    expect(npm).toMatchObject({ text: 'npm\ninstall', label: 'Code: npm' })
    const [js] = codeBlocks({ info: 'js', body: 'run()' }, limit(100))
    expect(js && labelOf(js)).toBe('Code (js): run()')
    expect(js).not.toHaveProperty('label')
  })

  test('drops empty code, with or without an info string', () => {
    expect(codeBlocks({ info: 'js', body: '\n  \n' }, limit(100))).toEqual([])
  })

  test('keeps every piece in its limit, even with a long info string', () => {
    const pieces = codeBlocks({ info: 'x'.repeat(50), body: 'a b c\n'.repeat(20) }, limit(4))
    for (const { text } of pieces) expect(estimateTokens(text)).toBeLessThanOrEqual(4)
  })
})
