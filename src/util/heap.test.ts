import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createHeap } from './heap.ts'

test('a heap returns its items, smallest first', () => {
  fc.assert(
    fc.property(fc.array(fc.integer()), (numbers) => {
      const heap = createHeap<number>((a, b) => a < b)
      for (const number of numbers) heap.push(number)
      expect(heap.items().toSorted((a, b) => a - b)).toEqual(numbers.toSorted((a, b) => a - b))
      const popped = numbers.map(() => heap.pop())
      expect(popped).toEqual(numbers.toSorted((a, b) => a - b))
      expect(heap.pop()).toBeUndefined()
    }),
  )
})

test('a heap accepts items while others are removed', () => {
  const heap = createHeap<number>((a, b) => a > b)
  heap.push(1)
  heap.push(5)
  expect(heap.pop()).toBe(5)
  heap.push(3)
  expect([heap.pop(), heap.pop(), heap.pop()]).toEqual([3, 1, undefined])
})
