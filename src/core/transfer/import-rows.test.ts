import { expect, test } from 'vitest'
import { contentDigest } from '../../util/text/hash.ts'
import { nodeMark } from '../digest.ts'
import { tagWord } from '../find/query/tags.ts'
import { coldnessOf } from '../rows/coldness.ts'
import type { ImportItem, ImportNode } from './import-items.ts'
import { importedRows } from './import-rows.ts'
import type { TransferDocument } from './transfer-rows.ts'

type ImportedState = NonNullable<ImportNode['current']>['state']

const hash = (text: string): bigint => BigInt(text.length)
const heat = { value: 0.5, clock: 2, pinned: false, accesses: 3, accessedAt: 4, told: true }
const state: ImportedState = {
  ...{ position: 'a0', type: 'heading', format: 'plain' },
  ...{ label: null, digest: 'd', links: null },
}
const words = { label: 'plan', body: '' }

function node(more: Partial<ImportNode> = {}): ImportItem {
  const current = { state, label: 'Plan', tokens: 2, words }
  const where = { key: 3, id: 'c', documentId: 1, parentKey: null, removed: null }
  return { kind: 'node', row: { ...where, heat, overlay: null, links: [], current, ...more } }
}
const REMOVED = { removed: { in: 7, type: 'list', format: 'toon' }, current: null } as const

const rowsOf = (items: ImportItem[], ids: [number, string][] = []) =>
  importedRows(items, { hash, ids: new Map(ids), nextLinkId: 40 })

test('an imported live node is counted, indexed, found by its name, and cools', () => {
  const { set, digest, unmarked } = rowsOf([node()])
  const mark = nodeMark(hash, 'c', null, state)
  expect(set).toMatchObject({
    nodes: [{ before: null, after: { key: 3, name: 'plan', digest: 'd', mark, removedIn: null } }],
    index: [{ key: 3, before: null, after: words }],
    heat: [{ key: 3, isNew: true, ...heat, coldness: coldnessOf(0.5, 2) }],
  })
  expect([...(set.counters ?? [])]).toEqual([
    ['nodes', 1],
    ['nodes.heading', 1],
    ['tokens', 2],
  ])
  expect([digest, unmarked.size]).toEqual([mark, 0])
})

test('an imported removed node has only its id, and is neither counted nor indexed', () => {
  const { set, digest } = rowsOf([node(REMOVED)])
  expect(set).toMatchObject({
    nodes: [{ after: { id: 'c', type: 'list', format: 'toon', label: '', digest: '', removedIn: 7 } }],
    heat: [{ coldness: null }],
    index: [],
  })
  expect([set.counters?.size, digest]).toEqual([0, 0n])
})

test('an imported pinned node does not cool', () => {
  const { set } = rowsOf([node({ heat: { ...heat, pinned: true } })])
  expect(set.heat).toMatchObject([{ pinned: true, coldness: null }])
})

test('an imported node has no mark before its parent is known, but is counted', () => {
  const own = { ...state, label: 'own' }
  const item = node({ parentKey: 9, current: { state: own, label: 'own', tokens: 2, words } })
  const late = rowsOf([item])
  expect(late.set.nodes).toMatchObject([{ after: { parentKey: 9, mark: null } }])
  expect(late.set.counters?.get('nodes')).toBe(1)
  expect([late.digest, [...late.unmarked]]).toEqual([0n, [[3, 'own']]])
  const known = rowsOf([item], [[9, 'parent']])
  expect(known.digest).toBe(nodeMark(hash, 'c', 'parent', own))
  expect(known.unmarked.size).toBe(0)
})

test('an imported text is referenced by each version and document that has it', () => {
  const said = { parentKey: null, position: 'a0', type: 'text', format: 'plain', label: null, links: null }
  const digest = contentDigest('one')
  const version = (nodeKey: number): ImportItem => ({
    kind: 'version',
    row: { nodeKey, snapshotId: 7, op: 'add', state: { ...said, text: 'one' } as never },
    digest,
  })
  const gone = { nodeKey: 2, snapshotId: 8, op: 'rem', state: null } as const
  const { set } = rowsOf([
    record('one'),
    version(1),
    version(2),
    { kind: 'version', row: gone, digest: null },
  ])
  expect(set.texts).toEqual([{ digest, text: 'one', by: 3 }])
  expect(set.versions?.put).toMatchObject([
    { key: 1, snapshotId: 7, op: 'add', state: { digest } },
    { key: 2, snapshotId: 7 },
    { key: 2, snapshotId: 8, op: 'rem', state: null },
  ])
})

function record(text: string, more: Partial<TransferDocument> = {}): ImportItem {
  const door = {
    attributes: { tags: ['a'], archived: false },
    appended: false,
    accesses: 5,
    accessedAt: null,
  }
  const address = { kind: 'record', id: 'r' } as const
  const row = { id: 1, address, state: 'live', digest: null, text, door } as const
  return { kind: 'document', row: { ...row, revision: 1, createdAt: 1, updatedAt: 1, ...more } }
}

test('an imported record is counted by its attributes, with its bytes and tags', () => {
  const { set } = rowsOf([record('é')])
  expect(set.doorCounts).toMatchObject([{ kind: 'record', state: 'live', archived: 0, count: 1, bytes: 2 }])
  expect(set.tagCounts).toEqual([{ kind: 'record', tag: 'a', count: 1 }])
  expect(set.tags).toEqual([{ documentId: 1, tags: [{ tag: 'a', word: tagWord('a') }] }])
  const gone = rowsOf([record('é', { state: 'removed' })]).set
  expect(gone).toMatchObject({ doorCounts: [], tagCounts: [], tags: [] })
})

test('imported accesses without a time are dropped', () => {
  const { set } = rowsOf([record('one')])
  expect(set.documents).toMatchObject([{ before: null, after: { accesses: 0, accessedAt: null } }])
})

test('an imported piece of a text is a version with the white space around it', () => {
  const door = { attributes: null, lead: '\n', trail: null }
  const row = { documentId: 1, snapshotId: 7, state: 'live', digest: null } as const
  const { set } = rowsOf([{ kind: 'documentVersion', row: { ...row, text: 'more', door } }])
  const textDigest = contentDigest('more')
  expect(set.documentVersions?.put).toEqual([{ ...row, textDigest, ...door }])
})

test('imported links that redaction made equal are one; those of a removed node are asleep', () => {
  const link = { label: 'A', weight: 1, source: '', id: '', createdAt: 1 }
  const { set } = rowsOf([
    node({ links: [link, link] }),
    node({ key: 4, id: 'd', ...REMOVED, links: [link] }),
  ])
  expect(set.links?.put).toMatchObject([
    { id: 40, sourceKey: 3, origin: 'manual', name: 'a', targetKey: null, asleep: false, createdAt: 1 },
    { id: 41, sourceKey: 4, asleep: true },
  ])
  expect(set.counters?.get('relations_pending')).toBe(1)
})
