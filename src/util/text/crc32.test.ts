import { crc32 as expected } from 'node:zlib'
import { expect, test } from 'vitest'
import { crc32 } from './crc32.ts'

test.each(['', 'a', '123456789', 'rmdb_pat_0aZ', 'x'.repeat(1000)])('agrees with zlib on %j', (text) => {
  expect(crc32(text)).toBe(expected(text))
})
