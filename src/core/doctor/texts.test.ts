import { expect, test } from 'vitest'
import { referenceChange, textReferenceCheck } from './texts.ts'

test.each<[unknown, number, number | undefined]>([
  [2, 2, undefined],
  [1, 3, 2],
  [5, 3, -2],
  [0, 3, 3],
  [-2, 3, 5],
  ['x', 3, 3],
  [4, 0, -4],
  [0, 0, 0],
  [-4, 0, 0],
])('corrects a reference count of %j to %i', (references, count, by) => {
  const change = referenceChange({ digest: 'd', references }, count)
  expect(change).toEqual(by === undefined ? undefined : { digest: 'd', text: null, by })
})

test('references of versions, documents and their versions are counted, except to missing texts', () => {
  const { see, findings } = textReferenceCheck()
  const texts = { 1: 3, 2: 1, 3: 0, 4: 2 }
  for (const [key, references] of Object.entries(texts))
    see.texts?.({ key: Number(key), references, digest: '', text: '' })
  const version = { op: 'add', parentKey: null, position: '', type: 'text', format: 'plain' } as const
  const node = { ...version, nodeKey: 1, snapshotId: 1, label: null, links: null }
  const document = { documentId: 1, snapshotId: 1, state: 'live', digest: null, attributes: null } as const
  for (const textKey of [1, 1, null, 99]) see.versions?.({ ...node, textKey })
  for (const textKey of [1, 4]) see.documentVersions?.({ ...document, lead: null, trail: null, textKey })
  // 2 has no reference, 3 neither, and 4 has only one.
  expect(findings.text_refs?.().detail).toBe('3 texts have a wrong reference count')
})
