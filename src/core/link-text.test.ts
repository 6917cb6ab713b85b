import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { decodeLinks, encodeLinks, linkName } from './link.ts'
import { extractLinks, linksIn } from './link-text.ts'

const plain = { weight: 1, source: '', id: '' }

describe('a link in a text', () => {
  test.each([
    ['[[Deploy]]', { ...plain, label: 'Deploy' }],
    ['[[ Deploy ]]', { ...plain, label: 'Deploy' }],
    ['[[Deploy; w=2.5]]', { ...plain, label: 'Deploy', weight: 2.5 }],
    [
      '[[Deploy;w = -1;source= a/b c.md ;id=603qfsg4qd2]]',
      { label: 'Deploy', weight: -1, source: 'a/b c.md', id: '603qfsg4qd2' },
    ],
    ['[[Deploy; w=0]]', { ...plain, label: 'Deploy', weight: 0 }],
    ['[[Deploy; w=heavy]]', { ...plain, label: 'Deploy' }],
    ['[[Deploy; w=]]', { ...plain, label: 'Deploy' }],
    ['[[Deploy; w=Infinity]]', { ...plain, label: 'Deploy' }],
    ['[[Deploy; colour=red]]', { ...plain, label: 'Deploy' }],
    ['[[this; that]]', { ...plain, label: 'this; that' }],
    ['[[this; that; w=2]]', { ...plain, label: 'this', weight: 2 }],
    ['[[Environment]]', { ...plain, label: 'Environment' }],
  ])('%s is parsed', (text, link) => {
    const found = linksIn(text)
    expect(found).toEqual({ text: `[[${link.label}]]`, links: [link] })
  })

  test.each(['[[]]', '[[  ]]', '[[ ; w=2]]', '[[a', 'a]]', '[ [a]]', '[[a[b]]', '[[a\nb]]'])(
    'is not %j',
    (text) => {
      expect(linksIn(text)).toEqual({ text, links: [] })
    },
  )

  test('is the innermost pair', () => {
    expect(linksIn('[[[X; w=2]]]')).toEqual({ text: '[[[X]]]', links: [{ ...plain, label: 'X', weight: 2 }] })
  })

  test('does not exist in a code span', () => {
    const text = 'run `[[a; w=2]]` and ``b ` [[c]]`` or [[d; w=3]] `'
    expect(extractLinks(text)).toEqual({
      text: text.replace('[[d; w=3]]', '[[d]]'),
      links: [{ ...plain, label: 'd', weight: 3 }],
    })
  })

  test('is found again in the extracted text, which no longer changes', () => {
    const piece = fc.constantFrom(
      '[[',
      ']]',
      '[',
      ']',
      ';',
      ' w=2',
      'source=a',
      'id=x',
      'a',
      ' ',
      '\n',
      '`',
      '😀',
    )
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 40 }), (pieces) => {
        for (const read of [linksIn, extractLinks]) {
          const once = read(pieces.join(''))
          const twice = read(once.text)
          expect(twice.text).toBe(once.text)
          expect(twice.links.map((link) => link.label)).toEqual(once.links.map((link) => link.label))
          for (const { label } of once.links) expect(label.trim()).not.toBe('')
        }
      }),
    )
  })

  test('is searched in linear time in hostile text', () => {
    for (const text of [
      '[['.repeat(300_000),
      '`'.repeat(300_000),
      '`[[a'.repeat(100_000),
      '``x`'.repeat(100_000),
    ]) {
      expect(extractLinks(text).links).toEqual([])
    }
  })
})

test('encodeLinks gives the same text for the same links', () => {
  expect(encodeLinks([])).toBeNull()
  const links = [{ label: 'a "b"', weight: 0.1, source: 'é.md', id: '' }]
  expect(decodeLinks(encodeLinks(links))).toEqual(links)
})

test.each([
  ['  Deploy   Plan ', 'deploy plan'],
  ['ÜBERBLICK', 'überblick'],
  ['Cafe\u0301', 'café'],
])('linkName turns the heading %j into %j', (label, name) => {
  expect(linkName(label)).toBe(name)
})

test('a long heading and a link to it have the same name', () => {
  const label = 'A heading that goes on '.repeat(10)
  expect(linkName(label)).toBe(linkName(`${label} `))
  expect(linkName(label).length).toBeLessThanOrEqual(80)
})
