import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import type { ColdRow } from '../../src/core/rows/heat.ts'
import type { Memory } from '../../src/runtime/memory/open-memory.ts'
import { openIn, temporaryFolder } from '../support/engine.ts'
import { start } from '../support/store-children.ts'
import { openEngine } from '../support/store-database.ts'
import { NOON, startClock } from '../support/store-heat.ts'
import { manualTimers } from '../support/timers.ts'

const HOUR = 3_600_000
const RATE = 0.05

interface Clock {
  now: number
}

/** A memory with one note whose heat is 0.5 at noon, and settings of its own. */
async function memoryAtNoon(temperature: object = {}) {
  const folder = temporaryFolder()
  const clock: Clock = { now: NOON }
  const problems: unknown[] = []
  const open = async (): Promise<Memory> => {
    const options = { now: () => clock.now, onProblem: (error: unknown) => problems.push(error) }
    const memory = await openIn(folder, options)
    onTestFinished(() => memory.close())
    return memory
  }
  const configure = (settings: object): void =>
    writeFileSync(
      join(folder, '.remindb', 'config.json'),
      JSON.stringify({ temperature: { decay_rate: RATE, ...settings } }),
    )
  const memory = await open()
  configure(temperature)
  const { id } = await memory.write({ payload: 'A note.' })
  const engine = await openEngine(memory.path)
  await startClock(engine.store)
  await engine.close()
  return { memory, open, clock, configure, id, problems }
}

async function heat(memory: Memory): Promise<number> {
  return (await memory.forest()).roots[0]?.temperature ?? Number.NaN
}

test('a tick cools by the time since the last one, also over downtime', async () => {
  const { memory, open, clock } = await memoryAtNoon()
  clock.now += 2 * HOUR
  expect(await memory.tick()).toEqual({ hours: 2, cold: [] })
  expect(await heat(memory)).toBeCloseTo(0.5 * Math.exp(-2 * RATE))
  await memory.close()
  clock.now += 100 * HOUR
  const later = await open()
  expect((await later.tick()).hours).toBe(100)
  expect(await heat(later)).toBeCloseTo(0.5 * Math.exp(-102 * RATE))
})

test('tells once of a node that became cold, and again after it was warm', async () => {
  const { memory, clock, id } = await memoryAtNoon()
  clock.now += 33 * HOUR
  const { cold } = await memory.tick()
  expect(cold).toEqual([
    { key: expect.any(Number), id, label: 'A note.', source: 'mcp:write', value: expect.any(Number) },
  ])
  expect(cold[0]?.value).toBeCloseTo(0.5 * Math.exp(-33 * RATE))
  clock.now += HOUR
  expect((await memory.tick()).cold).toEqual([])
  await memory.warm([id])
  clock.now += 33 * HOUR
  expect((await memory.tick()).cold.map((row) => row.id)).toEqual([id])
})

test('frozen, nothing cools and nothing is told; the time is not charged later', async () => {
  const { memory, clock, configure } = await memoryAtNoon({ enabled: false, notify_threshold: 1 })
  clock.now += 50 * HOUR
  expect(await memory.tick()).toEqual({ hours: 0, cold: [] })
  configure({ notify_threshold: 1, decay_rate: 1 })
  expect((await memory.tick()).hours).toBe(0)
  expect(await heat(memory)).toBe(0.5)
  clock.now += HOUR
  expect((await memory.tick()).hours).toBe(1)
  expect(await heat(memory)).toBeCloseTo(0.5 * Math.exp(-1))
})

test('a ticker ticks at once and at every interval; an interval that is changed counts within half a minute', async () => {
  const { memory, clock, configure } = await memoryAtNoon({ tick_interval: '24h' })
  const timers = manualTimers()
  const ticker = memory.startTicker({ setTimer: timers.setTimer })
  const wait = async (ms: number): Promise<void> => {
    await expect.poll(timers.delays).toEqual([ms])
    clock.now += ms
    timers.fire()
  }
  await wait(30_000)
  configure({ tick_interval: '1h' })
  await wait(30_000)
  expect(await heat(memory)).toBe(0.5)
  clock.now += HOUR - 90_000
  await wait(30_000)
  await expect.poll(() => heat(memory)).toBeCloseTo(0.5 * Math.exp(-RATE))
  configure({ tick_interval: '10s' })
  await wait(30_000)
  await expect.poll(timers.delays).toEqual([10_000])
  await ticker.stop()
  expect(timers.delays()).toEqual([])
})

test('an edit of the settings that cannot be used is told once, and the last good ones stay', async () => {
  const { memory, clock, configure, problems } = await memoryAtNoon({ tick_interval: '10m', decay_rate: 1 })
  const timers = manualTimers()
  memory.startTicker({ setTimer: timers.setTimer })
  await expect.poll(timers.delays).toEqual([30_000])
  configure({ tick_interval: 'often', decay_rate: 2 })
  clock.now += HOUR
  timers.fire()
  await expect.poll(timers.delays).toEqual([30_000])
  expect(await heat(memory)).toBeCloseTo(0.5 * Math.exp(-1))
  expect(problems).toEqual([expect.objectContaining({ code: 'INVALID_INPUT' })])
})

test('reports no oftener than it may', async () => {
  const settings = { notify_threshold: 1, cold_notify_limit: 1, cold_notify_ttl: '1h', tick_interval: '1s' }
  const { memory, clock } = await memoryAtNoon(settings)
  await memory.write({ payload: 'Another.' })
  await memory.write({ payload: 'A third.' })
  const timers = manualTimers()
  const reports: string[][] = []
  const onCold = (nodes: ColdRow[]): void => void reports.push(nodes.map(({ label }) => label))
  memory.startTicker({ onCold, setTimer: timers.setTimer })
  const tick = async (): Promise<void> => {
    await expect.poll(timers.delays).toHaveLength(1)
    timers.fire()
    await expect.poll(timers.delays).toHaveLength(1)
  }
  await tick()
  expect(reports).toEqual([['A note.']])
  clock.now += HOUR - 1000
  await tick()
  expect(reports).toHaveLength(1)
  clock.now += 1000
  await tick()
  expect(reports).toEqual([['A note.'], ['Another.']])
})

test('a ticker without anybody to tell leaves the reports to another', async () => {
  const { memory } = await memoryAtNoon({ notify_threshold: 1 })
  const timers = manualTimers()
  const ticker = memory.startTicker({ setTimer: timers.setTimer })
  await expect.poll(timers.delays).toHaveLength(1)
  await ticker.stop()
  expect((await memory.tick()).cold).toHaveLength(1)
})

test('of several processes one ticks; another goes on when it stops or is gone', async () => {
  const { memory, open, clock } = await memoryAtNoon({ tick_interval: '5m' })
  const other = await open()
  const timers = manualTimers()
  const ticker = memory.startTicker({ setTimer: timers.setTimer })
  await expect.poll(timers.delays).toHaveLength(1)
  clock.now += HOUR / 6
  expect(await other.tick()).toEqual({ hours: null, cold: [] })
  await ticker.stop()
  expect((await other.tick()).hours).toBeCloseTo(1 / 6)

  memory.startTicker({ setTimer: timers.setTimer })
  await expect.poll(timers.delays).toHaveLength(1)
  clock.now += HOUR / 5
  expect((await other.tick()).hours).toBeNull()
  clock.now += HOUR / 60
  expect((await other.tick()).hours).not.toBeNull()
})

test('a report that fails and a tick that fails are told, and the next tick comes', async () => {
  const { memory, problems } = await memoryAtNoon({ notify_threshold: 1 })
  const timers = manualTimers()
  const onCold = (): void => {
    throw new Error('nobody there')
  }
  memory.startTicker({ onCold, setTimer: timers.setTimer })
  await expect.poll(timers.delays).toHaveLength(1)
  expect(problems).toEqual([new Error('nobody there')])
})

test('handlers that fail, now or later, end neither the ticker nor the process', async () => {
  const { memory, clock } = await memoryAtNoon({
    notify_threshold: 1,
    cold_notify_limit: 1,
    cold_notify_ttl: '0',
  })
  await memory.write({ payload: 'Another.' })
  const timers = manualTimers()
  const told: unknown[] = []
  const onCold = async (): Promise<void> => {
    throw new Error('nobody there')
  }
  const onError = (error: unknown): void => {
    told.push(error)
    throw error
  }
  memory.startTicker({ onCold, onError, setTimer: timers.setTimer })
  await expect.poll(timers.delays).toHaveLength(1)
  clock.now += HOUR
  timers.fire()
  await expect.poll(() => told).toEqual([new Error('nobody there'), new Error('nobody there')])
  await expect.poll(timers.delays).toHaveLength(1)
})

test('closing stops the ticker and lets go of its lease', async () => {
  const { memory, open, problems } = await memoryAtNoon()
  const timers = manualTimers()
  memory.startTicker({ setTimer: timers.setTimer })
  await memory.close()
  await memory.close()
  expect(timers.delays()).toEqual([])
  expect((await (await open()).tick()).hours).toBe(0)
  expect(problems).toEqual([])
})

test('processes that tick at once never charge an hour twice', { timeout: 30_000 }, async () => {
  const { memory } = await memoryAtNoon()
  const children = [1, 2].map(() => start('tick', { file: memory.path, count: 20 }))
  for (const child of children) expect(await child.next()).toBe('ready')
  for (const child of children) child.tell()
  for (const child of children) expect(await child.next()).toBe('done')
  for (const child of children) await child.ended()
  expect(await heat(memory)).toBeCloseTo(0.5 * Math.exp(-20 * RATE), 12)
})
