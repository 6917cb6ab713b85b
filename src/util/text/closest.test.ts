import { expect, test } from 'vitest'
import { byNearness, closest, nearest } from './closest.ts'

const KNOWN = ['compile', 'inspect', 'diff', 'delta', 'doctor', 'db', 'config']

test.each([
  ['inspct', 'inspect'],
  ['Compile', 'compile'],
  ['comp', 'compile'],
  ['dif', 'diff'],
  ['docotr', 'doctor'],
  ['dleta', 'delta'],
  ['de', 'delta'],
  ['frobnicate', undefined],
  ['x', undefined],
  ['', undefined],
])('takes %j for %j', (word, meant) => {
  expect(closest(word, KNOWN)).toBe(meant)
})

test.each([
  ['dolta', ['delta']],
  ['dif', ['diff']],
  ['frobnicate', []],
])('the nearest to %j are %j', (word, near) => {
  expect(nearest(word, KNOWN)).toEqual(near)
})

test('a word of a million letters is near to nothing, at once', () => {
  expect(nearest('x'.repeat(1_000_000), KNOWN)).toEqual([])
})

test('words that are almost as near are named too', () => {
  expect(nearest('max_tas', ['max_task', 'max_tasks', 'max_core', 'min_age'])).toEqual([
    'max_task',
    'max_tasks',
  ])
})

test('all words in the order of how near they are, by the nearest of their names', () => {
  const known = [['id', 'node_id', 'anchor'], ['depth'], ['budget']]
  expect(byNearness('dept', known)).toEqual([['depth'], ['id', 'node_id', 'anchor'], ['budget']])
  expect(byNearness('anchors', known)[0]?.[0]).toBe('id')
  expect(byNearness('x'.repeat(1_000_000), known)).toHaveLength(3)
})
