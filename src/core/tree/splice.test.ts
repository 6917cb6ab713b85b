import { expect, test } from 'vitest'
import type { NodeType } from '../model.ts'
import { splices } from './splice.ts'

/** The likeliest guess. */
const first = (...given: Parameters<typeof splices>): string | undefined => [...splices(...given)][0]

const TEXT = '# Plan\n\nFirst words.\n\nFirst words.\n\n```js\nrun()\n```\n\n- a\n- b\n'
const nodes = (
  [
    ['heading', 'Plan'],
    ['text', 'First words.'],
    ['text', 'First words.'],
    ['code', 'js\nrun()'],
    ['list', '- a\n- b'],
  ] as [NodeType, string][]
).map(([type, text], key) => ({ key, type, text }))

test.each([
  [{ 1: 'Other words.' }, TEXT.replace('First words.', 'Other words.')],
  [{ 2: 'Last.' }, '# Plan\n\nFirst words.\n\nLast.\n\n```js\nrun()\n```\n\n- a\n- b\n'],
  [{ 0: 'Plan B' }, TEXT.replace('# Plan', '# Plan B')],
  [{ 0: null }, TEXT.slice('# Plan\n\n'.length)],
  [{ 3: null }, '# Plan\n\nFirst words.\n\nFirst words.\n\n- a\n- b\n'],
  [{ 4: null }, '# Plan\n\nFirst words.\n\nFirst words.\n\n```js\nrun()\n```\n\n'],
  [{ 1: null, 4: '- c' }, '# Plan\n\nFirst words.\n\n```js\nrun()\n```\n\n- c\n'],
])('splices applies the edits %j', (edits, expected) => {
  const given = new Map(Object.entries(edits).map(([key, edit]) => [Number(key), edit as string | null]))
  expect(first(TEXT, nodes, given)).toBe(expected)
})

test('splices finds a node whose text differs between its neighbours', () => {
  const node = (key: number, type: NodeType, text: string) => ({ key, type, text })
  const told = [
    node(0, 'heading', 'Plan'),
    node(1, 'text', 'Some bold words.'),
    node(2, 'code', 'js\nrun()'),
    node(3, 'table', 'a\tb'),
    node(4, 'text', 'End.'),
  ]
  const text = '# Plan\n\nSome **bold** words.\n\n```js\nrun()\n```\n\n| a | b |\n|---|---|\n\nEnd.\n'
  expect(first(text, told, new Map([[1, 'Other.']]))).toBe(text.replace('Some **bold** words.', 'Other.'))
  expect(first(text, told, new Map([[3, 'Other.']]))).toBe(text.replace('| a | b |\n|---|---|', 'Other.'))
  expect(first(text, told, new Map([[1, null]]))).toBe(text.replace('Some **bold** words.\n\n', ''))
})

test('splices cannot place two adjacent nodes whose texts differ', () => {
  const told = [
    { key: 0, type: 'text', text: 'One bold.' },
    { key: 1, type: 'text', text: 'Two bold.' },
  ] as const
  expect(first('One **bold**.\n\nTwo **bold**.', told, new Map([[0, 'x']]))).toBeUndefined()
})

test('splices scans a long text only a few times for many nodes that are not found', () => {
  const text = 'some words of prose\n'.repeat(400_000)
  const nodes = Array.from({ length: 20_000 }, (_, key) => ({
    key,
    type: 'text' as const,
    text: `words ${key} that are not there`,
  }))
  expect([...splices(text, nodes, new Map([[5, 'other words']]))]).toEqual([])
})

test('splices removes many nodes of one long line in one pass', () => {
  const words = Array.from({ length: 5_000 }, (_, key) => `${key} `.padEnd(1000, 'x'))
  const nodes = words.map((one, key) => ({ key, type: 'text' as const, text: one }))
  const edits = new Map(nodes.slice(1).map(({ key }) => [key, null]))
  expect(first(words.join(''), nodes, edits)).toBe('')
})
