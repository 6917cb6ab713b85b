import { expect, test } from 'vitest'
import { erase } from '../../src/core/history/erase.ts'
import { rollback } from '../../src/core/history/rollback.ts'
import type { Engine, Store } from '../../src/core/port/store.ts'
import { documentAt } from '../../src/core/write/documents.ts'
import { contentDigest } from '../../src/util/text/hash.ts'
import { healthOf } from '../support/health.ts'
import {
  addDocument,
  change,
  commit,
  documentText,
  hash,
  note,
  put,
  putOverlays,
  source,
  type TestNode,
} from '../support/store-changes.ts'
import { findNode, usedIds } from '../support/store-reads.ts'
import type { OpenEmpty } from './store.ts'

const ALL = { since: 0, until: Number.MAX_SAFE_INTEGER }

export function erasureContract(open: OpenEmpty): void {
  const deps = ({ store, maintenance }: Engine) => ({
    store,
    maintenance,
    hash,
    now: () => 1,
    author: 'tester',
    redact: (text: string) => text,
  })
  const failing = async (store: Store) =>
    (await store.read(healthOf)).filter((check) => check.status !== 'pass')

  async function withSecret() {
    const engine = await open()
    const { store } = engine
    const { document, nodes } = await addDocument(
      store,
      note('secret'),
      [
        { id: 'root', text: 'shared' },
        { id: 'leaf', text: 'first secret', under: 0 },
        { id: 'gone', text: 'removed secret' },
      ],
      'whole secret',
    )
    const { document: other } = await addDocument(
      store,
      note('other'),
      [{ id: 'other', text: 'shared' }],
      'shared',
    )
    const [root, leaf, gone] = nodes as [TestNode, TestNode, TestNode]
    await commit(store, async (tx, id) => {
      await put(tx, id, note('secret'), 'newer secret')
      await tx.applyChanges(id, [
        change('mod', { ...leaf, text: 'second secret' }),
        { op: 'rem', key: gone.key },
      ])
    })
    const secrets = ['first secret', 'second secret', 'removed secret', 'whole secret', 'newer secret']
    return { engine, store, document, other, root, secrets: secrets.map(contentDigest) }
  }

  test('takes every text of a document, of now and of before; leaves a tombstone', async () => {
    const { engine, store, document, secrets } = await withSecret()
    const erased = await erase(deps(engine), note('secret'))
    expect(erased).toMatchObject({ nodes: 2, scrubbed: true })
    await store.read(async (tx) => {
      expect((await tx.texts(secrets)).size).toBe(0)
      expect(await documentAt(tx, note('secret'), 'row')).toMatchObject({
        id: document.id,
        state: 'erased',
        digest: null,
      })
      expect(await documentText(tx, document.id)).toBeNull()
      expect(await tx.nodes({ document: document.id }, 'full')).toEqual([])
      expect(await tx.contents({ ids: [document.id] }, secrets)).toMatchObject({ nodes: [], removed: [] })
      expect(await findNode(tx, 'leaf')).toBeUndefined()
      expect((await usedIds(tx, ['root', 'leaf', 'gone'])).toSorted()).toEqual(['gone', 'leaf', 'root'])
      expect(await tx.versions({ nodeId: 'leaf' }, { limit: 10 })).toEqual([
        expect.objectContaining({ op: 'rem', snapshotId: erased.snapshot?.id, old: null, new: null }),
      ])
    })
    expect(await failing(store)).toEqual([])
  })

  test('a document is known by each of its nodes: live, removed or erased', async () => {
    const { engine, store, document } = await withSecret()
    const ids = ['root', 'leaf', 'gone', 'nobody']
    const found = async () => {
      const nodes = await store.read((tx) => tx.nodes({ ids, removed: true }, 'full'))
      const documents = await store.read((tx) =>
        tx.documents({ ids: nodes.map(({ documentId }) => documentId) }, 'row'),
      )
      const byNode = new Map(nodes.map(({ id }, at) => [id, documents[at]]))
      return ids.map((id) => byNode.get(id))
    }
    const before = await found()
    expect(before.map((row) => row?.id)).toEqual([document.id, document.id, document.id, undefined])
    expect(before[0]).toEqual(await store.read((tx) => documentAt(tx, note('secret'), 'row')))
    await erase(deps(engine), note('secret'))
    expect((await found()).map((row) => row?.state)).toEqual(['erased', 'erased', 'erased', undefined])
  })

  test("leaves other documents' text alone", async () => {
    const { engine, store, other } = await withSecret()
    await erase(deps(engine), note('secret'))
    await store.read(async (tx) => {
      expect(await documentText(tx, other.id)).toBe('shared')
      expect((await tx.texts([contentDigest('shared')])).size).toBe(1)
      expect(await findNode(tx, 'other')).toMatchObject({ digest: contentDigest('shared') })
      expect((await tx.summary({ hot: 1, cold: 0 })).counters.nodes).toBe(1)
    })
  })

  /** A note of its own under a node of the document that is going to be erased. */
  const addChild = (store: Store, root: TestNode) =>
    commit(store, async (tx, id) => {
      const document = await put(tx, id, note('child'))
      const key = await tx.allocateKeys(1)
      const child = { id: 'child', text: 'mine', key, documentId: document.id, parent: root, position: 'a7' }
      await tx.applyChanges(id, [change('add', child)])
    })

  test('what others put under an erased node becomes a root', async () => {
    const { engine, store, root } = await withSecret()
    await addChild(store, root)
    await erase(deps(engine), note('secret'))
    expect(await store.read((tx) => findNode(tx, 'child'))).toMatchObject({
      parentKey: null,
      removedIn: null,
    })
    expect(await failing(store)).toEqual([])
  })

  test.each([false, true])('a rollback across it gives the tombstone (dropAfter %s)', async (dropAfter) => {
    const { engine, store, root, secrets } = await withSecret()
    const { snapshot: target } = await addChild(store, root)
    await erase(deps(engine), note('secret'))
    const result = await rollback(deps(engine), { snapshotId: target.id, dropAfter })
    expect(result.status).not.toBe('at-target')
    await store.read(async (tx) => {
      expect((await documentAt(tx, note('secret'), 'row'))?.state).toBe('erased')
      expect((await tx.texts(secrets)).size).toBe(0)
      expect(await findNode(tx, 'root')).toBeUndefined()
      expect(await findNode(tx, 'child')).toMatchObject({ parentKey: null })
      expect((await usedIds(tx, ['root', 'leaf', 'gone'])).length).toBe(3)
    })
    expect(await failing(store)).toEqual([])
    // A new node must not be taken for the erased one that history still names as a parent.
    await addDocument(store, note('later'), [{ id: 'later', text: 'later' }])
    const history = await store.read((tx) => tx.versions({ nodeId: 'child' }, { limit: 10 }))
    expect(history.flatMap((row) => [row.old?.parentId, row.new?.parentId])).not.toContain('later')
  })

  test('a second erasure changes nothing, and what is not there is not found', async () => {
    const { engine, store } = await withSecret()
    const { snapshot } = await erase(deps(engine), note('secret'))
    expect(await erase(deps(engine), note('secret'))).toMatchObject({ nodes: 0, snapshot: null })
    expect((await store.read((tx) => tx.state())).head).toEqual(snapshot)
    await expect(erase(deps(engine), note('none'))).rejects.toMatchObject({ code: 'NOT_FOUND' })
  })

  test('an erased document can be put again and starts anew', async () => {
    const { engine, store, document, secrets } = await withSecret()
    await erase(deps(engine), note('secret'))
    const { document: again } = await addDocument(
      store,
      note('secret'),
      [{ id: 'fresh', text: 'fresh' }],
      'fresh',
    )
    expect(again).toMatchObject({ id: document.id, state: 'live', digest: contentDigest('fresh') })
    expect((await store.read((tx) => tx.texts(secrets))).size).toBe(0)
    expect(await failing(store)).toEqual([])
  })

  test('an erased file takes its overlays along', async () => {
    const engine = await open()
    const { store } = engine
    const { document, nodes } = await addDocument(store, source('a.md'), [
      { id: 'a', text: 'said by the agent' },
    ])
    const [a] = nodes as [TestNode]
    const base = {
      parentKey: null,
      position: 'a0',
      type: 'text',
      format: 'plain',
      label: 'secret label',
      links: null,
    } as const
    await putOverlays(store, [
      { nodeKey: a.key, operation: 'write', base: { ...base, digest: contentDigest('said by the file') } },
    ])
    await erase(deps(engine), source('a.md'))
    expect(await store.read((tx) => tx.nodes({ document: document.id }, 'full'))).toEqual([])
    expect(await store.read((tx) => tx.versions(ALL, { limit: 10 }))).toHaveLength(1)
    expect(await failing(store)).toEqual([])
  })
}
