import { expect, test } from 'vitest'
import { createWaiting } from './waiting.ts'

test('a request is found until it is answered or expires', async () => {
  const clock = { now: 0 }
  const waiting = createWaiting(() => clock.now)
  await waiting.upsert('one', { uid: 'one' }, 60)
  expect(await waiting.find('one')).toEqual({ uid: 'one' })
  await waiting.destroy('one')
  expect(await waiting.find('one')).toBeUndefined()
  await waiting.upsert('two', { uid: 'two' }, 60)
  clock.now = 60_000
  expect(await waiting.find('two')).toBeUndefined()
})

test('the number of waiting requests is limited: expired ones are dropped first, then the oldest', async () => {
  const clock = { now: 0 }
  const waiting = createWaiting(() => clock.now)
  await waiting.upsert('short', {}, 1)
  for (let at = 1; at < 5000; at++) await waiting.upsert(`${at}`, {}, 60)
  await waiting.upsert('1', { uid: 'again' }, 60)
  expect(await waiting.find('short')).toBeDefined()
  clock.now = 1000
  await waiting.upsert('one more', {}, 60)
  expect(await waiting.find('1')).toEqual({ uid: 'again' })
  await waiting.upsert('another', {}, 60)
  expect(await waiting.find('1')).toBeUndefined()
  expect(await waiting.find('2')).toBeDefined()
})
