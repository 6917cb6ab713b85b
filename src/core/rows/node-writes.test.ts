import { expect, test } from 'vitest'
import { indexRow } from '../find/query/index-row.ts'
import type { NodeState } from '../model.ts'
import type { StoredNodeFacts } from '../port/stored.ts'
import { coldnessOf, INITIAL_HEAT } from './coldness.ts'
import { nodeWrites } from './node-writes.ts'
import type { NodeChange } from './plan.ts'

const FACTS = { snapshotId: 7, heatClock: 3 }
const heat = {
  ...{ key: 1, value: 0.8, clock: 1, pinned: false, accesses: 2, accessedAt: 4, told: false },
  coldness: coldnessOf(0.8, 1),
}
const live: StoredNodeFacts = {
  ...{ key: 1, id: 'a', documentId: 9, parentKey: null, position: 'a0', type: 'heading', format: 'plain' },
  ...{ label: 'Plan', name: 'plan', tokens: 2, digest: 'd1', links: null, mark: 5n, removedIn: null },
  ...{ text: 'Plan', heat, overlay: null, parentId: null },
}
const gone: StoredNodeFacts = {
  ...live,
  ...{ position: '', label: '', name: null, tokens: 0, digest: '', mark: null, removedIn: 6, text: null },
  heat: { ...heat, coldness: null },
}

function put(
  op: 'add' | 'mod',
  text: string,
  other: Partial<Extract<NodeChange, { op: 'add' | 'mod' }>> = {},
) {
  const place = { parentKey: null, position: 'a0', label: null, links: null }
  const state: NodeState = { ...place, type: 'heading', format: 'plain', digest: `of ${text}` }
  const words = indexRow({ type: 'heading', label: text, text })
  return {
    op,
    key: 1,
    id: 'a',
    documentId: 9,
    state,
    text,
    label: text,
    tokens: 1,
    words,
    mark: 8n,
    ...other,
  }
}

const DEPLOYS = indexRow({ type: 'heading', label: 'Deploys', text: 'Deploys' })

const writesOf = (changes: NodeChange[], before: StoredNodeFacts[] = []) =>
  nodeWrites(changes, new Map(before.map((node) => [node.key, node])), FACTS)

test('a new node is counted, indexed, found by its name and neither warm nor cold', () => {
  const writes = writesOf([put('add', 'Deploys')])
  expect(writes).toMatchObject({
    nodes: [{ before: null, after: { name: 'deploys', mark: 8n, removedIn: null } }],
    versions: { put: [{ key: 1, snapshotId: 7, op: 'add', state: { digest: 'of Deploys' } }] },
    texts: [{ digest: 'of Deploys', text: 'Deploys', by: 1 }],
    index: [{ key: 1, before: null, after: DEPLOYS }],
    heat: [{ key: 1, isNew: true, value: INITIAL_HEAT, clock: 3, coldness: coldnessOf(INITIAL_HEAT, 3) }],
    digest: 8n,
  })
  expect([...writes.counters]).toEqual([
    ['nodes', 1],
    ['nodes.heading', 1],
    ['tokens', 1],
  ])
})

test('a changed node releases its old words, tokens and mark', () => {
  const writes = writesOf([put('mod', 'Deploys')], [live])
  expect(writes.index).toEqual([{ key: 1, before: indexRow(live as never), after: DEPLOYS }])
  expect(writes.digest).toBe(3n)
  expect(writes.counters.get('nodes')).toBe(0)
  expect(writes.counters.get('tokens')).toBe(-1)
  expect(writes.heat).toEqual([])
})

test('a node that only moves keeps its words and refers to its text once more', () => {
  const writes = writesOf([put('mod', 'Plan', { text: null, words: null })], [live])
  expect(writes.index).toEqual([])
  expect(writes.texts).toEqual([{ digest: 'of Plan', text: null, by: 1 }])
})

test('a removed node leaves nothing but its id, and does not cool', () => {
  const writes = writesOf([{ op: 'rem', key: 1 }], [live])
  expect(writes.nodes[0]?.after).toEqual({
    ...{ key: 1, id: 'a', documentId: 9, type: 'heading', format: 'plain', parentKey: null, position: '' },
    ...{ label: '', name: null, tokens: 0, digest: '', links: null, mark: null, removedIn: 7 },
  })
  expect(writes).toMatchObject({ texts: [], versions: { put: [{ op: 'rem', state: null }] }, digest: -5n })
  expect(writes.heat).toEqual([{ ...heat, isNew: false, coldness: null }])
})

test.each([
  [false, coldnessOf(0.8, 1)],
  [true, null],
])('a restored node has its previous heat; pinned: %s', (pinned, coldness) => {
  const before = { ...gone, heat: { ...gone.heat, pinned } }
  const writes = writesOf([put('add', 'Plan')], [before])
  expect(writes.heat).toEqual([{ ...before.heat, isNew: false, coldness }])
  expect(writes.index).toMatchObject([{ before: null }])
  expect(writes.counters.get('nodes')).toBe(1)
})

test('two nodes with one text refer to it twice', () => {
  const writes = writesOf([put('add', 'Same'), put('add', 'Same', { key: 2, id: 'b' })])
  expect(writes.texts).toEqual([{ digest: 'of Same', text: 'Same', by: 2 }])
})

test.each([
  ['unknown', []],
  ['removed', [gone]],
])('an %s node cannot be removed', (_, before) => {
  expect(() => writesOf([{ op: 'rem', key: 1 }], before as StoredNodeFacts[])).toThrow('does not exist')
})
