import { expect, test } from 'vitest'
import type { Address } from '../model.ts'
import type { DocumentContents } from '../port/contents.ts'
import type { DocumentNaming } from '../port/links.ts'
import type { NodeRow } from '../port/rows.ts'
import type { StoredDocument, StoredNodeFacts } from '../port/stored.ts'
import type { WriteSet } from '../port/write-set.ts'
import { createKnownDocuments } from './known-documents.ts'

const at = (path: string): Address => ({ kind: 'source', root: 'docs', path })
const document = (address: Address = at('a.md'), id = 1): StoredDocument => ({
  ...{
    id,
    address,
    state: 'live',
    digest: null,
    textDigest: null,
    textBytes: 0,
    userId: null,
    appended: false,
  },
  ...{ attributes: null, revision: 1, createdAt: 0, updatedAt: 0, accesses: 0, accessedAt: null },
})
const node = (key: number, more: Partial<NodeRow> = {}): NodeRow => ({
  ...{ key, id: `n${key}`, documentId: 1, parentKey: null, position: `a${key}`, type: 'text' },
  ...{ format: 'plain', label: '', name: null, tokens: 1, digest: '', links: null, mark: null },
  removedIn: null,
  ...more,
})
const gone = { removedIn: 5, position: '', parentKey: null }

type Change = Partial<DocumentContents> | { put: WriteSet }
const read = (nodes: NodeRow[], names: DocumentContents['names'] = []): Change => {
  return { documents: [document()], nodes: nodes as StoredNodeFacts[], names }
}
const put = (...nodes: NodeRow[]): Change => ({
  put: { nodes: nodes.map((after) => ({ before: null, after })) },
})
const putDocument = (after: StoredDocument, before: StoredDocument | null = null): Change => ({
  put: { documents: [{ before, after }] },
})

const naming = (more: Partial<DocumentNaming> = {}): DocumentNaming => ({
  ...{ documentId: 1, path: 'a.md', root: null, front: [], names: [] },
  ...more,
})

/** What is known about document 1. */
function namingAfter(changes: readonly Change[]): DocumentNaming | undefined {
  const known = createKnownDocuments()
  const none = { documents: [], nodes: [], guests: [], removed: [], links: [], names: [] }
  for (const change of changes) {
    if ('put' in change) known.noteSet(change.put)
    else known.noteContents({ ...none, ...change })
  }
  return known.namingOf(1)
}

test.each<[string, Change[], DocumentNaming | undefined]>([
  ['nothing was read', [], undefined],
  ['it is new and has no nodes', [putDocument(document())], naming()],
  ['its door has no paths', [putDocument(document({ kind: 'note', id: 'n' }))], naming({ path: null })],
  ['it is new', [putDocument(document()), put(node(1))], naming({ root: 1 })],
  ['it is changed without being read', [putDocument(document(), document()), put(node(1))], undefined],
  ['it was read', [read([node(1)])], naming({ root: 1 })],
  [
    'it has names',
    [read([node(1)], [{ documentId: 1, name: 'a', isAlias: false }])],
    naming({ root: 1, names: [{ name: 'a', isAlias: false }] }),
  ],
  ['it begins with the first root', [read([node(2), node(1), node(3)])], naming({ root: 1 })],
  [
    'the first of two at the same place counts',
    [read([node(2, { position: 'a' }), node(1, { position: 'a' })])],
    naming({ root: 1 }),
  ],
  ['a child is not a root', [read([node(1, { parentKey: 2 }), node(2)])], naming({ root: 2 })],
  ['a node hidden by an overlay is not a root', [read([node(1, gone), node(2)])], naming({ root: 2 })],
  ['a root is put before', [read([node(2)]), put(node(1))], naming({ root: 1 })],
  ['its first root is removed', [read([node(1), node(2)]), put(node(1, gone))], naming({ root: 2 })],
  ['all of it is removed', [read([node(1)]), put(node(1, gone))], naming()],
  [
    'a root goes below another',
    [read([node(1), node(2)]), put(node(1, { parentKey: 2 }))],
    naming({ root: 2 }),
  ],
  ['roots change places', [read([node(1), node(2)]), put(node(1, { position: 'a9' }))], naming({ root: 2 })],
  [
    'it is renamed',
    [read([node(1)]), putDocument(document(at('b.md')), document())],
    naming({ path: 'b.md', root: 1 }),
  ],
  ['it has front matter', [read([node(1, { type: 'preamble' }), node(2)])], undefined],
  ['front matter is added', [read([node(2)]), put(node(1, { type: 'preamble' }))], undefined],
  [
    'front matter is removed',
    [read([node(1, { type: 'preamble' }), node(2)]), put(node(1, { ...gone, type: 'preamble' }))],
    naming({ root: 2 }),
  ],
  [
    'nodes of other documents are added',
    [read([node(2)]), put(node(1, { documentId: 7 }))],
    naming({ root: 2 }),
  ],
])('known names and first node of a document: %s', (_, changes, expected) => {
  const found = namingAfter(changes)
  const names = found?.names.map(({ name, isAlias }) => ({ name, isAlias }))
  expect(found && { ...found, names }).toEqual(expected)
})

test('known documents include changes before and after a lookup', () => {
  const known = createKnownDocuments()
  known.noteSet({ documents: [{ before: null, after: document() }] })
  known.noteSet({ nodes: [{ before: null, after: node(2) }] })
  expect(known.namingOf(1)).toEqual(naming({ root: 2 }))
  known.noteSet({ nodes: [{ before: null, after: node(1) }] })
  expect(known.namingOf(1)).toEqual(naming({ root: 1 }))
})

test('cleared known documents know nothing', () => {
  const known = createKnownDocuments()
  known.noteSet({ documents: [{ before: null, after: document() }] })
  known.clear()
  expect(known.namingOf(1)).toBeUndefined()
})
