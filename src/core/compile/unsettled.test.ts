import { expect, test } from 'vitest'
import { isUnsettled } from './unsettled.ts'

const LOOK = { scannedAt: 1_000_000, settleMs: 500 }

/** Times relative to the look, in milliseconds. */
const file = (modified: number, changed = modified) => ({
  path: 'a.md',
  sizeBytes: 1,
  inode: '1',
  modifiedAt: (LOOK.scannedAt + modified) * 1000,
  changedAt: (LOOK.scannedAt + changed) * 1000,
})

test.each([
  ['just now', file(0), true],
  ['less than the time ago', file(-499), true],
  ['as long ago as that', file(-500), false],
  ['long ago, and renamed just now', file(-9000, 0), false],
  ['by a clock a little ahead', file(1500), true],
  ['in the future, set just now', file(9_000_000, 0), true],
  ['in the future, set long ago', file(9_000_000, -9000), false],
  ['in the future by every clock', file(9_000_000, 9_000_000), false],
])('modified %s', (_when, listed, expected) => {
  expect(isUnsettled(listed, LOOK)).toBe(expected)
})

test('with nothing to wait for, only a clock ahead leaves a file', () => {
  expect(isUnsettled(file(0), { ...LOOK, settleMs: 0 })).toBe(false)
})
