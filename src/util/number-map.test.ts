import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createNumberMap } from './number-map.ts'

const keys = fc.oneof(fc.integer({ min: -40, max: 300 }), fc.maxSafeInteger())

test('a number map has the same sums as a Map', () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(keys, fc.integer({ min: -3, max: 3 }))), (steps) => {
      const [map, model] = [createNumberMap(), new Map<number, number>()]
      for (const [key, by] of steps) {
        map.add(key, by)
        model.set(key, (model.get(key) ?? 0) + by)
        expect(map.get(key)).toBe(model.get(key))
      }
      expect(new Map(map.entries())).toEqual(model)
    }),
  )
})

test.each([0.5, Number.NaN, 2 ** 60])('a number map has no value for %s', (key) => {
  const map = createNumberMap()
  map.set(key, 7)
  expect([map.get(key), [...map.entries()]]).toEqual([undefined, []])
})
