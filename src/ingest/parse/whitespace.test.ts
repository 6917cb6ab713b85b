import fc from 'fast-check'
import { expect, test } from 'vitest'
import { compressWhitespace } from './whitespace.ts'

test.each([
  ['CRLF and lone CR', 'a\r\nb\rc', 'a\nb\nc'],
  ['spaces at line ends', 'a  \nb\t \n', 'a\nb'],
  ['three newlines or more', 'a\n\n\n\nb', 'a\n\nb'],
  ['blank lines made of spaces', 'a\n  \n\t\n \nb', 'a\n\nb'],
  ['newlines at both ends', '\n\na\n\n', 'a'],
  ['only white space', ' \n\t\n ', ''],
])('removes %s', (_case, text, expected) => {
  expect(compressWhitespace(text)).toBe(expected)
})

test('keeps indentation and inner spaces', () => {
  expect(compressWhitespace('  a  b\n\tc')).toBe('  a  b\n\tc')
})

test('leaves no CR, no triple newline and no edge newline in any text, and is idempotent', () => {
  const unit = fc.constantFrom(' ', '\t', '\n', '\r', 'a', 'é')
  fc.assert(
    fc.property(fc.oneof(fc.string({ unit }), fc.string({ unit: 'binary' })), (text) => {
      const compressed = compressWhitespace(text)
      expect(compressed).not.toMatch(/\r|\n\n\n|^\n|[ \t\n]$|[ \t]\n/)
      expect(compressWhitespace(compressed)).toBe(compressed)
      expect(compressed.replace(/[ \t\r\n]/g, '')).toBe(text.replace(/[ \t\r\n]/g, ''))
    }),
  )
})

test('keeps a long run of spaces inside a line', () => {
  expect(compressWhitespace(`a${' '.repeat(5_000_000)}b \n`)).toHaveLength(5_000_002)
})
