import { expect, test } from 'vitest'
import { parseApproved } from './approve.ts'

const HITS = [
  { id: 'a', path: 'a.md' },
  { id: 'b', path: 'docs/b.md' },
]

test.each([
  ['', {}],
  ['1', { nodes: ['a'] }],
  ['2, 1', { nodes: ['b', 'a'] }],
  ['2f', { paths: ['docs/b.md'] }],
  [' 1  2F ', { nodes: ['a'], paths: ['docs/b.md'] }],
])('of two hits %j approves %j', (text, approved) => {
  expect(parseApproved(text, HITS)).toEqual(approved)
})

test.each(['0', '3', 'x', '1f2', '-1', '99999999999999999999'])('of two hits %j is refused', (text) => {
  expect(parseApproved(text, HITS)).toEqual({ refused: expect.stringContaining('2 hits') })
})
