import { expect, test } from 'vitest'
import { createAttempts } from './attempts.ts'

const NOON = Date.UTC(2026, 0, 1, 12)

function limited() {
  const clock = { now: NOON, elapsed: 0 }
  const attempts = createAttempts({
    ...{ max: 1, windowMs: 60_000, now: () => clock.now, elapsed: () => clock.elapsed },
  })
  return { clock, ...attempts }
}

test('attempts are forgotten with their window', () => {
  const { clock, add, wait } = limited()
  add('ada')
  expect([wait('ada'), wait('bob')]).toEqual([60, undefined])
  clock.now += 60_000
  expect(wait('ada')).toBe(undefined)
})

test('a clock that is set back allows no more attempts, and forbids them for no longer than a window', () => {
  const { clock, add, wait } = limited()
  add('ada')
  clock.now -= 3_600_000
  expect(wait('ada')).toBe(60)
  clock.elapsed += 60_000
  expect(wait('ada')).toBe(undefined)
})
