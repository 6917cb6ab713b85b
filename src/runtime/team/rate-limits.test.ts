import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createRateLimit, createRateLimits } from './rate-limits.ts'

const NOON = Date.UTC(2026, 0, 1, 12)

function limited(perMinute: number | null, perDay: number | null) {
  const clock = { now: NOON, elapsed: 0 }
  const rate = createRateLimit({
    ...{ perMinute, perDay, callsAtOnce: 2, now: () => clock.now, elapsed: () => clock.elapsed },
  })
  const tryCount = (): string => {
    try {
      rate.count()
      return 'ok'
    } catch (error) {
      return (error as Error).message
    }
  }
  return { ...rate, clock, tryCount }
}

test('the limit of a minute of UTC starts over in the next one', () => {
  const { clock, tryCount } = limited(2, 100)
  clock.now = NOON + 50_500
  expect([tryCount(), tryCount(), tryCount()]).toEqual(['ok', 'ok', 'Rate limit exceeded. Retry after 10s.'])
  clock.now = NOON + 59_999
  expect(tryCount()).toBe('Rate limit exceeded. Retry after 1s.')
  clock.now = NOON + 60_000
  expect(tryCount()).toBe('ok')
})

test('the limit of a day of UTC holds until midnight', () => {
  const { clock, tryCount } = limited(10, 1)
  expect([tryCount(), tryCount()]).toEqual(['ok', 'Rate limit exceeded. Retry after 43200s.'])
  clock.now = Date.UTC(2026, 0, 2)
  expect(tryCount()).toBe('ok')
})

test('the minute is named before the day', () => {
  const { tryCount } = limited(1, 1)
  tryCount()
  expect(tryCount()).toBe('Rate limit exceeded. Retry after 60s.')
})

test('a clock that is set back gives no calls, and forward the next window', () => {
  const { clock, tryCount } = limited(1, 10)
  expect(tryCount()).toBe('ok')
  clock.now = NOON - 3_600_000
  expect(tryCount()).toMatch(/^Rate limit exceeded/)
  clock.now = NOON + 61_000
  expect(tryCount()).toBe('ok')
})

test.each([
  { window: 'minute', perMinute: 1, perDay: null, seconds: 60 },
  { window: 'day', perMinute: null, perDay: 1, seconds: 86_400 },
] as const)(
  'after a clock jumped ahead and back, the limit holds for a $window',
  ({ perMinute, perDay, seconds }) => {
    const { clock, tryCount } = limited(perMinute, perDay)
    clock.now = NOON + 400 * 86_400_000
    expect(tryCount()).toBe('ok')
    clock.now = NOON
    expect(tryCount()).toBe(`Rate limit exceeded. Retry after ${seconds}s.`)
    clock.elapsed = (seconds - 1) * 1000
    expect(tryCount()).toBe('Rate limit exceeded. Retry after 1s.')
    clock.elapsed = seconds * 1000
    expect([tryCount(), tryCount()]).toEqual(['ok', expect.stringMatching('^Rate limit exceeded')])
  },
)

test('figures are those of the windows of now', () => {
  const { clock, count, figures } = limited(5, 100)
  count()
  count()
  expect(figures()).toEqual({
    ...{ per_minute_limit: 5, per_minute_used: 2, per_minute_remaining: 3 },
    ...{ per_day_limit: 100, per_day_used: 2, per_day_remaining: 98 },
  })
  clock.now += 60_000
  expect(figures()).toMatchObject({ per_minute_used: 0, per_minute_remaining: 5, per_day_used: 2 })
})

test('without limits every call counts and none is refused', () => {
  const { tryCount, figures } = limited(null, null)
  for (let calls = 0; calls < 1000; calls++) expect(tryCount()).toBe('ok')
  expect(figures()).toMatchObject({
    per_minute_limit: null,
    per_minute_used: 1000,
    per_minute_remaining: null,
  })
})

test('a client that ignores refusals is not listened to until the minute is over', () => {
  const { clock, tryCount, enter } = limited(3, null)
  for (let calls = 0; calls < 3 + 2; calls++) tryCount()
  expect(enter()).toHaveProperty('leave')
  tryCount()
  expect(enter()).toEqual({ retryAfter: 60 })
  clock.now += 60_000
  expect(enter()).toHaveProperty('leave')
})

test('a client has at most 64 requests in flight', () => {
  const { enter } = limited(null, null)
  const entered = Array.from({ length: 64 }, enter)
  expect(enter()).toEqual({ retryAfter: 1 })
  const [first] = entered
  if (first && 'leave' in first) first.leave()
  expect(enter()).toHaveProperty('leave')
})

test('clients have limits of their own, and exempt users none', () => {
  const rates = createRateLimits({
    ...{ perMinute: 1, perDay: 1, callsAtOnce: 1, exemptUsers: ['eve'], now: () => NOON },
  })
  rates({ rootId: 'a', user: 'ada' }).count()
  expect(() => rates({ rootId: 'a', user: 'ada' }).count()).toThrow('Rate limit exceeded')
  rates({ rootId: 'b', user: 'ada' }).count()
  for (let calls = 0; calls < 10; calls++) rates({ rootId: 'c', user: 'eve' }).count()
})

test('no window ever has more calls than its limit, whatever the clock does', () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: -120_000, max: 120_000 })), (steps) => {
      const { clock, tryCount } = limited(3, 7)
      const minutes = new Map<number, number>()
      let latest = 0
      for (const step of steps) {
        clock.now += step
        latest = Math.max(latest, Math.floor(clock.now / 60_000))
        if (tryCount() === 'ok') minutes.set(latest, (minutes.get(latest) ?? 0) + 1)
      }
      expect(Math.max(0, ...minutes.values())).toBeLessThanOrEqual(3)
    }),
  )
})

test('a client that ignores the end of its day is not listened to until midnight', () => {
  const { tryCount, enter } = limited(2, 1)
  for (let calls = 0; calls < 1 + 1; calls++) tryCount()
  expect(enter()).toHaveProperty('leave')
  tryCount()
  expect(enter()).toEqual({ retryAfter: 43_200 })
})

test('a few calls of a client run at once, and those of another beside them', async () => {
  const rates = createRateLimits({
    ...{ perMinute: null, perDay: null, callsAtOnce: 2, exemptUsers: [], now: () => NOON },
  })
  const begun: string[] = []
  const never = new Promise<void>(() => undefined)
  const call = (rootId: string, work = never): Promise<void> =>
    rates({ rootId, user: 'ada' }).gate(() => {
      begun.push(rootId)
      return work
    })
  for (let calls = 0; calls < 50; calls++) void call('busy')
  await call('other', Promise.resolve())
  expect(begun).toEqual(['busy', 'busy', 'other'])
})

test('every call takes its share of the time, with those of other keys that a key made, exempt users too', async () => {
  const names: string[] = []
  const rates = createRateLimits({
    ...{ perMinute: 5, perDay: 5, callsAtOnce: 2, exemptUsers: ['eve'], now: () => NOON },
    inShare(name, work) {
      names.push(name)
      return work()
    },
  })
  const call = (rootId: string, user: string) => rates({ rootId, user }).gate(async () => names.length)
  expect([await call('a', 'ada'), await call('a', 'ada'), await call('e', 'eve')]).toEqual([1, 2, 3])
  expect(names).toEqual(['a', 'a', 'e'])
})

test('clients of earlier days are forgotten when the next one comes', () => {
  const clock = { now: NOON }
  const rates = createRateLimits({
    ...{ perMinute: 5, perDay: 5, callsAtOnce: 1, exemptUsers: [], now: () => clock.now },
  })
  const count = (rootId: string): void => rates({ rootId, user: 'ada' }).count()
  for (const rootId of ['a', 'b', 'c']) count(rootId)
  const entered = rates({ rootId: 'b', user: 'ada' }).enter()
  clock.now += 3_600_000
  count('d')
  expect(rates.size()).toBe(4)
  clock.now += 24 * 3_600_000
  count('c')
  count('e')
  expect(rates.size()).toBe(3)
  if ('leave' in entered) entered.leave()
})

test('after a clock jumped ahead and back, clients are forgotten a day later', () => {
  const clock = { now: NOON, elapsed: 0 }
  const rates = createRateLimits({
    ...{ perMinute: 5, perDay: 5, callsAtOnce: 1, exemptUsers: [] },
    ...{ now: () => clock.now, elapsed: () => clock.elapsed },
  })
  const count = (rootId: string): void => rates({ rootId, user: 'ada' }).count()
  clock.now = NOON + 400 * 86_400_000
  count('a')
  clock.now = NOON
  count('b')
  clock.now += 86_400_000
  clock.elapsed += 86_400_000
  count('c')
  expect(rates.size()).toBe(1)
})

test('a connection from before its client was forgotten counts for the same limit', () => {
  const clock = { now: NOON }
  const rates = createRateLimits({
    ...{ perMinute: 1, perDay: 5, callsAtOnce: 1, exemptUsers: [], now: () => clock.now },
  })
  const old = rates({ rootId: 'a', user: 'ada' })
  old.count()
  clock.now += 24 * 3_600_000
  rates({ rootId: 'b', user: 'ada' }).count()
  old.count()
  expect(() => rates({ rootId: 'a', user: 'ada' }).count()).toThrow('Rate limit exceeded')
})
