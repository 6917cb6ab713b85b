import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createNumberSet } from './number-set.ts'

const numbers = fc.oneof(fc.integer({ min: -40, max: 3000 }), fc.maxSafeInteger())

test('a number set has the same members as a Set', () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(fc.boolean(), numbers)), (steps) => {
      const [set, model] = [createNumberSet(), new Set<number>()]
      for (const [isAdded, value] of steps) {
        if (isAdded) set.add(value)
        else set.delete(value)
        if (isAdded) model.add(value)
        else model.delete(value)
        expect(set.has(value)).toBe(model.has(value))
      }
      expect(set.size()).toBe(model.size)
      expect([...set.values()].toSorted((a, b) => a - b)).toEqual([...model].toSorted((a, b) => a - b))
    }),
  )
})

test.each([0.5, Number.NaN, Number.POSITIVE_INFINITY, 2 ** 60])('a number set rejects %s', (value) => {
  const set = createNumberSet()
  set.add(value)
  expect([set.size(), set.has(value), [...set.values()]]).toEqual([0, false, []])
})
