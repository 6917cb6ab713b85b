import { expect, test } from 'vitest'
import { collectWhenIdle } from './small-heap.ts'

test('garbage is collected once after each busy time', () => {
  let look: (() => void) | undefined
  let utilization = 0
  let collected = 0
  const stop = collectWhenIdle({
    setTimer: (work) => {
      look = work
      return () => {
        look = undefined
      }
    },
    utilization: () => utilization,
    collect: () => {
      collected++
    },
  })
  const after = (share: number): number => {
    utilization = share
    look?.()
    return collected
  }
  // The start was a busy time.
  expect([0, 0, 0.5, 0.9, 0.005, 0].map(after)).toEqual([1, 1, 1, 1, 2, 2])
  stop()
  expect(look).toBeUndefined()
})

test('what nobody uses any more is gone then', async () => {
  let look = (): void => undefined
  const stop = collectWhenIdle({
    setTimer: (work) => {
      look = work
      return () => undefined
    },
    utilization: () => 0,
  })
  const garbage = new WeakRef(new Array(1000).fill(0))
  // A target that was made in this turn stays until its end.
  await new Promise(setImmediate)
  look()
  expect(garbage.deref()).toBeUndefined()
  stop()
})
