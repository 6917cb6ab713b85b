import { expect, test } from 'vitest'
import { by, comparePlaces } from './order.ts'

test('by sorts null first, then numbers, then texts by code point', () => {
  const places = ['b', '\u{1f600}', '\uffff', 2, null, 10, Number.NEGATIVE_INFINITY, 'B']
  const sorted = [null, Number.NEGATIVE_INFINITY, 2, 10, 'B', 'b', '\uffff', '\u{1f600}']
  expect(places.toSorted(by((place) => [place]))).toEqual(sorted)
})

test('by decides by the first difference, and puts the shorter list first', () => {
  expect(comparePlaces([1, 'a'], [1, 'b'])).toBeLessThan(0)
  expect(comparePlaces([2, 'a'], [1, 'b'])).toBeGreaterThan(0)
  expect(comparePlaces([1], [1, 0])).toBeLessThan(0)
  expect(comparePlaces([Number.NEGATIVE_INFINITY], [Number.NEGATIVE_INFINITY])).toBe(0)
})
