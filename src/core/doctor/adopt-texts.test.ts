import { expect, test } from 'vitest'
import type { NodeRow } from '../port/rows.ts'
import type { ScannedVersion } from '../port/scan.ts'
import { adopted } from './adopt-texts.ts'

const PLACE = { parentKey: 4, position: 'a1', type: 'text', format: 'plain', links: '[]' } as const
const NODE: NodeRow = {
  ...{ key: 1, id: 'a', documentId: 2, label: 'shown', name: null, tokens: 3, digest: 'd', mark: 5n },
  ...{ ...PLACE, removedIn: null },
}
const version = (snapshotId: number, label: string | null): ScannedVersion => ({
  ...{ ...PLACE, nodeKey: 1, snapshotId, op: 'add', label, textKey: 7 },
})
const snapshots = new Set([1, 2])

test.each([
  ['it has none', [], 'add', null],
  ['its only one is of no snapshot', [version(9, 'own')], 'add', 'own'],
  ['an older one is left', [version(1, 'old'), version(9, 'own')], 'mod', 'own'],
])('a node gets a version that says what it says, where %s', (_, versions, op, label) => {
  expect(adopted(NODE, versions, snapshots)).toEqual({ key: 1, op, state: { ...PLACE, digest: 'd', label } })
})

test('a node without a text gets none', () => {
  expect(adopted({ ...NODE, digest: '' }, [], snapshots)).toBeUndefined()
})
