import { expect, test } from 'vitest'
import { MAX_BLOCKS, TooManyBlocks } from '../../core/doors/text-limit.ts'
import { tokenizeBlocks } from './markdown/markdown-tokens.ts'

/** About this many characters of a repeated text. */
const filled = (text: string, length = 10_000_000): string => text.repeat(Math.floor(length / text.length))

function refusalOf(text: string): unknown {
  try {
    tokenizeBlocks(text, MAX_BLOCKS)
    return undefined
  } catch (error) {
    return error
  }
}

const EMPHASIS = /\d+ marks of emphasis; the maximum for one write is \d+:/
const TAGS = /\d+ tags; the maximum for one write is \d+:/
const OTHER = /\d+ marks of inline code and escapes; the maximum for one write is \d+:/

test.each([
  ['a**b', EMPHASIS],
  ['a_b', EMPHASIS],
  ['_*', EMPHASIS],
  ['`a` ', OTHER],
  ['<a>', TAGS],
  ['&amp;', OTHER],
  ['\\!', OTHER],
])('1 MB and 10 MB of %j are refused before their text is parsed', (piece, message) => {
  for (const length of [1_000_000, 10_000_000]) {
    const refusal = refusalOf(filled(piece, length))
    expect(refusal).toBeInstanceOf(TooManyBlocks)
    expect(String(refusal)).toMatch(message)
  }
})

test('a long text may have a mark of emphasis for every 20 characters, a short one 25,000', () => {
  const most = (length: number): number => {
    const text = `${'*a'.repeat(600_000)}${'a'.repeat(length)}`.slice(0, length)
    const refusal = refusalOf(text)
    return refusal instanceof TooManyBlocks ? refusal.most : Number.POSITIVE_INFINITY
  }
  expect(most(1_000_000)).toBe(50_000)
  expect(most(100_000)).toBe(25_000)
  expect(most(50_000)).toBe(Number.POSITIVE_INFINITY)
})

test.each([
  ['code', `\`\`\`\n${filled('snake_case_name = *p ** _q;\n')}\n\`\`\`\n`],
  ['code in one line', `\`\`\`\n${filled('a_b*c')}\n\`\`\`\n`],
  [
    'prose',
    filled('some _words_ and `more words`, some **plain** prose, a <br> & what else there may be in it\n'),
  ],
  [
    'list items',
    `- ${'some **words** of prose that are emphasised, as in any list; '.repeat(2)}\n`.repeat(MAX_BLOCKS / 2),
  ],
  ['a ruler in a text', `a\n${'a'}${'*'.repeat(9_000_000)}`],
])('%s has not too many marks', (_what, text) => {
  expect(tokenizeBlocks(text, MAX_BLOCKS).tokens.length).toBeGreaterThan(0)
})
