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
  ['it has no version', [], 'add', null],
  ['its only version has no snapshot', [version(9, 'own')], 'add', 'own'],
  ['an older version is left', [version(1, 'old'), version(9, 'own')], 'mod', 'own'],
])('adoptTexts gives a node a version with its text if %s', (_, versions, op, label) => {
  expect(adopted(NODE, versions, snapshots)).toEqual({ key: 1, op, state: { ...PLACE, digest: 'd', label } })
})

test('adoptTexts gives a node without a text no version', () => {
  expect(adopted({ ...NODE, digest: '' }, [], snapshots)).toBeUndefined()
})
