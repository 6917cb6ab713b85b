import fc from 'fast-check'
import { expect, test } from 'vitest'
import { decodeBase64, decodedLength, decodeToken, encodeBase64, encodeToken } from './base64.ts'

test('Base64 decodes to the same bytes, and their number is known before', () => {
  fc.assert(
    fc.property(fc.uint8Array(), (bytes) => {
      const text = encodeBase64(bytes)
      expect(decodedLength(text)).toBe(bytes.length)
      expect(decodeBase64(text)).toEqual({ bytes: Buffer.from(bytes) })
    }),
  )
})

test.each(['a', 'abc', 'ab=', 'ab==c', 'a b=', 'ab\n=', 'ab-_', '====', 'é==='])(
  '%j is rejected as Base64',
  (text) => {
    expect(decodeBase64(text)).toEqual({ refused: expect.any(String) })
  },
)

test('decodeToken returns the value of a token, and undefined for anything else', () => {
  expect(encodeToken({ a: 'ü?>' })).toMatch(/^[\w-]+$/)
  expect(decodeToken(encodeToken({ a: 'ü?>' }))).toEqual({ a: 'ü?>' })
  fc.assert(fc.property(fc.string(), (text) => void decodeToken(text)))
  expect(decodeToken('not a token')).toBeUndefined()
})
