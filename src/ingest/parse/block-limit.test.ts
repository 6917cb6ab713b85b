import { expect, test } from 'vitest'
import { MAX_BLOCKS, TooManyBlocks } from '../../core/doors/text-limit.ts'
import { tokenizeBlocks } from './markdown-tokens.ts'

/** About 10 MB of a text again and again. */
const filled = (text: string): string => text.repeat(Math.floor(10_000_000 / text.length))

const EMPHASIS = '\\d+ marks of emphasis, and one write may have 500000;'
const OTHER = '\\d+ marks of inline code, tags and escapes, and one write may have 1000000;'

test.each([
  ['a**b', EMPHASIS],
  ['a_b', EMPHASIS],
  ['_*', EMPHASIS],
  ['`a` ', OTHER],
  ['<a>', OTHER],
  ['&amp;', OTHER],
  ['\\!', OTHER],
])('10 MB of %j are refused before their text is parsed', (piece, message) => {
  const parse = () => tokenizeBlocks(filled(piece), MAX_BLOCKS)
  expect(parse).toThrow(TooManyBlocks)
  expect(parse).toThrow(new RegExp(message))
})

test.each([
  ['code', `\`\`\`\n${filled('snake_case_name = *p ** _q;\n')}\n\`\`\`\n`],
  ['code in one line', `\`\`\`\n${filled('a_b*c')}\n\`\`\`\n`],
  [
    'prose',
    filled('some _words_ and `more words`, some **plain** prose, a <br> & what else there may be in it\n'),
  ],
  ['list items', `- ${'some **words** of _prose_, '.repeat(2)}\n`.repeat(MAX_BLOCKS / 2)],
  ['a ruler in a text', `a\n${'a'}${'*'.repeat(9_000_000)}`],
])('%s has not too many marks', (_what, text) => {
  expect(tokenizeBlocks(text, MAX_BLOCKS).tokens.length).toBeGreaterThan(0)
})
