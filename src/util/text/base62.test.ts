import fc from 'fast-check'
import { expect, test } from 'vitest'
import { base62 } from './base62.ts'

const DIGITS = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'

test.each([
  [0n, '00000000000'],
  [61n, '0000000000z'],
  [62n, '00000000010'],
  [916_132_831n, '000000zzzzz'],
  [916_132_832n, '00000100000'],
  [2n ** 64n - 1n, 'LygHa16AHYF'],
])('base62 writes %s as %s', (value, text) => {
  expect(base62(value)).toBe(text)
})

test('base62 is the number in base 62, for any 64 bits, and keeps their order', () => {
  const bits = fc.bigInt({ min: 0n, max: 2n ** 64n - 1n })
  const numberOf = (text: string): bigint =>
    [...text].reduce((sum, digit) => sum * 62n + BigInt(DIGITS.indexOf(digit)), 0n)
  fc.assert(
    fc.property(bits, bits, (a, b) => {
      expect(base62(a)).toMatch(/^[0-9A-Za-z]{11}$/)
      expect(numberOf(base62(a))).toBe(a)
      expect(base62(a) < base62(b)).toBe(a < b)
    }),
  )
})
