import { expect, test } from 'vitest'
import { byAddress, shownName } from '../address.ts'
import type { Address } from '../model.ts'
import type { DocumentPage, DocumentQuery } from '../port/documents.ts'
import type { StoredDocument } from '../port/stored.ts'
import { bySort, fitsQuery } from './document-query.ts'

function document(more: Partial<StoredDocument> = {}): StoredDocument {
  const content = {
    digest: null,
    textDigest: null,
    textBytes: 0,
    userId: null,
    appended: false,
    attributes: {},
  }
  const times = { createdAt: 10, updatedAt: 20, accesses: 0, accessedAt: null }
  const address = { kind: 'key', key: 'name' } as const
  return { id: 1, address, state: 'live', revision: 1, ...content, ...times, ...more }
}
const MEMORY = { node: 'm', scope: 'global', thread: '' } as const
const file = (path: string): Address => ({ kind: 'file', ...MEMORY, path })

test.each<[string, Partial<StoredDocument>, Partial<DocumentQuery>, boolean]>([
  ['its kind', {}, { kind: 'record' }, false],
  ['its state', { state: 'erased' }, {}, false],
  ['one of the states', { state: 'erased' }, { states: ['live', 'erased'] }, true],
  ['its name', {}, { name: 'name' }, true],
  ['another name', {}, { name: 'na' }, false],
  ['a name after another', {}, { after: { name: 'name' } }, false],
  ['a folder', { address: file('/a/b') }, { kind: 'file', memory: MEMORY, under: '/a' }, true],
  ['not the folder itself', { address: file('/a') }, { kind: 'file', memory: MEMORY, under: '/a' }, false],
  ['all tags', { attributes: { tags: ['a', 'b'] } }, { tags: ['a', 'b'] }, true],
  ['all tags', { attributes: { tags: ['a'] } }, { tags: ['a', 'b'] }, false],
  ['a value', { attributes: { archived: true } }, { where: [{ attribute: 'archived', in: [true] }] }, true],
  ['no value', {}, { where: [{ attribute: 'archived', in: [false, null] }] }, true],
  ['an empty text is a value', {}, { where: [{ attribute: 'type', in: [''] }] }, false],
  ['a client', { attributes: { client: 'a' } }, { where: [{ attribute: 'client', in: ['b'] }] }, false],
  ['not expired yet', { attributes: { expires_at: 5 } }, { notExpiredAt: 4 }, true],
  ['expired', { attributes: { expires_at: 5 } }, { notExpiredAt: 5 }, false],
  ['a document that never expires', {}, { expiredAt: 5 }, false],
  ['since', {}, { since: { at: 15, any: ['created', 'updated'] } }, true],
  ['since an event that did not happen', {}, { since: { at: 0, any: ['completed_at'] } }, false],
  ['until', {}, { until: { at: 15, all: ['created', 'updated'] } }, false],
  ['an accessed document', {}, { wasAccessed: true }, false],
])('a document query selects by %s', (_, given, query, expected) => {
  expect(fitsQuery(document(given), { kind: 'key', ...query })).toBe(expected)
})

test.each<[DocumentPage['sort'], number[]]>([
  [[], [1, 2, 3]],
  [[{ by: 'id', descending: true }], [3, 2, 1]],
  [[{ by: 'importance', descending: true }], [3, 2, 1]],
  [[{ by: 'expires_at' }], [1, 2, 3]],
  [[{ by: 'created', descending: true }], [3, 2, 1]],
])('documents are sorted by %j, then in order of creation', (sort, expected) => {
  const documents = [
    document({ id: 3, attributes: { importance: 'high', expires_at: 9 } }),
    document({ id: 1, attributes: { importance: 'low' } }),
    document({ id: 2, attributes: { importance: 'high', expires_at: 8 } }),
  ]
  expect(documents.sort(bySort(sort)).map(({ id }) => id)).toEqual(expected)
})

test('byAddress sorts in the order of an outline', () => {
  const addresses: Address[] = [
    { kind: 'source', root: 'a', path: 'z' },
    { kind: 'source', root: 'b', path: 'a' },
    file('/a'),
    { kind: 'key', key: 'k' },
    { kind: 'note', id: 'n' },
    { kind: 'record', id: 'r' },
  ]
  expect(addresses.toReversed().sort(byAddress)).toEqual(addresses)
  expect(addresses.map(shownName)).toEqual(['z', 'a', 'file:m/a', 'key:k', 'mcp:write', 'record:r'])
})
