import { expect, test } from 'vitest'
import { FORMATS, NODE_TYPES } from '../../src/core/model.ts'
import { setHeat } from '../../src/core/rows/heat.ts'
import { contentDigest } from '../../src/util/text/hash.ts'
import {
  addDocument,
  change,
  commit,
  deleteOverlays,
  note,
  put,
  putOverlays,
  source,
  type TestNode,
} from '../support/store-changes.ts'
import { findNode, usedIds } from '../support/store-reads.ts'
import { writing } from '../support/writing.ts'
import type { OpenEmpty } from './store.ts'

export function nodeContract(open: OpenEmpty): void {
  test('finds a node as it was added', async () => {
    const { store } = await open()
    const { nodes, document } = await addDocument(store, source('a.md'), [
      { id: 'root', text: 'Title', type: 'heading', position: 'a0' },
      { id: 'child', text: 'ünïcødé 😀', position: 'a1', under: 0, label: 'own label' },
    ])
    const found = await store.read((tx) => findNode(tx, 'child'))
    expect(found).toEqual({
      key: nodes[1]?.key,
      id: 'child',
      documentId: document.id,
      parentKey: nodes[0]?.key,
      position: 'a1',
      type: 'text',
      format: 'plain',
      label: 'own label',
      name: null,
      links: null,
      mark: expect.any(BigInt),
      tokens: expect.any(Number),
      digest: contentDigest('ünïcødé 😀'),
      removedIn: null,
      overlay: null,
    })
    expect(await store.read((tx) => findNode(tx, 'CHILD'))).toBeUndefined()
    expect(
      await store.read((tx) => tx.nodes({ keys: [found?.key ?? 0, 999_999], removed: true }, 'full')),
    ).toEqual([found])
  })

  test('keeps every type and format', async () => {
    const { store } = await open()
    const all = NODE_TYPES.flatMap((type) => FORMATS.map((format) => ({ type, format })))
    const { document } = await addDocument(
      store,
      note('n'),
      all.map((kind, at) => ({ id: `n${at}`, text: `text ${at}`, ...kind })),
    )
    const rows = await store.read((tx) => tx.nodes({ document: document.id }, 'full'))
    expect(rows.toSorted((a, b) => a.key - b.key).map(({ type, format }) => ({ type, format }))).toEqual(all)
  })

  test('gives children by parent, then by position in code unit order', async () => {
    const { store } = await open()
    const positions = ['a1', 'Zz', 'a0V', 'a0', 'b', 'a0v']
    const { nodes } = await addDocument(store, note('n'), [
      { id: 'p0', text: 'p0' },
      { id: 'p1', text: 'p1' },
      ...positions.map((position) => ({ id: `c${position}`, text: position, position, under: 0 })),
      { id: 'only', text: 'only', under: 1 },
    ])
    const [p0, p1] = nodes as [TestNode, TestNode]
    const children = await store.read((tx) => tx.nodes({ parents: [p1.key, p0.key] }, 'full'))
    expect(children.map((row) => row.id)).toEqual(['only', 'cZz', 'ca0', 'ca0V', 'ca0v', 'ca1', 'cb'])
    expect(await store.read((tx) => tx.nodes({ parents: [] }, 'full'))).toEqual([])
    const next = async (key: number | null, at: string) => {
      const { documentId } = p0
      const after = { key: Number.MAX_SAFE_INTEGER, documentId, position: at }
      const siblings = key === null ? { parentKey: null, documentId } : { parentKey: key }
      const page = { fields: 'full', limit: 1 } as const
      return (await store.read((tx) => tx.outline([{ ...siblings, after }], page)))[0]?.position
    }
    expect(await next(p0.key, 'a0')).toBe('a0V')
    expect(await next(p0.key, 'b')).toBeUndefined()
    expect(await next(null, 'a0')).toBe('a1')
  })

  test('lists live roots: files by root and path, then the other doors', async () => {
    const { store } = await open()
    await addDocument(store, note('n'), [{ id: 'note', text: 'note' }])
    await addDocument(store, source('b.md'), [
      { id: 'b2', text: 'second', position: 'a2' },
      { id: 'b1', text: 'first', position: 'a1' },
      { id: 'below', text: 'below', under: 0 },
    ])
    await addDocument(store, source('a.md', 'z'), [{ id: 'z', text: 'z' }])
    await addDocument(store, source('a.md'), [{ id: 'a', text: 'a' }])
    const page = { fields: 'brief', limit: 100 } as const
    const roots = await store.read((tx) => tx.outline([{ parentKey: null }], page))
    expect(roots.map((row) => [row.id, row.source])).toEqual([
      ['a', 'a.md'],
      ['b1', 'b.md'],
      ['b2', 'b.md'],
      ['z', 'a.md'],
      ['note', 'mcp:write'],
    ])
  })

  test('modifies a node in place: text, type, parent and position', async () => {
    const { store } = await open()
    const { nodes } = await addDocument(store, note('n'), [
      { id: 'a', text: 'a' },
      { id: 'b', text: 'b' },
    ])
    const [a, b] = nodes as [TestNode, TestNode]
    const next: TestNode = { ...b, text: 'other', type: 'list', format: 'toon', parent: a, position: 'a9' }
    await commit(store, (tx, id) => tx.applyChanges(id, [change('mod', next)]))
    expect(await store.read((tx) => findNode(tx, 'b'))).toMatchObject({
      key: b.key,
      parentKey: a.key,
      position: 'a9',
      type: 'list',
      format: 'toon',
      label: change('mod', next).op === 'mod' ? 'other' : '',
      digest: contentDigest('other'),
    })
  })

  test('a removed node is gone from every view and its id stays used', async () => {
    const { store } = await open()
    const { nodes, document } = await addDocument(store, note('n'), [
      { id: 'parent', text: 'parent' },
      { id: 'gone', text: 'gone', under: 0 },
    ])
    const [parent, gone] = nodes as [TestNode, TestNode]
    await commit(store, (tx, id) => tx.applyChanges(id, [{ op: 'rem', key: gone.key }]))
    await store.read(async (tx) => {
      expect(await findNode(tx, 'gone')).toBeUndefined()
      expect(await tx.nodes({ parents: [parent.key] }, 'full')).toEqual([])
      expect((await tx.nodes({ document: document.id }, 'full')).map((row) => row.id)).toEqual(['parent'])
      const all = await tx.nodes({ ids: ['gone', 'nobody', 'parent'], removed: true }, 'full')
      expect(all.map(({ id, documentId }) => [id, documentId])).toEqual([
        ['gone', document.id],
        ['parent', document.id],
      ])
      expect(await tx.nodes({ keys: [gone.key], removed: true }, 'full')).toMatchObject([
        { id: 'gone', removedIn: expect.any(Number) },
      ])
      expect((await usedIds(tx, ['gone', 'parent', 'free'])).toSorted()).toEqual(['gone', 'parent'])
    })
  })

  test('finds removed nodes by their last text, the latest removal first', async () => {
    const { store } = await open()
    const { nodes, document } = await addDocument(store, source('a.md'), [
      { id: 'a', text: 'same' },
      { id: 'b', text: 'same' },
      { id: 'c', text: 'other' },
      { id: 'd', text: 'same' },
    ])
    for (const node of nodes.slice(0, 3))
      await commit(store, (tx, id) => tx.applyChanges(id, [{ op: 'rem', key: node.key }]))
    const removed = (digests: string[]) =>
      store.read(async (tx) => (await tx.contents({ ids: [document.id] }, digests)).removed)
    expect((await removed([contentDigest('same')])).map((row) => row.id)).toEqual(['b', 'a'])
    expect(await removed([contentDigest('same')])).toMatchObject([
      { position: 'a1', type: 'text', removedIn: expect.any(Number), digest: contentDigest('same') },
      { position: 'a0' },
    ])
    expect(await removed([contentDigest('never')])).toEqual([])
    expect(await removed([])).toEqual([])
  })

  test('keys are never those of another node', async () => {
    const { store } = await open()
    const { nodes } = await addDocument(store, note('n'), [
      { id: 'a', text: 'a' },
      { id: 'b', text: 'b' },
    ])
    await commit(store, (tx, id) => tx.applyChanges(id, [{ op: 'rem', key: nodes[1]?.key ?? 0 }]))
    await commit(store, async (tx) => {
      const first = await tx.allocateKeys(10)
      const second = await tx.allocateKeys(1)
      expect(first).toBeGreaterThan(nodes[1]?.key ?? 0)
      expect(second).toBeGreaterThanOrEqual(first + 10)
    })
  })

  test('refuses what cannot be: a used id, a removed node removed again, a parent that is not there', async () => {
    const { store } = await open()
    const { nodes, document } = await addDocument(store, note('n'), [
      { id: 'a', text: 'a' },
      { id: 'b', text: 'b' },
    ])
    const [a, b] = nodes as [TestNode, TestNode]
    const before = (await store.read((tx) => tx.state())).head
    const add = (node: Partial<TestNode>) =>
      commit(store, async (tx, id) => {
        const key = await tx.allocateKeys(1)
        await tx.applyChanges(id, [
          change('add', { id: 'x', text: 'x', documentId: document.id, key, ...node }),
        ])
      })
    await expect(add({ id: 'a' })).rejects.toThrow()
    await expect(add({ parent: { key: 999_999, id: 'none' } })).rejects.toThrow()
    await expect(add({ documentId: 999_999 })).rejects.toThrow()
    await commit(store, (tx, id) => tx.applyChanges(id, [{ op: 'rem', key: b.key }]))
    const remove = (key: number) => commit(store, (tx, id) => tx.applyChanges(id, [{ op: 'rem', key }]))
    await expect(remove(b.key)).rejects.toThrow()
    await expect(remove(999_999)).rejects.toThrow()
    expect(await store.read((tx) => findNode(tx, 'x'))).toBeUndefined()
    expect((await store.read((tx) => tx.state())).head?.parentId).toBe(before?.id)
    expect(await store.read((tx) => findNode(tx, 'a'))).toMatchObject({ key: a.key })
  })

  test('children may come before their parent in one list of changes', async () => {
    const { store } = await open()
    await commit(store, async (tx, id) => {
      const document = await put(tx, id, note('n'))
      const key = await tx.allocateKeys(2)
      const parent = { id: 'p', text: 'p', key, documentId: document.id }
      const child = { id: 'c', text: 'c', key: key + 1, documentId: document.id, parent }
      await tx.applyChanges(id, [change('add', child), change('add', parent)])
    })
    expect(await store.read((tx) => findNode(tx, 'c'))).toMatchObject({ parentKey: expect.any(Number) })
  })

  test('an overlay comes back as it was put, and goes', async () => {
    const { store } = await open()
    const { nodes, document } = await addDocument(store, source('a.md'), [
      { id: 'a', text: 'a' },
      { id: 'b', text: 'b', under: 0 },
      { id: 'c', text: 'c' },
    ])
    const [a, b, c] = nodes as [TestNode, TestNode, TestNode]
    const base = {
      parentKey: a.key,
      position: 'a5',
      type: 'kv',
      format: 'toon',
      label: 'of its own',
      digest: contentDigest('what the file says'),
      links: null,
    } as const
    await putOverlays(store, [
      { nodeKey: b.key, operation: 'write', base },
      { nodeKey: c.key, operation: 'forget', base: null },
    ])
    const overlays = async () =>
      new Map(
        (await store.read((tx) => tx.nodes({ document: document.id }, 'full'))).map((row) => [
          row.id,
          row.overlay,
        ]),
      )
    expect(await overlays()).toEqual(
      new Map([
        ['a', null],
        ['b', { operation: 'write', base }],
        ['c', { operation: 'forget', base: null }],
      ]),
    )
    expect(await store.read((tx) => findNode(tx, 'b'))).toMatchObject({ overlay: { base } })
    const noLabel = { ...base, label: null, parentKey: null }
    await putOverlays(store, [{ nodeKey: b.key, operation: 'summarize', base: noLabel }])
    expect((await overlays()).get('b')).toEqual({ operation: 'summarize', base: noLabel })
    await deleteOverlays(store, [b.key, c.key, 999_999])
    expect([...(await overlays()).values()]).toEqual([null, null, null])
  })

  test('a node that only an overlay keeps away still belongs to its document', async () => {
    const { store } = await open()
    const { nodes, document } = await addDocument(store, source('a.md'), [{ id: 'a', text: 'a' }])
    const [a] = nodes as [TestNode]
    await commit(store, async (tx, id) => {
      await tx.applyChanges(id, [{ op: 'rem', key: a.key }])
      const base = {
        parentKey: null,
        position: 'a0',
        type: 'text',
        format: 'plain',
        label: null,
        digest: contentDigest('a'),
        links: null,
      } as const
      await tx.commit({ overlays: { put: [{ nodeKey: a.key, operation: 'forget', base }], remove: [] } })
    })
    const found = await store.read((tx) => tx.contents({ ids: [document.id] }, [contentDigest('a')]))
    expect(found.nodes).toMatchObject([
      { id: 'a', removedIn: expect.any(Number), overlay: { operation: 'forget' } },
    ])
    expect(found.removed).toEqual([])
    expect(await store.read((tx) => tx.nodes({ document: document.id }, 'full'))).toEqual([])
    expect(await store.read((tx) => findNode(tx, 'a'))).toBeUndefined()
  })

  test('a node that comes back is the same node', async () => {
    const { store } = await open()
    const { nodes, document } = await addDocument(store, note('n'), [{ id: 'a', text: 'a' }])
    const [a] = nodes as [TestNode]
    await commit(store, (tx, id) => tx.applyChanges(id, [{ op: 'rem', key: a.key }]))
    await commit(store, (tx, id) => tx.applyChanges(id, [change('add', { ...a, text: 'again' })]))
    expect(await store.read((tx) => findNode(tx, 'a'))).toMatchObject({
      key: a.key,
      documentId: document.id,
      digest: contentDigest('again'),
      removedIn: null,
    })
    const found = await store.read((tx) =>
      tx.contents({ ids: [document.id] }, ['a', 'again'].map(contentDigest)),
    )
    expect(found.removed).toEqual([])
  })

  test('takes lists longer than any limit on parameters', async () => {
    const { store } = await open()
    const { nodes } = await addDocument(store, note('n'), [
      { id: 'a', text: 'a' },
      { id: 'b', text: 'b', under: 0 },
    ])
    const many = Array.from({ length: 70_000 }, (_, at) => at + 1)
    const ids = [...many.map(String), 'a', 'b']
    await store.read(async (tx) => {
      expect(await tx.nodes({ keys: many, removed: true }, 'full')).toHaveLength(2)
      expect(await tx.nodes({ keys: many }, 'heat')).toHaveLength(2)
      expect(await tx.nodes({ parents: many }, 'full')).toHaveLength(1)
      expect(await usedIds(tx, ids)).toHaveLength(2)
      expect((await tx.texts([...ids, ...nodes.map((node) => node.text)].map(contentDigest))).size).toBe(2)
      expect(await tx.documents({ ids: many }, 'row')).toHaveLength(1)
      expect(await tx.nodes({ ids, removed: true }, 'full')).toHaveLength(2)
      expect(await tx.scan('versions', { of: { nodeKey: many }, limit: 9 })).toHaveLength(2)
    })
    await writing(store, (tx) => setHeat(tx, many, { pinned: true }))
    await deleteOverlays(store, many)
    expect((await store.read((tx) => tx.nodes({ keys: many }, 'heat'))).every(({ pinned }) => pinned)).toBe(
      true,
    )
  })
}
