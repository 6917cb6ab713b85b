import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createNotifier } from './notifier.ts'
import { CONCERNS, type Concern, SUBSCRIBABLE, type SubscribableName, uriOf } from './subscribable.ts'

/** A clock that only moves when it is told to, and its timers. */
function fakeClock() {
  let time = 1000
  const timers = new Set<{ at: number; work: () => void }>()
  const next = () => [...timers].sort((a, b) => a.at - b.at)[0]
  return {
    now: () => time,
    setTimer(work: () => void, ms: number) {
      const timer = { at: time + ms, work }
      timers.add(timer)
      return () => void timers.delete(timer)
    },
    advance(ms: number): void {
      const end = time + ms
      for (let due = next(); due && due.at <= end; due = next()) {
        timers.delete(due)
        time = Math.max(time, due.at)
        due.work()
      }
      time = end
    },
    waiting: () => timers.size,
  }
}

const windowsOf = (ms: number) =>
  Object.fromEntries(CONCERNS.map((name) => [name, ms])) as Record<Concern, number>
const check = (): void => undefined

function notifier({
  windowMs = 500,
  maxWaitMs = 5000,
  others = {} as Partial<Record<Concern, number>>,
} = {}) {
  const clock = fakeClock()
  const sent: { uri: string; at: number }[] = []
  const { touch, close } = createNotifier({
    windows: { ...windowsOf(windowMs), ...others },
    maxWaitMs,
    ...clock,
    check: (group) => sent.push({ uri: group, at: clock.now() }),
    send: (uri) => sent.push({ uri, at: clock.now() }),
  })
  return { clock, sent, touch, close }
}

test('a burst is told once, at its end', () => {
  const { clock, sent, touch } = notifier()
  for (let at = 0; at < 10; at++) {
    touch('tree')
    clock.advance(100)
  }
  expect(sent).toEqual([])
  clock.advance(399)
  expect(sent).toEqual([])
  clock.advance(1)
  expect(sent).toEqual([{ uri: 'remindb://tree', at: 2400 }])
  clock.advance(60_000)
  expect(sent).toHaveLength(1)
  expect(clock.waiting()).toBe(0)
})

test('a stream that never pauses is told at the longest wait, again and again', () => {
  const { clock, sent, touch } = notifier()
  for (let at = 0; at < 120; at++) {
    touch('logs')
    clock.advance(100)
  }
  expect(sent.map(({ at }) => at)).toEqual([6000, 11_000])
})

test('a window that is longer than the longest wait counts', () => {
  const { clock, sent, touch } = notifier({ windowMs: 8000 })
  touch('tree')
  clock.advance(7999)
  expect(sent).toEqual([])
  clock.advance(1)
  expect(sent).toHaveLength(1)
})

test('each resource has a window of its own', () => {
  const { clock, sent, touch } = notifier({ others: { temperature: 2000, graph: 0 } })
  for (const name of ['graph', 'tree', 'temperature'] as const) touch(name)
  clock.advance(2000)
  expect(sent).toEqual([
    { uri: 'remindb://graph', at: 1000 },
    { uri: 'remindb://tree', at: 1500 },
    { uri: 'remindb://temperature', at: 3000 },
  ])
})

test('nothing is told after the end', () => {
  const { clock, sent, touch, close } = notifier()
  touch('tree')
  close()
  touch('graph')
  clock.advance(60_000)
  expect(sent).toEqual([])
  expect(clock.waiting()).toBe(0)
})

test('what is held by its URI is looked at once for a burst', () => {
  const { clock, sent, touch } = notifier()
  touch('keys')
  clock.advance(300)
  touch('keys')
  clock.advance(5000)
  expect(sent).toEqual([{ uri: 'keys', at: 1800 }])
})

test('a change while it is being told is told too', () => {
  const clock = fakeClock()
  const sent: number[] = []
  const { touch } = createNotifier({
    windows: windowsOf(500),
    maxWaitMs: 5000,
    ...clock,
    check,
    send() {
      sent.push(clock.now())
      if (sent.length === 1) touch('logs')
    },
  })
  touch('logs')
  clock.advance(5000)
  expect(sent).toEqual([1500, 2000])
})

test.each(['now', 'later'])('a client that cannot be told %s keeps nobody else from it', async (when) => {
  const clock = fakeClock()
  const errors: unknown[] = []
  const sent: string[] = []
  const { touch } = createNotifier({
    windows: windowsOf(500),
    maxWaitMs: 5000,
    ...clock,
    check,
    send(uri) {
      sent.push(uri)
      if (when === 'now') throw new Error('gone')
      return Promise.reject(new Error('gone'))
    },
    onError: (error) => errors.push(error),
  })
  touch('tree')
  clock.advance(500)
  touch('tree')
  clock.advance(500)
  await expect.poll(() => errors).toEqual([new Error('gone'), new Error('gone')])
  expect(sent).toHaveLength(2)
})

test('a clock that is set back makes nothing wait', () => {
  const times = { now: 1_000_000 }
  const timers: { work: () => void; ms: number }[] = []
  const sent: string[] = []
  const { touch } = createNotifier({
    windows: windowsOf(500),
    maxWaitMs: 5000,
    now: () => times.now,
    setTimer: (work, ms) => {
      timers.push({ work, ms })
      return () => undefined
    },
    check,
    send: (uri) => sent.push(uri),
  })
  touch('tree')
  times.now = 500
  timers.shift()?.work()
  expect(sent).toHaveLength(1)
  times.now = 1_000_000
  touch('tree')
  for (times.now = 0; times.now < 5000; times.now += 400) {
    touch('tree')
    timers.shift()?.work()
  }
  touch('tree')
  timers.shift()?.work()
  expect(sent).toHaveLength(2)
  expect(timers.every(({ ms }) => ms <= 500)).toBe(true)
})

const steps = fc.array(
  fc.record({ name: fc.constantFrom(...SUBSCRIBABLE), pauseMs: fc.oneof(fc.nat(50), fc.nat(2000)) }),
  { minLength: 1, maxLength: 200 },
)

test('whatever changes when: nothing is lost, nothing too often, nothing too late', () => {
  fc.assert(
    fc.property(steps, fc.nat(1500), fc.nat(4000), (touches, windowMs, maxWaitMs) => {
      const { clock, sent, touch } = notifier({ windowMs, maxWaitMs })
      const touched = new Map<SubscribableName, number[]>()
      for (const { name, pauseMs } of touches) {
        touch(name)
        touched.set(name, [...(touched.get(name) ?? []), clock.now()])
        clock.advance(pauseMs)
      }
      clock.advance(10_000)
      for (const [name, times] of touched) {
        const told = sent.filter(({ uri }) => uri === uriOf(name)).map(({ at }) => at)
        // Every change is followed by a notification, within the longest wait.
        for (const time of times) {
          const after = told.find((at) => at >= time + (windowMs === 0 ? 0 : 1)) ?? Number.NaN
          expect(after - time).toBeLessThanOrEqual(Math.max(windowMs, maxWaitMs))
        }
        for (const [at, time] of told.entries())
          if (at > 0) expect(time - (told[at - 1] as number)).toBeGreaterThanOrEqual(windowMs)
        // No more than there were bursts: each one tells of a change that the one before did not know.
        for (const [at, time] of told.entries()) {
          const since = at === 0 ? 0 : (told[at - 1] as number)
          expect(times.some((changed) => changed >= since && changed <= time)).toBe(true)
        }
      }
      expect(new Set(sent.map(({ uri }) => uri))).toEqual(new Set([...touched.keys()].map(uriOf)))
      expect(clock.waiting()).toBe(0)
    }),
  )
})
