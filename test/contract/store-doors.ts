import { expect, test } from 'vitest'
import type { Address } from '../../src/core/model.ts'
import type { DocumentQuery } from '../../src/core/port/documents.ts'
import type { Attributes, DoorDocument, TextPiece } from '../../src/core/port/doors.ts'
import type { Store } from '../../src/core/port/store.ts'
import { setHeat, touchDocuments } from '../../src/core/rows/heat.ts'
import { differingDocuments, documentsSince } from '../../src/core/rows/restore-documents.ts'
import { documentAt, pageAndTotal, totalOf } from '../../src/core/write/documents.ts'
import { contentDigest } from '../../src/util/text/hash.ts'
import { healthOf } from '../support/health.ts'
import { addDocument, commit, documentText, source } from '../support/store-changes.ts'
import { writing } from '../support/writing.ts'
import type { Capabilities, OpenEmpty } from './store.ts'

const key = (name: string): Address => ({ kind: 'key', key: name })
const record = (id: string): Address => ({ kind: 'record', id })

const piece = (text: string, lead = '\n', trail = ''): TextPiece => ({
  lead,
  text,
  digest: contentDigest(text),
  trail,
})

async function put(store: Store, address: Address, text: string | null, attributes: Attributes, at = 1000) {
  const { value } = await commit(store, (tx, id) =>
    tx.putDocuments([{ address, text, digest: contentDigest(text ?? ''), attributes, at }], id),
  )
  return (value as { id: number }[])[0]?.id ?? 0
}

const append = (store: Store, documentId: number, given: TextPiece, attributes: Attributes = {}) =>
  commit(store, (tx, snapshotId) =>
    tx.appendText({ documentId, piece: given, attributes, at: 2000, snapshotId }),
  )

const find = (store: Store, address: Address): Promise<DoorDocument | undefined> =>
  store.read((tx) => documentAt(tx, address, 'whole'))

async function names(
  store: Store,
  query: DocumentQuery,
  sort: Parameters<typeof page>[0] = [{ by: 'name' }],
) {
  const rows = await store.read((tx) => tx.documents(query, 'whole', page(sort)))
  expect((await store.read((tx) => totalOf(tx, query))).count).toBe(rows.length)
  for (const limits of [{ limit: 100 }, { limit: 1 }, { limit: 1, offset: 1 }, { limit: 1, offset: 99 }]) {
    const found = await store.read((tx) => pageAndTotal(tx, query, 'whole', { sort, ...limits }))
    const { limit, offset = 0 } = limits
    const shown = rows.slice(offset, offset + limit)
    expect(found).toEqual({
      documents: shown.map((row) => ({ ...row, total: rows.length })),
      total: rows.length,
    })
  }
  return rows.map(({ address }) => Object.values(address).at(-1))
}
const page = (sort: { by: 'name' | 'accessed' | 'importance' | 'updated'; descending?: boolean }[]) => ({
  sort,
  limit: 100,
})

export function doorContract(open: OpenEmpty, can: Capabilities): void {
  test('a document of a door has its text, its attributes, and when it came and changed', async () => {
    const { store } = await open()
    const attributes = { tags: ['a', 'b'], type: 'core', nested: { x: [1, null] } }
    await put(store, key('k'), 'one', attributes)
    expect(await find(store, key('k'))).toMatchObject({
      address: key('k'),
      state: 'live',
      text: 'one',
      attributes,
      createdAt: 1000,
      updatedAt: 1000,
      accesses: 0,
      accessedAt: null,
      revision: 1,
    })
    await put(store, key('k'), 'two', { tags: ['b'] }, 3000)
    const changed = await find(store, key('k'))
    expect(changed).toMatchObject({ text: 'two', createdAt: 1000, updatedAt: 3000, revision: 2 })
    expect(changed?.attributes).toEqual({ tags: ['b'] })
    expect(await find(store, record('k'))).toBeUndefined()
  })

  test('chooses by tags, attributes, time and name', async () => {
    const { store } = await open()
    await put(store, record('a'), 'Über alles', { type: 'core', tags: ['x', 'y'], importance: 'low' }, 1)
    await put(store, record('b'), 'below', { type: 'task', tags: ['y'], importance: 'high' }, 2)
    await put(store, record('c'), 'else', { type: 'task', archived: true, importance: 'medium' }, 3)
    await put(store, key('a'), 'a key', { tags: ['x'], expires_at: 50 })
    const kind = 'record'
    expect(await names(store, { kind })).toEqual(['a', 'b', 'c'])
    expect(await names(store, { kind, tags: ['y'] })).toEqual(['a', 'b'])
    expect(await names(store, { kind, tags: ['y', 'x'] })).toEqual(['a'])
    expect(await names(store, { kind, tags: ['y', 'z'] })).toEqual([])
    expect(await names(store, { kind, where: [{ attribute: 'type', in: ['task'] }] })).toEqual(['b', 'c'])
    const notArchived = [{ attribute: 'archived', in: [false, null] }] as const
    expect(await names(store, { kind, where: notArchived })).toEqual(['a', 'b'])
    expect(await names(store, { kind, where: [{ attribute: 'archived', in: [true] }] })).toEqual(['c'])
    expect(await names(store, { kind, since: { at: 2, any: ['created'] } })).toEqual(['b', 'c'])
    expect(await names(store, { kind, until: { at: 2, all: ['updated', 'accessed'] } })).toEqual(['a', 'b'])
    expect(await names(store, { kind, after: { name: 'a' } })).toEqual(['b', 'c'])
    expect(await names(store, { kind: 'key', notExpiredAt: 49 })).toEqual(['a'])
    expect(await names(store, { kind: 'key', notExpiredAt: 50 })).toEqual([])
    expect(await names(store, { kind: 'key', expiredAt: 50 })).toEqual(['a'])
    expect(await names(store, { kind: 'key', name: 'b' })).toEqual([])
    expect(await names(store, { kind, name: 'b' })).toEqual(['b'])
    expect(await names(store, { kind, name: 'b', tags: ['x'] })).toEqual([])
    expect(await names(store, { kind }, [{ by: 'importance', descending: true }])).toEqual(['b', 'c', 'a'])
    expect(await names(store, { kind }, [{ by: 'updated', descending: true }])).toEqual(['c', 'b', 'a'])
  })

  test('keys are chosen by the client that stored them, tombstones too', async () => {
    const { store } = await open()
    for (const name of ['d', 'b', 'a']) await put(store, key(name), 'x', { client: 'one' })
    await put(store, key('c'), 'x', { client: 'two' })
    await put(store, key('e'), 'x', {})
    const of = (client: string | null) =>
      names(store, {
        ...{ kind: 'key', states: ['live', 'erased'] },
        where: [{ attribute: 'client', in: [client] }],
      })
    expect(await of('one')).toEqual(['a', 'b', 'd'])
    await commit(store, (tx, id) => tx.dropDocument(1, id))
    expect(await of('one')).toEqual(['a', 'b'])
    expect([await of('two'), await of('on'), await of(null)]).toEqual([['c'], [], ['e']])
  })

  test('files are chosen below a folder, of one memory', async () => {
    const { store } = await open()
    const memory = { node: 'm', scope: 'global', thread: '' } as const
    const file = (path: string, node = 'm'): Address => ({ kind: 'file', ...memory, node, path })
    for (const path of ['/a', '/a/b', '/a/b/c', '/ab', '/a.b']) await put(store, file(path), 'x', {})
    await put(store, file('/a/z', 'other'), 'x', {})
    expect(await names(store, { kind: 'file', memory, under: '/a' })).toEqual(['/a/b', '/a/b/c'])
    expect(await names(store, { kind: 'file', memory })).toHaveLength(5)
    expect(await store.read((tx) => tx.documents({ ids: [6] }, 'name'))).toEqual([
      { id: 6, name: 'file:other/a/z' },
    ])
  })

  test('counts values, tags and bytes', async () => {
    const { store } = await open()
    await put(store, record('a'), 'é', { type: 'core', tags: ['x', 'y'] })
    await put(store, record('b'), 'bb', { type: 'core', tags: ['y'] })
    await put(store, record('c'), null, { type: 'task' })
    const counts = (by: 'type' | 'tag' | 'category') =>
      store.read((tx) => tx.totals({ kind: 'record' }, { by }))
    expect(await counts('type')).toEqual([
      { value: 'core', count: 2, bytes: 0 },
      { value: 'task', count: 1, bytes: 0 },
    ])
    expect(await counts('tag')).toEqual([
      { value: 'y', count: 2, bytes: 0 },
      { value: 'x', count: 1, bytes: 0 },
    ])
    expect(await counts('category')).toEqual([{ value: null, count: 3, bytes: 0 }])
    const total = () => store.read((tx) => totalOf(tx, { kind: 'record' }, { bytes: true }))
    expect(await total()).toMatchObject({ count: 3, bytes: 4 })
    const id = await put(store, record('d'), 'begin', {})
    await append(store, id, piece('end', '\n', '\n\n'))
    expect(await total()).toMatchObject({ count: 4, bytes: 4 + 'begin\nend\n\n'.length })
  })

  test('what is appended is the text, in every version', async () => {
    const { store } = await open()
    const id = await put(store, key('log'), 'one', { a: 1 })
    await append(store, id, piece('two'), { a: 1 })
    await append(store, id, piece('three', '', '\n'), { a: 2 })
    await append(store, id, piece('', '', ''), { a: 2 })
    expect(await find(store, key('log'))).toMatchObject({
      text: 'one\ntwothree\n',
      attributes: { a: 2 },
      digest: null,
    })
    expect(await store.read((tx) => documentText(tx, id))).toBe('one\ntwothree\n')
    const history = await store.read((tx) => tx.documentVersions(id, { limit: 10 }))
    expect(history.map(({ text, attributes }) => [text, attributes])).toEqual([
      ['one\ntwothree\n', { a: 2 }],
      ['one\ntwothree\n', { a: 2 }],
      ['one\ntwo', { a: 1 }],
      ['one', { a: 1 }],
    ])
    await put(store, key('log'), 'anew', {})
    await append(store, id, piece('more', ' '))
    expect(await find(store, key('log'))).toMatchObject({ text: 'anew more' })
    const { snapshotId = 0 } = history[2] ?? {}
    await commit(store, (tx, snapshot) => tx.restoreDocuments(snapshotId, snapshot))
    expect(await find(store, key('log'))).toMatchObject({ text: 'one\ntwo', attributes: { a: 1 } })
    await append(store, id, piece('again'))
    expect(await find(store, key('log'))).toMatchObject({ text: 'one\ntwo\nagain' })
    const checks = await store.read(healthOf)
    expect(checks.filter(({ status }) => status !== 'pass')).toEqual([])
  })

  test('going back brings attributes and tags back, also where no node changed', async () => {
    const { store } = await open()
    const id = await put(store, record('a'), 'text', { tags: ['old'] })
    const head = (await store.read((tx) => tx.state())).head
    await put(store, record('a'), 'text', { tags: ['new'] })
    const { value } = await commit(store, async (tx, snapshot) => {
      const differing = await differingDocuments(tx, await documentsSince(tx, head?.id ?? 0))
      await tx.restoreDocuments(head?.id ?? 0, snapshot)
      return differing.length
    })
    expect(value).toBe(1)
    expect(await find(store, record('a'))).toMatchObject({ id, attributes: { tags: ['old'] } })
    expect(await names(store, { kind: 'record', tags: ['old'] })).toEqual(['a'])
    expect(await names(store, { kind: 'record', tags: ['new'] })).toEqual([])
  })

  test('what is asked for is counted and gets warmer; what is gone is forgotten', async () => {
    const { store } = await open()
    const { document, nodes } = await addDocument(store, key('k'), [{ id: 'n', text: 'warm' }], 'warm')
    await writing(store, (tx) => setHeat(tx, [nodes[0]?.key ?? 0], { value: 0.2 }))
    const touch = (at: number, times = 1) =>
      writing(store, (tx) => touchDocuments(tx, [{ documentId: document.id, times }], { at, by: 0.1 }))
    await touch(10)
    await touch(30, 2)
    await touch(20)
    expect(await find(store, key('k'))).toMatchObject({ accesses: 4, accessedAt: 30 })
    const [heat] = await store.read((tx) => tx.nodes({ keys: [nodes[0]?.key ?? 0] }, 'heat'))
    expect(heat?.value).toBeCloseTo(0.6)
    await commit(store, (tx, id) => tx.dropDocument(document.id, id))
    await touch(40)
    expect(await find(store, key('k'))).toMatchObject({ accesses: 0, accessedAt: null, state: 'removed' })
  })

  test('documents by id come in that order, and larger texts are left out', async () => {
    const { store } = await open()
    const { document: file } = await addDocument(store, source('a.md'), [{ id: 'f', text: 'file' }])
    const { document: value } = await addDocument(store, key('k'), [{ id: 'n', text: 'value' }], 'value')
    const read = async (maxTextBytes?: number) => {
      const options = maxTextBytes === undefined ? {} : { maxTextBytes }
      const ids = [value.id, 999_999, file.id]
      const found = await store.read((tx) => tx.documents({ ids }, 'whole', options))
      return found.map(({ address, text }) => [address, text])
    }
    expect(await read()).toEqual([
      [key('k'), 'value'],
      [source('a.md'), null],
    ])
    expect((await read(5))[0]).toEqual([key('k'), 'value'])
    expect((await read(4))[0]).toEqual([key('k'), null])
    await append(store, value.id, piece('d', ''))
    expect((await read(6))[0]).toEqual([key('k'), 'valued'])
    expect((await read(5))[0]).toEqual([key('k'), null])
  })

  test('a search by tag finds what its door gave that tag', async () => {
    const { store } = await open()
    const { document } = await addDocument(store, key('k'), [{ id: 'n', text: 'value' }], 'value')
    await addDocument(store, key('other'), [{ id: 'o', text: 'value' }], 'value')
    const tagged = (word: string) =>
      store.read(async (tx) => {
        const { found } = await tx.postings([{ match: null, filters: { tags: [word] }, limit: 10 }])
        return found[0]?.keys
      })
    expect(await tagged('#rate+limit')).toEqual([])
    await put(store, key('k'), 'value', { tags: ['Rate-Limit'] })
    expect(await store.read((tx) => tx.nodes({ document: document.id }, 'full'))).toHaveLength(1)
    expect(await tagged('#rate+limit')).toHaveLength(1)
  })

  test('an erased document leaves a tombstone with what it is given, and nothing else', async () => {
    const { store } = await open()
    const id = await put(store, key('k'), 'one', { tags: ['kept'], secret: 'gone' })
    await append(store, id, piece('two'))
    await commit(store, (tx, snapshot) => tx.eraseDocument(id, snapshot, { tags: ['kept'], redacted_at: 5 }))
    const tombstone = { state: 'erased', text: null, attributes: { tags: ['kept'], redacted_at: 5 } }
    expect(await find(store, key('k'))).toMatchObject(tombstone)
    expect(await names(store, { kind: 'key', tags: ['kept'] })).toEqual([])
    expect(await names(store, { kind: 'key', tags: ['kept'], states: ['live', 'erased'] })).toEqual(['k'])
    const history = await store.read((tx) => tx.documentVersions(id, { limit: 10 }))
    expect(history).toEqual([expect.objectContaining(tombstone)])
    const checks = await store.read(healthOf)
    expect(checks.filter(({ status }) => status !== 'pass').map(({ name }) => name)).toEqual(
      can.files ? ['pending_scrub'] : [],
    )
  })
}
