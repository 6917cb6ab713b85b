import { expect, test } from 'vitest'
import { createLazy } from './lazy.ts'

test('a lazy resource is opened once, on first use', async () => {
  let opened = 0
  const lazy = createLazy(
    async () => ++opened,
    () => undefined,
  )
  expect(await lazy.peek()).toBeUndefined()
  expect(await Promise.all([lazy.get(), lazy.get()])).toEqual([1, 1])
  expect(await lazy.peek()).toBe(1)
  expect(lazy.hasFailed()).toBe(false)
})

test('a lazy resource reports each failed attempt once, and retries', async () => {
  const told: unknown[] = []
  let isReady = false
  const lazy = createLazy(
    async () => {
      if (!isReady) throw new Error('locked')
      return 'open'
    },
    (error) => told.push(error),
  )
  const both = await Promise.allSettled([lazy.get(), lazy.get()])
  expect(both.map(({ status }) => status)).toEqual(['rejected', 'rejected'])
  expect(told).toHaveLength(1)
  expect([lazy.hasFailed(), await lazy.peek()]).toEqual([true, undefined])
  isReady = true
  expect(await lazy.get()).toBe('open')
  expect(lazy.hasFailed()).toBe(false)
})
