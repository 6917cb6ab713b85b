import { expect, onTestFinished, test } from 'vitest'
import { findColdReport } from '../../src/core/heat/tick.ts'
import type { Engine } from '../../src/core/port/store.ts'
import { findLease } from '../../src/core/rows/leases.ts'
import type { Memory } from '../../src/runtime/memory/open-memory.ts'
import type { SettingName } from '../../src/runtime/settings/settings.ts'
import { openIn, temporaryFolder } from '../support/engine.ts'
import { listen } from '../support/feed.ts'
import { soon } from '../support/soon.ts'
import { openEngine } from '../support/store-database.ts'
import { NOON, startClock } from '../support/store-heat.ts'
import { manualTimers } from '../support/timers.ts'

const HOUR = 3_600_000

/** A memory that ticks, and a second process's view of it. */
async function tickingMemory(more: Partial<Record<SettingName, unknown>> = {}): Promise<{
  memory: Memory
  other: Engine
  id: string
  tick(): Promise<void>
}> {
  const clock = { now: NOON }
  const settings = {
    'store.synchronous': 'normal',
    'temperature.cold_notify_ttl': '0',
    'temperature.decay_rate': 0.05,
    ...more,
  }
  const memory = await openIn(temporaryFolder(), { now: () => clock.now, settings })
  onTestFinished(() => memory.close())
  const { id } = await memory.write({ payload: 'A note that cools.' })
  const other = await openEngine(memory.path)
  onTestFinished(() => other.close())
  await startClock(other.store)
  const timers = manualTimers()
  memory.startTicker({ onCold: () => undefined, setTimer: timers.setTimer })
  await soon(timers.delays).toHaveLength(1)
  const tick = async (): Promise<void> => {
    clock.now += 33 * HOUR
    timers.fire()
    await soon(timers.delays).toHaveLength(1)
  }
  return { memory, other, id, tick }
}

test('what became cold is known to every process', async () => {
  const { other, id, tick } = await tickingMemory()
  const heard = listen(other)
  expect(await findColdReport(other.store, NOON)).toBeUndefined()
  await tick()
  expect(new Set(await heard.until('cold'))).toEqual(new Set(['tick', 'cold']))
  const at = NOON + 33 * HOUR
  const temperature = expect.closeTo(0.5 * Math.exp(-33 * 0.05), 10)
  expect(await findColdReport(other.store, at)).toEqual({
    at,
    nodes: [{ id, label: 'A note that cools.', file: 'mcp:write', temperature }],
  })
  heard.batches.length = 0
  await tick()
  expect(await heard.until('tick')).not.toContain('cold')
  expect(await findColdReport(other.store, at + 33 * HOUR)).toMatchObject({ at })
})

test('a report can still be read after a while, however often it ticks', async () => {
  const { other, id, tick } = await tickingMemory({ 'temperature.tick_interval': '50ms' })
  await tick()
  const later = NOON + 33 * HOUR + 5000
  expect(await findColdReport(other.store, later)).toMatchObject({ nodes: [{ id }] })
})

test('nothing of a node that is gone stays in a report', async () => {
  const { memory, other, id, tick } = await tickingMemory()
  await tick()
  await memory.forget({ id })
  expect((await findColdReport(other.store, NOON + 33 * HOUR))?.nodes).toEqual([])
  const lease = await other.store.read((tx) => findLease(tx, 'tick', NOON + 33 * HOUR))
  expect(lease?.detail).not.toContain('cools')
})

test('a single tick tells its caller only', async () => {
  const { memory, other } = await tickingMemory()
  await memory.close()
  const settings = { 'temperature.decay_rate': 0.05 } as const
  const later = await openIn(memory.path, { now: () => NOON + 50 * HOUR, settings })
  const heard = listen(other)
  expect((await later.tick()).cold).toHaveLength(1)
  expect(await heard.until('tick')).not.toContain('cold')
  expect(await findColdReport(other.store, NOON + 50 * HOUR)).toBeUndefined()
  await later.close()
})
