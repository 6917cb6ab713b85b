import { expect, test } from 'vitest'
import type { ForestNode } from '../../core/observe/forest.ts'
import { queriesFor } from './queries.ts'

function section(label: string, tokens: number, children: ForestNode[] = []): ForestNode {
  const text = { id: `${label}.`, type: 'text' as const, label: 'text', tokens, children: [] }
  const more = { depth: 0, temperature: 0.5, source: 'a.md' }
  return {
    id: label,
    type: 'heading',
    label,
    tokens: 1,
    ...more,
    children: [{ ...text, ...more }, ...children],
  }
}

test('asks for sections of middling sizes, by headings of several words', () => {
  const sizes = [10, 20, 30, 40, 50, 60, 70]
  const sections = sizes.map((size) => section(`Size ${size}`, size))
  expect(queriesFor([...sections, section('Word', 45)].reverse())).toEqual(['Size 20', 'Size 40', 'Size 60'])
})

test('the size of a heading includes everything below it, and each heading is taken once', () => {
  const roots = [
    section('The long one', 1, [section('Of three words', 50), section('Two words', 5)]),
    section('Two words', 70),
  ]
  expect(queriesFor(roots)).toEqual(['Two words', 'Of three words', 'The long one'])
})

test('takes fewer headings if there are not enough', () => {
  expect(queriesFor([section('Only', 3)])).toEqual(['Only'])
  expect(queriesFor([])).toEqual([])
})
