import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { estimateTokens, utf8End, utf8Length } from './tokens.ts'

const anyText = fc.string({ unit: 'binary' })

describe('estimateTokens', () => {
  test.each([
    ['', 0],
    ['a', 1],
    ['abcd', 1],
    ['abcde', 2],
    ['éé', 1],
    ['€€', 2],
    ['😀', 1],
    ['😀a', 2],
  ])('counts %j as %i tokens of four bytes', (text, tokens) => {
    expect(estimateTokens(text)).toBe(tokens)
  })

  test('agrees with the UTF-8 encoder on any text, lone surrogates included', () => {
    fc.assert(
      fc.property(
        fc.oneof(anyText, fc.string({ unit: fc.constantFrom('\ud83d', '\ude00', 'a', 'é') })),
        (text) => {
          expect(utf8Length(text)).toBe(Buffer.byteLength(text))
        },
      ),
    )
  })
})

describe('utf8End', () => {
  test('gives the longest slice that fits, without splitting a code point', () => {
    fc.assert(
      fc.property(anyText, fc.nat(12), (text, maxBytes) => {
        const end = utf8End(text, 0, maxBytes)
        expect(utf8Length(text.slice(0, end))).toBeLessThanOrEqual(maxBytes)
        expect(text.slice(0, end).isWellFormed()).toBe(true)
        if (end < text.length) expect(maxBytes - utf8Length(text.slice(0, end))).toBeLessThan(4)
      }),
    )
  })
})
