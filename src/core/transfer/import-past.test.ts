import { expect, test } from 'vitest'
import type { ImportItem } from './import-items.ts'
import { createPast } from './import-past.ts'

/** The parent of a node at each snapshot, or 'gone'. */
type Place = [snapshotId: number, parentKey: number | null | 'gone']

/** A node with its versions; `now`: its place, if it differs from its newest version. */
function node(key: number, places: Place[], now?: number): ImportItem[] {
  const versions = places.map(([snapshotId, parentKey]): ImportItem => {
    const state = parentKey === 'gone' ? null : ({ parentKey } as never)
    return { kind: 'version', row: { nodeKey: key, snapshotId, op: 'add', state }, digest: null }
  })
  const last = places.at(-1)?.[1] ?? null
  const parentKey = now ?? (last === 'gone' ? null : last)
  return [...versions, { kind: 'node', row: { key, parentKey } as never }]
}

/** A place at each of the snapshots 1, 2, 3. */
function places(...parents: (number | null | 'gone')[]): Place[] {
  return parents.map((parentKey, at) => [at + 1, parentKey])
}

function problemOf(...nodes: ImportItem[][]) {
  const past = createPast()
  for (const item of nodes.flat()) past.take(item)
  return past.problem()
}

test.each([
  ['nothing', []],
  ['a parent that comes first', [node(1, places(null)), node(2, places(1))]],
  ['a parent that comes later', [node(1, places(2)), node(2, places(null))]],
  [
    'a parent that was removed while its child was elsewhere',
    [node(1, places(null, 'gone', null)), node(2, places(1, null, 1))],
  ],
  ['two nodes that change places in one snapshot', [node(1, places(null, 2)), node(2, places(1, null))]],
  ['a past parent that is removed', [node(1, places(null, 'gone')), node(2, places(1, 1, null))]],
])('createPast accepts %s', (_, nodes) => {
  expect(problemOf(...nodes)).toBeUndefined()
})

test('createPast accepts a cycle at a snapshot that is half pruned: the next one has the other half', () => {
  const snapshots = ['00', '', '01'].map((cursorHash, at): ImportItem => {
    return { kind: 'snapshot', row: { id: at + 1, cursorHash } as never }
  })
  const swapped = [
    node(1, [
      [1, null],
      [2, 2],
    ]),
    node(2, [
      [1, 1],
      [3, null],
    ]),
  ]
  expect(problemOf(snapshots, ...swapped)).toBeUndefined()
  expect(problemOf(...swapped)).toEqual({ kind: 'cycle', snapshot: 2 })
})

test('createPast finds a version with a missing parent', () => {
  expect(problemOf(node(1, places(9, null)))).toEqual({ kind: 'lost parent', node: 1 })
})

test.each([
  ['two nodes below each other', [node(1, places(null, 2, null)), node(2, places(1))]],
  ['a node below itself', [node(1, places(null, 1, null))]],
  [
    'a cycle that a later change closes',
    [node(1, places(3, 3, null)), node(2, places(1)), node(3, places(null, 2))],
  ],
])('createPast finds %s, at the first snapshot that has it', (_, nodes) => {
  expect(problemOf(...nodes)).toEqual({ kind: 'cycle', snapshot: 2 })
})

test.each([
  ['came later', places('gone', null)],
  ['was removed in between', places(null, 'gone', null)],
  ['is removed', places(null, 'gone')],
])('createPast finds a node under a parent that %s', (_, parent) => {
  const child = node(2, places(1))
  expect(problemOf(node(1, parent), child)).toEqual({ kind: 'early', node: 2 })
  expect(problemOf(child, node(1, parent))).toEqual({ kind: 'early', node: 2 })
})

test('createPast finds a node whose current parent is missing', () => {
  expect(problemOf(node(1, places(null), 7))).toEqual({ kind: 'early', node: 1 })
})

test('createPast knows which nodes exist after their versions', () => {
  const past = createPast()
  const [version, row] = node(1, places(null)) as [ImportItem, ImportItem]
  past.take(version)
  expect(past.hasNode(1)).toBe(false)
  past.take(row)
  expect(past.hasNode(1)).toBe(true)
})
