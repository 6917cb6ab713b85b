import { expect, test } from 'vitest'
import { printable, printableJson, printableText } from './printable.ts'

test.each([
  ['plain ü 漢字 👩‍👩‍👧 \u200b', 'plain ü 漢字 👩‍👩‍👧 \u200b'],
  ['\x1b[31mred\x07', '\\x1b[31mred\\x07'],
  ['a\nb\r\tc', 'a\\nb\\r\\tc'],
  ['\u009b2J\u007f\0', '\\x9b2J\\x7f\\x00'],
  ['\u202eevil\u2066\u2028', '\\u{202e}evil\\u{2066}\\u{2028}'],
  ['half \ud83d pair', 'half \\u{d83d} pair'],
])('printable spells out terminal controls in %j', (text, shown) => {
  expect(printable(text)).toBe(shown)
})

test('printableText keeps line feeds, CRLF and tabs', () => {
  expect(printableText('a\n\tb\x1b\r')).toBe('a\n\tb\\x1b\\r')
  expect(printableText('a\r\nb\r\r\n\n\rc')).toBe('a\r\nb\\r\r\n\n\\rc')
})

test('printableJson escapes JSON without changing its meaning', () => {
  const value = 'x\x1b\u009b\u202e\u2028\x7fé'
  const json = printableJson(JSON.stringify(value))
  expect(json).toBe('"x\\u001b\\u009b\\u202e\\u2028\\u007fé"')
  expect(JSON.parse(json)).toBe(value)
})
