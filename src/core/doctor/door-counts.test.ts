import { expect, test } from 'vitest'
import { type Counted, corrections, recountingDoors } from './door-counts.ts'

const one = (name: string, count: number, bytes = 0): Counted<{ name: string }> => ({
  name: { name },
  count,
  bytes,
})

test.each([
  ['nothing', [], [], []],
  ['equal counts', [one('a', 2, 5)], [one('a', 2, 5)], []],
  ['a missing count', [one('a', 2, 5)], [], [{ count: 2, bytes: 5, isExpected: true, isStored: false }]],
  [
    'a superfluous count',
    [],
    [one('a', 2, 5)],
    [{ count: -2, bytes: -5, isExpected: false, isStored: true }],
  ],
  [
    'other bytes',
    [one('a', 2, 5)],
    [one('a', 2)],
    [{ count: 0, bytes: 5, isExpected: true, isStored: true }],
  ],
  ['a count of 0', [], [one('a', 0)], [{ count: 0, bytes: 0, isExpected: false, isStored: true }]],
])('%s', (_, expected, stored, changes) => {
  expect(corrections(expected, stored)).toEqual(changes.map((change) => ({ name: { name: 'a' }, ...change })))
})

test('recountingDoors counts keys and tags of the owner like a write', () => {
  const doors = recountingDoors()
  const row = {
    kind: 'key',
    isOwn: true,
    state: 'live',
    ownTextBytes: 0,
    attributes: { tags: ['t'] },
  } as const
  const attributes = { tags: ['t'] }
  doors.count({ ...row, attributes })
  doors.count({ ...row, attributes, isOwn: false })
  doors.count({ ...row, attributes, state: 'removed' })
  const name = { kind: 'key', state: 'live', archived: '', type: '', importance: '', status: '' } as const
  expect(doors.corrections()).toEqual({
    doorCounts: [{ ...name, count: 1, bytes: 0 }],
    tagCounts: [{ kind: 'key', tag: 't', count: 1 }],
  })
  doors.seeClass({ ...name, count: 1, bytes: 0 })
  doors.seeTag({ kind: 'key', tag: 't', count: 3 })
  expect(doors.countWrong()).toBe(2)
  expect(doors.corrections()).toEqual({ doorCounts: [], tagCounts: [{ kind: 'key', tag: 't', count: -2 }] })
})

test('a stored count that is not a number counts as 0', () => {
  const doors = recountingDoors()
  doors.count({ kind: 'key', isOwn: true, state: 'live', ownTextBytes: 0, attributes: { tags: ['t'] } })
  doors.seeTag({ kind: 'key', tag: 't', count: 'x' as unknown as number })
  expect(doors.corrections().tagCounts).toEqual([{ kind: 'key', tag: 't', count: 1 }])
})
