import { expect, test } from 'vitest'
import { DAY_MS } from '../../util/text/duration.ts'
import { isTooLong } from './leases.ts'

test.each<[unknown, boolean]>([
  [0, false],
  [5 + DAY_MS, false],
  [6 + DAY_MS, true],
  ['tomorrow', true],
  [null, true],
])('a lease until %j is held for too long: %s', (expiresAt, expected) => {
  expect(isTooLong({ expiresAt }, 5)).toBe(expected)
})
