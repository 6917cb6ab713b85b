import { expect, test } from 'vitest'
import { createLoginLimits, type Outcome } from './login-limits.ts'

function openLimits() {
  const clock = { now: 0 }
  const begin = createLoginLimits(() => clock.now)
  /** Seconds to wait; undefined: it was checked. */
  const attempt = (name: string, address: string, outcome: Outcome = 'wrong'): number | undefined => {
    const begun = begin(name, address)
    if ('retryAfter' in begun) return begun.retryAfter
    begun.end(outcome)
    return undefined
  }
  return { clock, begin, attempt }
}

function times(count: number, work: (at: number) => number | undefined): number {
  return Array.from({ length: count }, (_, at) => work(at)).filter((wait) => wait === undefined).length
}

test('all addresses of one network of IPv6 are one', () => {
  const { attempt } = openLimits()
  expect(times(20, (at) => attempt('ada', `2001:db8:1:2::${at.toString(16)}`))).toBe(10)
  expect(attempt('ada', '2001:db8:1:2:3:4:5:6')).toBe(900)
  expect(attempt('ada', '2001:db8:1:3::1')).toBeUndefined()
})

test('an account is limited from everywhere together, and others are not', () => {
  const { attempt, clock } = openLimits()
  expect(times(200, (at) => attempt('ada', `192.0.2.${at}`))).toBe(100)
  expect(attempt('ada', '198.51.100.1', 'right')).toBe(900)
  expect(attempt('bob', '192.0.2.1', 'right')).toBeUndefined()
  clock.now += 900_000
  expect(attempt('ada', '198.51.100.1', 'right')).toBeUndefined()
})

test('what was right, or not looked at, does not count', () => {
  const { attempt } = openLimits()
  expect(times(500, () => attempt('ada', '192.0.2.1', 'right'))).toBe(500)
  expect(times(500, () => attempt('ada', '192.0.2.1', 'unchecked'))).toBe(500)
  expect(times(9, () => attempt('ada', '192.0.2.1'))).toBe(9)
  attempt('ada', '192.0.2.1', 'right')
  expect(times(20, () => attempt('ada', '192.0.2.1'))).toBe(10)
})

test('signing in to an account of their own does not let an attacker guess for more of the others', () => {
  const { attempt } = openLimits()
  const guesses = times(200, (at) => {
    attempt('eve', '192.0.2.1', 'right')
    return attempt(`user${at}`, '192.0.2.1')
  })
  expect(guesses).toBe(50)
})

test('the attempts of one address at the same time are limited', () => {
  const { begin } = openLimits()
  const begun = Array.from({ length: 6 }, () => begin('ada', '192.0.2.1'))
  expect(begun.map((one) => 'retryAfter' in one)).toEqual([false, false, false, false, true, true])
  expect('retryAfter' in begin('ada', '192.0.2.2')).toBe(false)
  for (const one of begun) if ('end' in one) one.end('right')
  expect('retryAfter' in begin('ada', '192.0.2.1')).toBe(false)
})
