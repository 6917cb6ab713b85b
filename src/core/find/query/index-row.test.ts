import { expect, test } from 'vitest'
import { indexRow } from './index-row.ts'

test.each([
  ['a text without its label', 'text', 'Two boats.', 'Two boats.', { label: '', body: 'two boat' }],
  ['a heading by its label', 'heading', 'Old Boats', 'Old Boats', { label: 'old boat', body: '' }],
  [
    'a heading with more text than its label',
    'heading',
    'Boats',
    'Boats, and oars',
    { label: 'boat', body: 'boat and oar' },
  ],
  ['other nodes by both', 'list', '2-item list: a', '- a\n- b', { label: '2 item list a', body: 'a b' }],
  [
    'front matter with its tags',
    'preamble',
    'Preamble',
    'tags: [Sea]',
    { label: 'preambl', body: 'tag sea #sea' },
  ],
])('indexRow indexes %s', (_, type, label, text, row) => {
  expect(indexRow({ type, label, text })).toEqual(row)
})

test('indexRow treats a lone surrogate as U+FFFD', () => {
  const stored = { type: 'heading', label: 'One \ufffd', text: 'One \ufffd' }
  expect(indexRow({ ...stored, text: 'One \ud83d' })).toEqual(indexRow(stored))
})
