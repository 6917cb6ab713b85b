import { expect, test } from 'vitest'
import { contentDigest } from '../../util/text/hash.ts'
import type { Block } from '../model.ts'
import { flatten } from './flatten.ts'

const block = (text: string, children: Block[] = [], more: Partial<Block> = {}): Block => ({
  type: 'text',
  format: 'plain',
  text,
  children,
  ...more,
})

test('flatten lists blocks in document order, with parent and place among siblings', () => {
  const flat = flatten([block('a', [block('b', [block('c')]), block('d')]), block('e')], (text) => text)
  expect(flat.map(({ text, parent, index }) => [text, parent, index])).toEqual([
    ['a', -1, 0],
    ['b', 0, 0],
    ['c', 1, 0],
    ['d', 0, 1],
    ['e', -1, 1],
  ])
  expect(flat[0]?.digest).toBe(contentDigest('a'))
})

test('flatten keeps only labels that cannot be derived', () => {
  const [derived, same, own] = flatten(
    [
      block('One. Two.'),
      block('One. Two.', [], { label: 'One.' }),
      block('One. Two.', [], { label: 'Mine' }),
    ],
    (text) => text,
  )
  expect([derived?.label, derived?.ownLabel]).toEqual(['One.', null])
  expect([same?.label, same?.ownLabel]).toEqual(['One.', null])
  expect([own?.label, own?.ownLabel]).toEqual(['Mine', 'Mine'])
})

test('flatten handles nesting deeper than the call stack', () => {
  let nested = block('leaf')
  for (let depth = 0; depth < 100_000; depth++) nested = block('x', [nested])
  expect(flatten([nested], (text) => text)).toHaveLength(100_001)
})
