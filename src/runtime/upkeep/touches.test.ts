import { expect, onTestFinished, test } from 'vitest'
import { filledDatabase, openEngine } from '../../../test/support/store-database.ts'
import type { Store } from '../../core/port/store.ts'
import { createTouches, type Touches } from './touches.ts'

interface Asked {
  touches: Touches
  /** Batches that are stored. */
  stored(): number
}

/** Touches again while each of the first batches is being stored. */
async function openTouches({ asksAgain }: { asksAgain: number }): Promise<Asked> {
  const engine = await openEngine(await filledDatabase())
  onTestFinished(() => engine.close())
  let stored = 0
  const write: Store['write'] = async (fn, options) => {
    if (stored < asksAgain) touches.touch([1])
    const result = await engine.store.write(fn, options)
    stored++
    return result
  }
  const onError = (error: unknown): never => {
    throw error
  }
  const touches = createTouches({ store: { write }, now: () => 0, boost: () => 0.1, onError })
  return { touches, stored: () => stored }
}

test('settled waits for earlier touches only, even if touches keep arriving', async () => {
  const { touches, stored } = await openTouches({ asksAgain: 20 })
  touches.touch([1, 2])
  await touches.settled()
  expect(stored()).toBe(1)
  while (stored() <= 20) await touches.settled()
  expect(stored()).toBe(21)
})

test('settled waits for touches that arrived while a batch was being stored', async () => {
  const { touches, stored } = await openTouches({ asksAgain: 1 })
  touches.touch([1])
  await touches.settled()
  expect(stored()).toBe(1)
  touches.touch([1, 2])
  await touches.settled()
  expect(stored()).toBe(2)
})

test('settled has nothing to wait for when nothing was asked for', async () => {
  const { touches, stored } = await openTouches({ asksAgain: 0 })
  await touches.settled()
  touches.touch([])
  await touches.settled()
  expect(stored()).toBe(0)
})
