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
])('closest to %j is %j', (word, meant) => {
  expect(closest(word, KNOWN)).toBe(meant)
})

test.each([
  ['dolta', ['delta']],
  ['dif', ['diff']],
  ['frobnicate', []],
])('nearest to %j are %j', (word, near) => {
  expect(nearest(word, KNOWN)).toEqual(near)
})

test('closest finds nothing for a word of a million letters, in time', () => {
  expect(nearest('x'.repeat(1_000_000), KNOWN)).toEqual([])
})

test('nearest includes words that are almost as near', () => {
  expect(nearest('max_tas', ['max_task', 'max_tasks', 'max_core', 'min_age'])).toEqual([
    'max_task',
    'max_tasks',
  ])
})

test('byNearness sorts all words by the nearest of their names', () => {
  const known = [['id', 'node_id', 'anchor'], ['depth'], ['budget']]
  expect(byNearness('dept', known)).toEqual([['depth'], ['id', 'node_id', 'anchor'], ['budget']])
  expect(byNearness('anchors', known)[0]?.[0]).toBe('id')
  expect(byNearness('x'.repeat(1_000_000), known)).toHaveLength(3)
})
