import { expect, test } from 'vitest'
import type { Attributes } from '../../src/core/port/doors.ts'
import type { Store } from '../../src/core/port/store.ts'
import { documentAt, totalOf } from '../../src/core/write/documents.ts'
import { contentDigest } from '../../src/util/text/hash.ts'
import { commit } from '../support/store-changes.ts'
import type { OpenEmpty } from './store.ts'

const MEMORY = { node: 'm', scope: 'perThread', thread: 't' } as const
const at = (path: string, memory: typeof MEMORY | { node: string; scope: 'global'; thread: '' } = MEMORY) =>
  ({ kind: 'file', ...memory, path }) as const

async function put(
  store: Store,
  path: string,
  text: string | null,
  attributes: Attributes = {},
  memory?: Parameters<typeof at>[1],
) {
  const digest = contentDigest(text ?? '')
  const { value } = await commit(store, (tx, id) =>
    tx.putDocuments([{ address: at(path, memory), text, digest, attributes, at: 1000 }], id),
  )
  return (value as { id: number }[])[0]?.id ?? 0
}

const entries = async (store: Store, path: string) =>
  (await store.read((tx) => tx.fileEntries(MEMORY, path, 1000))).map(({ name, isFolder }) =>
    isFolder ? `${name}/` : name,
  )

export function doorHeadContract(open: OpenEmpty): void {
  test('a head is a document without its text', async () => {
    const { store } = await open()
    await put(store, '/a', 'one', { tags: ['x'] })
    await put(store, '/b', null, { folder: true })
    const [whole, head] = await store.read(async (tx) => [
      await documentAt(tx, at('/a'), 'whole'),
      await documentAt(tx, at('/a'), 'head'),
    ])
    const { text, ...rest } = whole ?? { text: null }
    expect(text).toBe('one')
    expect(head).toEqual(rest)
    expect(await store.read((tx) => documentAt(tx, at('/c'), 'head'))).toBeUndefined()
    const query = { kind: 'file', memory: MEMORY } as const
    const page = { sort: [{ by: 'name' as const, descending: true }], limit: 1 }
    expect(await store.read((tx) => tx.documents(query, 'head', page))).toMatchObject([
      { address: at('/b'), attributes: { folder: true } },
    ])
  })

  test('bytes are those of whole texts and of all their pieces', async () => {
    const { store } = await open()
    const a = await put(store, '/a', 'tö')
    const b = await put(store, '/b', 'x\0y')
    const none = await put(store, '/c', null, { folder: true })
    const bytes = async (...ids: number[]) =>
      (await store.read((tx) => totalOf(tx, { ids }, { bytes: true }))).bytes
    expect([
      await bytes(a),
      await bytes(b),
      await bytes(none),
      await bytes(a, b, none),
      await bytes(),
    ]).toEqual([3, 3, 0, 6, 0])
    for (const text of ['ä', ''])
      await commit(store, (tx, snapshotId) =>
        tx.appendText({
          documentId: a,
          piece: { lead: '\n ', text, digest: contentDigest(text), trail: ' ' },
          attributes: {},
          at: 2000,
          snapshotId,
        }),
      )
    expect(await bytes(a, b)).toBe(3 + (2 + 2 + 1) + (2 + 0 + 1) + 3)
  })

  test('entries are what is right below a path, by code unit, each once', async () => {
    const { store } = await open()
    for (const path of ['/b/c/d', '/b/e', '/a.md', '/a b', '/a-b', '/B']) await put(store, path, 'x')
    for (const path of ['/b', '/empty', '/a']) await put(store, path, null, { folder: true })
    await put(store, '/other', 'x', {}, { node: 'm', scope: 'global', thread: '' })
    const gone = await put(store, '/gone', 'x')
    await commit(store, (tx, id) => tx.dropDocument(gone, id))
    expect(await entries(store, '')).toEqual(['B', 'a/', 'a b', 'a-b', 'a.md', 'b/', 'empty/'])
    expect(await entries(store, '/b')).toEqual(['c/', 'e'])
    expect(await entries(store, '/b/c')).toEqual(['d'])
    expect(await entries(store, '/a.md')).toEqual([])
    expect(await entries(store, '/none')).toEqual([])
  })
}
