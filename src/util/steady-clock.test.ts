import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createSteadyClock } from './steady-clock.ts'

test('a steady clock follows its clock, unless that goes back', () => {
  let [wall, ticks] = [1000, 0]
  const now = createSteadyClock(
    () => wall,
    () => ticks,
  )
  const at = (newWall: number, newTicks: number): number => {
    ;[wall, ticks] = [newWall, newTicks]
    return now()
  }
  expect(at(1000, 0)).toBe(1000)
  expect(at(5000, 10)).toBe(5000)
  // Set back by an hour: time continues from where it was.
  expect(at(-3_595_000, 10.4)).toBe(5000)
  expect(at(-3_594_000, 1010.9)).toBe(6000)
  expect(at(-3_593_999, 1011.1)).toBe(6001)
  expect(at(5999, 1011.1)).toBe(6001)
  // It has caught up.
  expect(at(7000, 1500)).toBe(7000)
  expect(at(7000, 9999)).toBe(7000)
})

test('a steady clock never goes back', () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(fc.integer(), fc.nat({ max: 5000 }))), (steps) => {
      let [wall, ticks] = [0, 0]
      const now = createSteadyClock(
        () => wall,
        () => ticks,
      )
      let before = now()
      for (const [time, passed] of steps) {
        wall = time
        ticks += passed / 10
        const next = now()
        expect(next).toBeGreaterThanOrEqual(Math.max(before, time))
        before = next
      }
    }),
  )
})
