import { expect, test } from 'vitest'
import type { NodeType } from '../model.ts'
import { splices } from './splice.ts'

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
])('%j', (edits, expected) => {
  const given = new Map(Object.entries(edits).map(([key, edit]) => [Number(key), edit as string | null]))
  const [likeliest] = splices(TEXT, nodes, given)
  expect(likeliest).toBe(expected)
})

test('a node whose words are not in the text cannot be changed, unless it is the only one', () => {
  const table = { key: 1, type: 'table', text: 'a\tb' } as const
  const edits = new Map([[1, 'x']])
  expect([...splices('| a | b |\n|---|---|', [table], edits)]).toContain('x')
  const text = { key: 2, type: 'text', text: 'more' } as const
  const both = '| a | b |\n|---|---|\n\nmore'
  expect([...splices(both, [table, text], edits)]).toEqual([])
  expect([...splices(both, [table, text], new Map([[2, 'less']]))].at(0)).toContain('less')
})

test('words that stand in two places are looked for from both ends', () => {
  const heading = { key: 1, type: 'heading', text: 'The big plan' } as const
  const text = { key: 2, type: 'text', text: 'big' } as const
  const guesses = [...splices('# The **big** plan\n\nbig\n', [heading, text], new Map([[2, 'small']]))]
  expect(guesses).toContain('# The **big** plan\n\nsmall\n')
})

test('a fence without a language goes with its code', () => {
  const code = { key: 1, type: 'code', text: 'x' } as const
  const text = { key: 2, type: 'text', text: 'y' } as const
  const [likeliest] = splices('```\nx\n```\n\ny\n', [code, text], new Map([[1, null]]))
  expect(likeliest).toBe('y\n')
})
