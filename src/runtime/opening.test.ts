import { expect, test } from 'vitest'
import { createOpening } from './opening.ts'

test('opens once, when it is first needed', async () => {
  let opened = 0
  const opening = createOpening(
    async () => ++opened,
    () => undefined,
  )
  expect(await opening.peek()).toBeUndefined()
  expect(await Promise.all([opening.get(), opening.get()])).toEqual([1, 1])
  expect(await opening.peek()).toBe(1)
  expect(opening.hasFailed()).toBe(false)
})

test('what failed is told once for each try, and tried again', async () => {
  const told: unknown[] = []
  let isReady = false
  const opening = createOpening(
    async () => {
      if (!isReady) throw new Error('locked')
      return 'open'
    },
    (error) => told.push(error),
  )
  const both = await Promise.allSettled([opening.get(), opening.get()])
  expect(both.map(({ status }) => status)).toEqual(['rejected', 'rejected'])
  expect(told).toHaveLength(1)
  expect([opening.hasFailed(), await opening.peek()]).toEqual([true, undefined])
  isReady = true
  expect(await opening.get()).toBe('open')
  expect(opening.hasFailed()).toBe(false)
})
