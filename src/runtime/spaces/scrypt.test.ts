import { scryptSync } from 'node:crypto'
import { availableParallelism } from 'node:os'
import { expect, test } from 'vitest'
import { createScrypt } from './scrypt.ts'

const salt = new Uint8Array(16).fill(7)

test('a hash is that of scrypt with N = 65536, r = 8 and p = 1', async () => {
  const expected = scryptSync('correct horse', salt, 32, { N: 65_536, r: 8, p: 1, maxmem: 2 ** 27 })
  expect(Buffer.from(await createScrypt()('correct horse', salt))).toEqual(expected)
})

test('at most two hashes are computed at once, 16 wait, and more are refused until one is done', async () => {
  const hash = createScrypt()
  const atOnce = Math.max(1, Math.min(2, availableParallelism() - 1))
  const accepted = Array.from({ length: atOnce + 16 }, () => hash('correct horse', salt))
  await expect(hash('one too many', salt)).rejects.toMatchObject({ code: 'LIMIT_EXCEEDED' })
  await accepted[0]
  accepted.push(hash('after the first', salt))
  expect(await Promise.all(accepted)).toHaveLength(atOnce + 17)
}, 30_000)
