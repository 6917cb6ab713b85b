import { randomBytes } from 'node:crypto'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createToken, keyIdOf } from './token.ts'

const token = createToken('0aZ9zzzz', randomBytes)

test('a token has its prefix, its id, a secret and a checksum', () => {
  expect(token).toMatch(/^rmdb_pat_0aZ9zzzz[0-9A-Za-z]{38}$/)
  expect(keyIdOf(token)).toBe('0aZ9zzzz')
  expect(createToken('0aZ9zzzz', randomBytes)).not.toBe(token)
})

test('the same bytes make the same token in every version', () => {
  expect(createToken('abcd1234', (count) => new Uint8Array(count).fill(10))).toBe(
    `rmdb_pat_abcd1234${'A'.repeat(32)}3p1B3a`,
  )
})

test('bytes that would make some characters more likely are not used', () => {
  const bytes = [255, 248, 247, 0]
  let asked = 0
  const secret = createToken('abcd1234', (count) =>
    Uint8Array.from({ length: count }, () => bytes[asked++ % bytes.length] ?? 0),
  ).slice(17, 49)
  expect(new Set(secret)).toEqual(new Set(['z', '0']))
})

test.each(['', 'rmdb_pat_', `${token} `, ` ${token}`, `${token}\n`, token.slice(0, -1), `${token}0`])(
  '%j is not a token',
  (text) => {
    expect(keyIdOf(text)).toBeUndefined()
  },
)

test('a token with another character anywhere is not a token', () => {
  const other = fc
    .tuple(fc.nat(token.length - 1), fc.string({ minLength: 1, maxLength: 1 }))
    .filter(([at, character]) => token[at] !== character)
  fc.assert(
    fc.property(other, ([at, character]) => {
      expect(keyIdOf(token.slice(0, at) + character + token.slice(at + 1))).toBeUndefined()
    }),
  )
})

test('any text is read without failing', () => {
  fc.assert(fc.property(fc.string(), (text) => keyIdOf(text) === undefined))
})
