import { expect, test } from 'vitest'
import type { StoredDocument } from '../port/stored.ts'
import { documentWrites } from './documents.ts'

const stored: StoredDocument = {
  ...{
    id: 1,
    address: { kind: 'key', key: 'k' },
    state: 'live',
    digest: 'd1',
    textDigest: 'd1',
    textBytes: 0,
    userId: null,
  },
  ...{
    appended: false,
    attributes: {},
    revision: 1,
    createdAt: 1,
    updatedAt: 1,
    accesses: 0,
    accessedAt: null,
  },
}
const next: StoredDocument = { ...stored, digest: 'd2', textDigest: 'd2', revision: 2 }

test('a new text is referred to by the document and by its version', () => {
  const { texts, documentVersions } = documentWrites(
    [{ before: null, after: stored, text: 'one' }],
    7,
    new Map(),
  )
  expect(texts).toEqual([{ digest: 'd1', text: 'one', by: 2 }])
  expect(documentVersions?.put).toMatchObject([
    { documentId: 1, snapshotId: 7, textDigest: 'd1', lead: null },
  ])
})

test('a text that is replaced loses the reference of the document and keeps that of its version', () => {
  const { texts } = documentWrites([{ before: stored, after: next, text: 'two' }], 7, new Map())
  expect(texts).toEqual([
    { digest: 'd2', text: 'two', by: 2 },
    { digest: 'd1', text: null, by: -1 },
  ])
})

test('a second change in one snapshot replaces the version of the first', () => {
  const versioned = new Map<number, string | null>()
  documentWrites([{ before: null, after: stored, text: 'one' }], 7, versioned)
  const { texts, documentVersions } = documentWrites(
    [{ before: stored, after: next, text: 'two' }],
    7,
    versioned,
  )
  expect(documentVersions).toMatchObject({
    put: [{ textDigest: 'd2' }],
    remove: [{ documentId: 1, snapshotId: 7 }],
  })
  expect(texts).toEqual([
    { digest: 'd2', text: 'two', by: 2 },
    { digest: 'd1', text: null, by: -2 },
  ])
})

test('a change that keeps the text refers to it once more, for its version', () => {
  const after = { ...stored, attributes: { tags: ['a'] }, revision: 2 }
  const { texts } = documentWrites([{ before: stored, after, text: 'one' }], 7, new Map())
  expect(texts).toEqual([{ digest: 'd1', text: 'one', by: 1 }])
})

test('an appended piece is a version, with attributes only if they changed', () => {
  const piece = { lead: '\n', text: 'more', digest: 'd3', trail: '' }
  const after = { ...stored, digest: null, textDigest: null, appended: true, revision: 2 }
  const { texts, documentVersions } = documentWrites([{ before: stored, after, piece }], 7, new Map())
  expect(documentVersions?.put).toEqual([
    {
      ...{ documentId: 1, snapshotId: 7, state: 'live', digest: null, textDigest: 'd3' },
      ...{ attributes: null, lead: '\n', trail: null },
    },
  ])
  expect(texts).toEqual([
    { digest: 'd1', text: null, by: -1 },
    { digest: 'd3', text: 'more', by: 1 },
  ])
})

test('documents of files on disk have no versions', () => {
  const file = { ...stored, address: { kind: 'source', root: '.', path: 'a.md' } as const, textDigest: null }
  expect(documentWrites([{ before: null, after: file }], 7, new Map()).documentVersions?.put).toEqual([])
})
