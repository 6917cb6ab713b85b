import { expect, test } from 'vitest'
import { removalGroups } from './removal-groups.ts'

test.each<[string, number[], number[][]]>([
  ['nothing', [], []],
  ['one document that is too large', [15], [[0]]],
  ['documents that fit together', [4, 6], [[0, 1]]],
  ['documents that do not fit together', [4, 7, 3, 1], [[0], [1, 2], [3]]],
  ['a large one among small ones', [1, 1, 99, 1], [[0, 1], [2], [3]]],
  ['documents without nodes', [0, 0, 10, 0], [[0, 1, 2, 3]]],
])('documents are removed in groups of 10 nodes: %s', (_, nodes, expected) => {
  const rows = nodes.map((_, id) => ({ id }))
  const groups = removalGroups(
    rows,
    nodes.map((count, id) => ({ id, nodes: count })),
    10,
  )
  expect([...groups].map((group) => group.map(({ id }) => id))).toEqual(expected)
})
