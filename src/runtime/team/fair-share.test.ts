import { expect, test } from 'vitest'
import { createFairShare } from './fair-share.ts'

/** Time passes only while somebody works or waits. */
function simulated() {
  const clock = { now: 0 }
  const inShare = createFairShare({
    now: () => clock.now,
    async wait(ms, signal) {
      signal?.throwIfAborted()
      clock.now += ms
    },
  })
  const call = async (client: string, ms: number, signal?: AbortSignal): Promise<void> => {
    const work = async (): Promise<void> => {
      clock.now += ms
    }
    await inShare(client, work, signal)
  }
  /** Lets time pass with calls of others, five a second each, and one client that makes calls of 20 ms all the time. Its part of the time. */
  async function share(others: number): Promise<number> {
    const start = clock.now
    let used = 0
    let due = clock.now
    while (clock.now - start < 10_000) {
      for (; due <= clock.now; due += 200) for (let at = 0; at < others; at++) await call(`other-${at}`, 2)
      await call('busy', 20)
      used += 20
    }
    return used / (clock.now - start)
  }
  return { clock, call, share }
}

test('a client that is alone never waits', async () => {
  const { clock, call } = simulated()
  for (let calls = 0; calls < 1000; calls++) await call('busy', 20)
  expect(clock.now).toBe(20_000)
})

test.each([
  [1, 0.5],
  [3, 0.25],
  [20, 0.12],
])(
  'beside %i active clients one that makes calls all the time gets about %f of the time',
  async (others, part) => {
    const { share } = simulated()
    expect(Math.abs((await share(others)) - part)).toBeLessThan(0.2 * part)
  },
)

test('a few calls at once need not wait', async () => {
  const { clock, call } = simulated()
  for (let at = 0; at < 10; at++) await call(`other-${at}`, 2)
  for (let calls = 0; calls < 10; calls++) await call('burst', 20)
  expect(clock.now).toBe(220)
})

test('clients that use the same never wait for one another', async () => {
  const { clock, call } = simulated()
  for (let calls = 0; calls < 300; calls++) for (const client of ['a', 'b', 'c']) await call(client, 20)
  expect(clock.now).toBe(18_000)
})

test('a client no longer waits for others that make no more calls', async () => {
  const { clock, call, share } = simulated()
  await share(10)
  for (let calls = 0; calls < 100; calls++) await call('busy', 100)
  const before = clock.now
  for (let calls = 0; calls < 100; calls++) await call('busy', 20)
  expect(clock.now - before).toBe(2000)
})

test('a long call holds up the next one of its client for no more than a few seconds', async () => {
  const { clock, call, share } = simulated()
  await share(10)
  await call('busy', 60_000)
  for (let at = 0; at < 10; at++) await call(`other-${at}`, 2)
  const before = clock.now
  await call('busy', 20)
  expect(clock.now - before).toBeLessThan(4000)
})

test('a call that is aborted while it waits never runs', async () => {
  const inShare = createFairShare()
  const busy = (): Promise<unknown> => new Promise((resolve) => setTimeout(resolve, 20))
  for (let at = 0; at < 10; at++) await inShare(`other-${at}`, async () => undefined)
  await Promise.all([...Array(50)].map(() => inShare('busy', busy)))
  const leaving = new AbortController()
  let hasRun = false
  const run = async (): Promise<void> => {
    hasRun = true
  }
  const waiting = inShare('busy', run, leaving.signal)
  leaving.abort(new Error('gone'))
  await expect(waiting).rejects.toThrow('gone')
  expect(hasRun).toBe(false)
})
