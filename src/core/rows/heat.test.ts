import { expect, test } from 'vitest'
import type { HeatClock, HeatRecord } from '../port/heat.ts'
import { coldnessOf } from './coldness.ts'
import { heatNow, ticked, warmed, withHeat } from './heat.ts'

const HOUR_MS = 3_600_000
const clock: HeatClock = { clock: 2, tickedAt: 10 * HOUR_MS, frozen: false, coldBelow: 0.1 }
const record: HeatRecord = {
  key: 1,
  value: 0.5,
  clock: 1,
  pinned: false,
  accesses: 3,
  accessedAt: 5,
  told: false,
  coldness: coldnessOf(0.5, 1),
}
const cooled = 0.5 * Math.exp(-1)

test.each([
  ['cools with the clock', record, cooled],
  ['stays the same if pinned', { ...record, pinned: true }, 0.5],
  ['stays the same if the clock has not moved', { ...record, clock: 2 }, 0.5],
])('heat %s', (_, given, expected) => {
  expect(heatNow(given, clock)).toBe(expected)
})

test.each([
  [
    'a value replaces the heat',
    { value: 0.25 },
    { value: 0.25, pinned: false, coldness: coldnessOf(0.25, 2) },
  ],
  ['a pin keeps the current heat', { pinned: true }, { value: cooled, pinned: true, coldness: null }],
  ['zero is stone-cold', { value: 0 }, { value: 0, coldness: Number.NEGATIVE_INFINITY }],
])('%s', (_, heat, expected) => {
  expect(withHeat(record, heat, clock)).toEqual({ ...record, clock: 2, ...expected })
})

test.each([
  [0.1, cooled + 0.1],
  [5, 1],
])('a read warms by %d, up to 1, and is counted', (by, value) => {
  const after = warmed(record, { by, times: 2, at: 9 }, clock)
  expect(after).toEqual({
    ...record,
    value,
    clock: 2,
    accesses: 5,
    accessedAt: 9,
    coldness: coldnessOf(value, 2),
  })
})

test.each([
  [0.05, true],
  [0.1, false],
])('a reported node that is warmed to %d stays reported: %s', (value, told) => {
  expect(withHeat({ ...record, told: true }, { value }, clock).told).toBe(told)
})

const at = (hours: number) => ({ now: hours * HOUR_MS, ratePerHour: 0.5, enabled: true })

test.each([
  ['time that passed is charged', clock, at(12), { ...clock, clock: 3, tickedAt: 12 * HOUR_MS }, 2],
  ['nothing is charged immediately', clock, at(10), clock, 0],
  ['nothing is charged to a clock that is a little ahead', clock, at(9), clock, 0],
  [
    'a clock that is more than a day ahead is set back',
    { ...clock, tickedAt: 50 * HOUR_MS },
    at(20),
    { ...clock, tickedAt: 20 * HOUR_MS },
    0,
  ],
  [
    'the clock freezes',
    clock,
    { ...at(12), enabled: false },
    { ...clock, tickedAt: 12 * HOUR_MS, frozen: true },
    0,
  ],
  ['frozen time is not charged', { ...clock, frozen: true }, at(12), { ...clock, tickedAt: 12 * HOUR_MS }, 0],
])('%s', (_, before, input, after, hours) => {
  expect(ticked(before, input)).toEqual({ clock: after, hours })
})

test('a frozen clock that stays frozen is not stored again', () => {
  const frozen = { ...clock, frozen: true }
  expect(ticked(frozen, { ...at(12), enabled: false }).clock).toBe(frozen)
})
