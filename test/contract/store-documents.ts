import { expect, test } from 'vitest'
import type { Address } from '../../src/core/model.ts'
import type { DocumentRow, Store } from '../../src/core/port/store.ts'
import {
  documentAt,
  documentNames,
  listRoots,
  rootDocuments,
  totalOf,
} from '../../src/core/write/documents.ts'
import { contentDigest } from '../../src/util/text/hash.ts'
import {
  addDocument,
  addNodes,
  commit,
  documentText,
  note,
  put,
  source,
  withoutSnapshot,
} from '../support/store-changes.ts'
import { rootsOf } from '../support/store-reads.ts'
import { writing } from '../support/writing.ts'
import type { OpenEmpty } from './store.ts'

const ADDRESSES: Address[] = [
  { kind: 'source', root: '.', path: 'docs/a.md' },
  { kind: 'source', root: 'docs', path: 'a.md' },
  { kind: 'source', root: '/srv/notes', path: 'Ünïcødé/日本語 😀.md' },
  { kind: 'source', root: '.', path: `long/${'x'.repeat(2000)}.md` },
  { kind: 'note', id: 'a.md' },
  { kind: 'note', id: '0aZ9bY8cX7d' },
  { kind: 'record', id: 'a.md' },
  { kind: 'record', id: '6f1c2c52-6a3e-4d7e-9a55-0f7f5f1f3b11' },
  { kind: 'key', key: 'a.md' },
  { kind: 'key', key: 'A.md' },
  { kind: 'key', key: ' a.md' },
  { kind: 'key', key: '_index' },
  { kind: 'key', key: `it's "quoted"; DROP TABLE documents; -- %_*` },
  { kind: 'key', key: 'é' },
  { kind: 'key', key: 'e\u0301' },
  { kind: 'key', key: 'line\nbreak\ttab\u200d\u202e' },
  { kind: 'key', key: '["a","b"]' },
  { kind: 'file', node: 'm', scope: 'global', thread: '', path: 'a.md' },
  { kind: 'file', node: 'm', scope: 'perThread', thread: '', path: 'a.md' },
  { kind: 'file', node: 'm', scope: 'perThread', thread: 't', path: 'a.md' },
  { kind: 'file', node: 'm","t', scope: 'perThread', thread: '', path: 'a.md' },
  { kind: 'file', node: 'm', scope: 'perThread', thread: 't', path: '/a/../a.md' },
]

export function documentContract(open: OpenEmpty): void {
  const find = (store: Store, address: Address): Promise<DocumentRow | undefined> =>
    store.read((tx) => documentAt(tx, address, 'row'))
  const textOf = (store: Store, id: number): Promise<string | null> =>
    store.read((tx) => documentText(tx, id))

  test('keeps every address apart from every other and gives it back as it was', async () => {
    const { store } = await open()
    const { value: rows } = await commit(store, (tx, id) =>
      tx.putDocuments(
        ADDRESSES.map((address) => ({ address, digest: contentDigest(JSON.stringify(address)), text: null })),
        id,
      ),
    )
    expect(rows.map((row) => row.address)).toEqual(ADDRESSES)
    expect(new Set(rows.map((row) => row.id)).size).toBe(ADDRESSES.length)
    for (const [at, address] of ADDRESSES.entries()) expect(await find(store, address)).toEqual(rows[at])
    const at = [note('nothing'), ...ADDRESSES.toReversed()]
    expect(await store.read((tx) => tx.documents({ at }, 'row'))).toEqual(rows.toReversed())
  })

  test('knows no document that was never put', async () => {
    const { store } = await open()
    expect(await find(store, note('nothing'))).toBeUndefined()
    expect(await store.read((tx) => tx.documents({ ids: [1] }, 'row'))).toEqual([])
    expect(await textOf(store, 1)).toBeNull()
  })

  test('gives the exact text back', async () => {
    const { store } = await open()
    const texts = ['', ' \r\n\t', 'ünïcødé 日本語 😀 e\u0301', `'"\\ %_`, 'x'.repeat(300_000)]
    for (const [at, text] of texts.entries()) {
      const { document } = await addDocument(store, { kind: 'key', key: `k${at}` }, [], text)
      expect(await textOf(store, document.id)).toBe(text)
    }
  })

  test('replaces a document in place: same id, next revision, live', async () => {
    const { store } = await open()
    const address = note('n')
    const { document: first } = await addDocument(store, address, [], 'one')
    const { document: second } = await addDocument(store, address, [], 'two')
    expect(first).toEqual({
      id: first.id,
      address,
      owner: expect.any(String),
      state: 'live',
      digest: contentDigest('one'),
      revision: 1,
    })
    expect(second).toEqual({ ...first, digest: contentDigest('two'), revision: 2 })
    expect(await textOf(store, first.id)).toBe('two')
  })

  test('a removed document keeps its address and has no text; a put brings it back', async () => {
    const { store } = await open()
    const { document } = await addDocument(store, note('n'), [], 'one')
    await commit(store, (tx, id) => tx.dropDocument(document.id, id))
    const removed = await find(store, note('n'))
    expect(removed).toMatchObject({ id: document.id, state: 'removed', digest: null })
    expect(removed?.revision).toBeGreaterThan(document.revision)
    expect(await textOf(store, document.id)).toBeNull()
    const { document: back } = await addDocument(store, note('n'), [], 'one')
    expect(back).toMatchObject({ id: document.id, state: 'live', digest: contentDigest('one') })
    expect(back.revision).toBeGreaterThan(removed?.revision ?? Number.NaN)
  })

  test('puts a document without a snapshot', async () => {
    const { store } = await open()
    const row = await writing(store, (tx) => put(withoutSnapshot(tx), null, source('empty.md')))
    expect(await find(store, source('empty.md'))).toEqual(row)
    expect((await store.read((tx) => tx.state())).head).toBeUndefined()
  })

  test('an edit by hand unsettles what the other doors put, never what a file says', async () => {
    const { store } = await open()
    const { document: file } = await addDocument(store, source('a.md'), [])
    const { document: other } = await addDocument(store, note('n'), [], 'one')
    await commit(store, (tx, id) => tx.clearDigests([file.id, other.id, other.id], id))
    expect(await find(store, source('a.md'))).toEqual(file)
    expect(await find(store, note('n'))).toMatchObject({ digest: null, revision: 2, state: 'live' })
  })

  test('lists the documents of one compile root, live or not', async () => {
    const { store } = await open()
    for (const path of ['b.md', 'a.md']) await addDocument(store, source(path), [])
    await addDocument(store, source('a.md', 'docs2'), [])
    await addDocument(store, note('docs'), [])
    const removed = await find(store, source('b.md'))
    await writing(store, (tx) => withoutSnapshot(tx).dropDocument(removed?.id ?? 0, null))
    const rows = await store.read((tx) => rootDocuments(tx, 'docs'))
    expect(rows.map((row) => [row.address, row.state])).toEqual([
      [source('a.md'), 'live'],
      [source('b.md'), 'removed'],
    ])
    expect(await store.read((tx) => rootDocuments(tx, 'elsewhere'))).toEqual([])
    const within = async (scope: string) =>
      (await store.read((tx) => rootDocuments(tx, 'docs', scope))).map(({ address }) => address)
    const all = rows.map(({ address }) => address)
    expect(await within('')).toEqual(all)
    for (const address of all) expect(await within((address as { path: string }).path)).toEqual([address])
    expect(await within('nowhere')).toEqual([])
    expect(await store.read((tx) => listRoots(tx))).toEqual(['docs', 'docs2'])
  })

  test('names where documents come from', async () => {
    const { store } = await open()
    const ids: number[] = []
    for (const address of [source('a.md'), note('n'), { kind: 'key', key: 'k' } as const]) {
      ids.push((await addDocument(store, address, [])).document.id)
    }
    const sources = await store.read((tx) => documentNames(tx, [...ids, ...ids, 999_999]))
    expect([...sources.values()]).toEqual(['a.md', 'mcp:write', 'key:k'])
    const rows = await store.read((tx) => tx.documents({ ids: ids.toReversed() }, 'row'))
    expect(rows.map(({ address }) => address.kind)).toEqual(['key', 'note', 'source'])
  })

  test('tells how much files and notes hold', async () => {
    const { store } = await open()
    await addDocument(store, source('a.md'), [
      { id: 'a', text: 'some words here' },
      { id: 'b', text: 'some more' },
    ])
    await addDocument(store, source('empty.md'), [])
    await addDocument(store, note('n'), [{ id: 'c', text: 'a note' }])
    const sizes = (kind: 'source' | 'note') => store.read((tx) => tx.documents({ kind }, 'size'))
    const tokens = expect.any(Number)
    expect(await sizes('source')).toMatchObject([
      { address: source('a.md'), name: 'a.md', nodes: 2, tokens },
      { address: source('empty.md'), name: 'empty.md', nodes: 0, tokens: 0 },
    ])
    expect(await sizes('note')).toMatchObject([{ address: note('n'), name: 'mcp:write', nodes: 1, tokens }])
    const files = await store.read((tx) => totalOf(tx, { kind: 'source', hasNodes: true }))
    expect(files.count).toBe(1)
  })

  test('stores one text once for all who say it, until the last one is gone', async () => {
    const { store } = await open()
    const text = 'said by two documents and a node'
    const digest = contentDigest(text)
    const stored = (): Promise<Map<string, string>> => store.read((tx) => tx.texts([digest, '0'.repeat(32)]))
    expect((await stored()).size).toBe(0)
    const { document: a } = await addDocument(store, note('a'), [{ id: 'a', text }], text)
    const { document: b } = await addDocument(store, note('b'), [], text)
    expect(await stored()).toEqual(new Map([[digest, text]]))
    await commit(store, (tx, id) => tx.eraseDocument(a.id, id))
    expect(await textOf(store, b.id)).toBe(text)
    expect((await stored()).get(digest)).toBe(text)
    await commit(store, (tx, id) => tx.eraseDocument(b.id, id))
    expect((await stored()).size).toBe(0)
  })

  test('a text that went again, or was never kept, is stored anew for the next who says it', async () => {
    const { store } = await open()
    const text = 'said, taken back and said again'
    const failing = writing(store, async (tx) => {
      await put(withoutSnapshot(tx), null, note('a'), text)
      throw new Error('taken back')
    })
    await expect(failing).rejects.toThrow('taken back')
    const kept = await writing(store, (tx) => put(withoutSnapshot(tx), null, note('a'), text))
    expect(await textOf(store, kept.id)).toBe(text)
    await writing(store, (tx) => withoutSnapshot(tx).dropDocument(kept.id, null))
    const ids = await writing(store, async (plain) => {
      const tx = withoutSnapshot(plain)
      const first = await put(tx, null, note('a'), text)
      await tx.dropDocument(first.id, null)
      const second = await put(tx, null, note('b'), text)
      return { first: first.id, second: second.id }
    })
    expect(await textOf(store, ids.first)).toBeNull()
    expect(await textOf(store, ids.second)).toBe(text)
  })

  test('a node can be given a text by its digest alone, only when it is stored', async () => {
    const { store } = await open()
    const { nodes } = await addDocument(store, note('a'), [{ id: 'a', text: 'known' }])
    const [node] = nodes
    if (!node) throw new Error('a node was expected')
    const moved = async (text: string) =>
      commit(store, async (tx, id) => {
        const state = {
          parentKey: null,
          position: 'b0',
          type: 'text',
          format: 'plain',
          label: null,
          links: null,
        } as const
        await tx.applyChanges(id, [
          {
            op: 'mod',
            ...{ key: node.key, id: node.id, documentId: node.documentId },
            state: { ...state, digest: contentDigest(text) },
            ...{ text: null, words: null, label: 'known', tokens: 1, mark: 1n },
          },
        ])
      })
    await moved('known')
    await expect(moved('unknown')).rejects.toThrow()
    expect(await store.read((tx) => tx.texts([contentDigest('known')]))).toEqual(
      new Map([[contentDigest('known'), 'known']]),
    )
  })

  test('puts many documents in one call', async () => {
    const { store } = await open()
    const addresses = Array.from({ length: 500 }, (_, at) => note(`n${at}`))
    await commit(store, async (tx, id) => {
      const rows = await tx.putDocuments(
        addresses.map((address) => ({ address, digest: contentDigest('same'), text: 'same' })),
        id,
      )
      for (const [at, row] of rows.entries())
        await addNodes(tx, id, row.id, [{ id: `id${at}`, text: 'same' }])
    })
    expect((await store.read((tx) => rootsOf(tx))).length).toBe(500)
  })
}
