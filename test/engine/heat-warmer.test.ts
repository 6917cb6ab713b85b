import { expect, onTestFinished, test } from 'vitest'
import type { NodeName } from '../../src/core/port/heat.ts'
import { createWarmer, type WarmerInput } from '../../src/runtime/upkeep/warmer.ts'
import { addDocument, note } from '../support/store-changes.ts'
import { filledDatabase, openEngine } from '../support/store-database.ts'
import { manualTimers } from '../support/timers.ts'

async function warmed(options: Partial<WarmerInput> = {}) {
  const engine = await openEngine(await filledDatabase())
  onTestFinished(() => engine.close())
  const { nodes } = await addDocument(
    engine.store,
    note('warm'),
    ['a', 'b', 'c'].map((id) => ({ id, text: id })),
  )
  const keys = nodes.map(({ key }) => key)
  const ids = nodes.map(({ id }) => ({ id })) as [NodeName, NodeName, NodeName]
  const timers = manualTimers()
  const errors: unknown[] = []
  const warmer = createWarmer({
    store: engine.store,
    now: () => 0,
    onError: (error) => errors.push(error),
    setTimer: timers.setTimer,
    ...options,
  })
  const heat = async () =>
    (await engine.store.read((tx) => tx.nodes({ keys }, 'heat'))).map(({ value, accesses }) => ({
      value,
      accesses,
    }))
  return { engine, ids, timers, errors, warmer, heat }
}

test('stores in one batch what many reads warmed, within half a second', async () => {
  const { ids, timers, warmer, heat, engine } = await warmed()
  const [a, b] = ids
  const head = (await engine.store.read((tx) => tx.state())).head
  const stored = warmer.warm([a, b], 0.125)
  expect(warmer.warm([a], 0.0625)).toBe(stored)
  expect(timers.delays()).toEqual([500])
  expect(await heat()).toEqual(ids.map(() => ({ value: 0.5, accesses: 0 })))
  timers.fire()
  await stored
  expect(await heat()).toEqual([
    { value: 0.6875, accesses: 2 },
    { value: 0.625, accesses: 1 },
    { value: 0.5, accesses: 0 },
  ])
  expect((await engine.store.read((tx) => tx.state())).head).toEqual(head)
})

test('a flush takes along what waits, and nothing waits after it', async () => {
  const { ids, timers, warmer, heat } = await warmed()
  warmer.warm(ids, 0.125)
  await warmer.flush()
  expect(timers.delays()).toEqual([])
  expect((await heat()).map(({ accesses }) => accesses)).toEqual([1, 1, 1])
  await warmer.flush()
  expect((await heat()).map(({ accesses }) => accesses)).toEqual([1, 1, 1])
  warmer.warm(ids, 0.125)
  expect(timers.delays()).toEqual([500])
})

test('warming nothing sets no timer', async () => {
  const { timers, warmer } = await warmed()
  await warmer.warm([], 0.15)
  expect(timers.delays()).toEqual([])
})

test('what cannot be stored is told and dropped; the read does not notice', async () => {
  const { engine, ids, timers, errors, warmer } = await warmed()
  await engine.close()
  warmer.warm(ids, 0.15)
  timers.fire()
  await warmer.flush()
  expect(errors).toHaveLength(1)
  await warmer.flush()
  expect(errors).toHaveLength(1)
})

test('holds no more nodes than it may', async () => {
  const { ids, warmer, heat } = await warmed({ maxNodes: 2 })
  warmer.warm(ids, 0.125)
  warmer.warm(ids, 0.125)
  await warmer.flush()
  expect((await heat()).map(({ accesses }) => accesses)).toEqual([2, 2, 0])
})
