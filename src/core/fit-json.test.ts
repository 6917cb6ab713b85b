import { expect, test } from 'vitest'
import { countFitting, fitListed, jsonLength } from './fit-json.ts'

const item = (key: string, value: string | null, tags: string[] = []) => ({ key, value, tags })

test('countFitting counts items from the first, and at least one', () => {
  expect(countFitting(['aa', 'bb', 'cc'], 10)).toBe(2)
  expect(countFitting(['a'.repeat(50), 'b'], 10)).toBe(1)
  expect(countFitting([], 10)).toBe(0)
})

test('fitListed keeps whole values', () => {
  const items = [item('a', 'x'.repeat(50)), item('b', 'y'.repeat(50))]
  const room = jsonLength(items[0]) + 5
  expect(fitListed(items, room)).toEqual([items[0]])
  expect(fitListed(items, 2 * room)).toEqual(items)
})

test('fitListed replaces a value that is too long for any list with its size', () => {
  expect(fitListed([item('a', 'ü'.repeat(500)), item('b', 'y')], 200)).toEqual([
    { ...item('a', ''), value_type: 'text-large', size_bytes: 1000 },
    item('b', 'y'),
  ])
})

test('fitListed leaves out tags that are too long, and counts them', () => {
  const [shown] = fitListed([item('a', 'x', ['t', 'u'.repeat(500)])], 120)
  expect(shown).toMatchObject({ key: 'a', tags: ['t'], tags_left_out: 1 })
  expect(jsonLength(shown)).toBeLessThan(160)
})
