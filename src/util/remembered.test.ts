import { expect, test } from 'vitest'
import { createRemembered } from './remembered.ts'

test('an answer is computed once for each version', async () => {
  const remembered = createRemembered()
  let made = 0
  const ask = (question: string, version: string) =>
    remembered(question, version, async () => `${question} ${++made}`)
  expect(await ask('a', '1')).toBe('a 1')
  expect(await ask('a', '1')).toBe('a 1')
  expect(await ask('b', '1')).toBe('b 2')
  expect(await ask('a', '2')).toBe('a 3')
  expect(await ask('a', '1')).toBe('a 4')
})

test('a failed answer is not cached', async () => {
  const remembered = createRemembered()
  const fails = remembered('a', '1', async () => {
    throw new Error('no')
  })
  await expect(fails).rejects.toThrow('no')
  expect(await remembered('a', '1', async () => 'yes')).toBe('yes')
})

test('the number and total length of cached answers are limited', async () => {
  const remembered = createRemembered({ count: 2, length: 10 })
  let made = 0
  const ask = (question: string, length: number) =>
    remembered(question, '1', async () => {
      made++
      return 'x'.repeat(length)
    })
  for (const question of ['a', 'b', 'c']) await ask(question, 1)
  await ask('a', 1)
  expect(made).toBe(4)
  await ask('d', 11)
  await ask('d', 11)
  expect(made).toBe(6)
})
