// Over 400 lines: one suite over one history, which every engine runs as a whole.
// Over 400 lines: one contract of history, whose cases share their helpers.
import { expect, test } from 'vitest'
import { placeOf } from '../../src/core/address.ts'
import { diff } from '../../src/core/history/history.ts'
import { findSnapshot } from '../../src/core/past/moment.ts'
import type { SnapshotFilter } from '../../src/core/port/history.ts'
import type { Store } from '../../src/core/port/store.ts'
import { documentAt } from '../../src/core/write/documents.ts'
import { contentDigest } from '../../src/util/text/hash.ts'
import { healthOf } from '../support/health.ts'
import {
  ABOUT,
  addDocument,
  addNodes,
  change,
  commit,
  documentText,
  note,
  put,
  type SnapshotTx,
  source,
  type TestNode,
} from '../support/store-changes.ts'
import { findNode, usedIds } from '../support/store-reads.ts'
import type { Capabilities, OpenEmpty } from './store.ts'

const ALL = { since: 0, until: Number.MAX_SAFE_INTEGER }
const keysOf = (rows: readonly { key: number }[]) => rows.map(({ key }) => key)

export function historyContract(open: OpenEmpty, can: Capabilities): void {
  const edit = (store: Store, node: TestNode, text: string) =>
    commit(store, (tx, id) => tx.applyChanges(id, [change('mod', { ...node, text })]))
  const remove = (store: Store, node: TestNode) =>
    commit(store, (tx, id) => tx.applyChanges(id, [{ op: 'rem', key: node.key }]))
  const revive = (store: Store, node: TestNode) =>
    commit(store, (tx, id) => tx.applyChanges(id, [change('add', node)]))

  test('a snapshot says who, what, when and after what; the last one is the head', async () => {
    const { store } = await open()
    expect((await store.read((tx) => tx.state())).head).toBeUndefined()
    const about = { author: 'ünï', operation: 'compile', message: 'a "message"\n', root: '/r', createdAt: 7 }
    const first = (await commit(store, async () => undefined, about)).snapshot
    const second = (await commit(store, async () => undefined)).snapshot
    expect(first).toEqual({ ...about, id: first.id, parentId: null, cursorHash: '0'.repeat(16) })
    expect(second).toEqual({ ...ABOUT, id: second.id, parentId: first.id, cursorHash: '0'.repeat(16) })
    expect(second.id).toBeGreaterThan(first.id)
    await store.read(async (tx) => {
      expect((await tx.state()).head).toEqual(second)
      expect(await findSnapshot(tx, first.id)).toEqual(first)
      expect(await findSnapshot(tx, second.id + 1)).toBeUndefined()
    })
  })

  test('the state of a memory tells its head, its home and what comes next', async () => {
    const { store } = await open()
    const state = () => store.read((tx) => tx.state())
    const empty = await state()
    expect(empty).toMatchObject({ head: undefined, home: null, pendingScrubs: 0 })
    expect((await state()).version).toBe(empty.version)
    const { snapshot } = await commit(store, (tx) => tx.commit({ home: '/home' }))
    const next = await state()
    expect(next).toMatchObject({ head: snapshot, home: '/home' })
    expect(next.version).not.toBe(empty.version)
    const { document } = await addDocument(store, note('n'), [{ id: 'x', text: 'x' }])
    await commit(store, (tx, id) => tx.eraseDocument(document.id, id))
    expect(await state()).toMatchObject({ pendingScrubs: can.files ? 1 : 0 })
  })

  test('lists snapshots newest first, in pages', async () => {
    const { store } = await open()
    const ids: number[] = []
    for (let at = 0; at < 5; at++) ids.unshift((await commit(store, async () => undefined)).snapshot.id)
    const list = async (page: { limit: number; after?: number; before?: number }) =>
      (await store.read((tx) => tx.snapshots(page))).map((row) => row.id)
    expect(await list({ limit: 10 })).toEqual(ids)
    expect(await list({ limit: 2 })).toEqual(ids.slice(0, 2))
    expect(await list({ limit: 2, before: ids[1] as number })).toEqual(ids.slice(2, 4))
    expect(await list({ limit: 2, before: ids[4] as number })).toEqual([])
    expect(await list({ limit: 5, after: ids[2] as number })).toEqual(ids.slice(0, 2))
  })

  test('lists snapshots by author, operation, time and place, now or then', async () => {
    const { store } = await open()
    const { createdAt: start } = ABOUT
    const at = (seconds: number, author: string, operation = 'write') => {
      return { createdAt: start + seconds, author, operation }
    }
    const { document, nodes } = await addDocument(store, source('notes/a.md'), [{ id: 'x', text: 'A' }])
    const [node] = nodes as [TestNode]
    await addDocument(store, source('notes-b.md'), [{ id: 'y', text: 'B' }])
    await commit(
      store,
      (tx, id) => tx.applyChanges(id, [change('mod', { ...node, text: 'C' })]),
      at(10, 'ada'),
    )
    const moved = { documentId: document.id, address: source('moved/a.md') }
    await commit(store, (tx) => tx.moveDocuments([moved]), at(20, 'bob', 'compile'))
    await commit(store, (tx, id) => put(tx, id, { kind: 'key', key: 'k' }, 'text'), at(30, 'ada'))
    await commit(
      store,
      (tx, id) => tx.applyChanges(id, [change('mod', { ...node, text: 'D' })]),
      at(40, 'eve'),
    )
    const ids = async (page: SnapshotFilter & { before?: number; limit?: number }) =>
      (await store.read((tx) => tx.snapshots({ limit: 10, ...page }))).map((row) => row.id)
    expect(await ids({ author: 'ada' })).toEqual([5, 3])
    expect(await ids({ author: 'ada', before: 5 })).toEqual([3])
    expect(await ids({ author: "ada' OR 1" })).toEqual([])
    expect(await ids({ operation: 'compile' })).toEqual([4])
    expect(await ids({ since: start + 20, until: start + 30 })).toEqual([5, 4])
    const within = (path: string) => ids({ within: [source(path)] })
    for (const path of ['notes', 'notes/a.md', 'moved', 'moved/a.md'])
      expect([path, await within(path)]).toEqual([path, [6, 4, 3, 1]])
    for (const path of ['note', 'notes/a', 'a.md', 'notes-', 'moved0']) expect(await within(path)).toEqual([])
    expect(await within('notes-b.md')).toEqual([2])
    expect(await within('')).toEqual([6, 4, 3, 2, 1])
    expect(await ids({ within: [{ kind: 'source', root: '/other', path: '' }] })).toEqual([])
    expect(await ids({ within: [{ kind: 'key', key: 'k' }, source('notes-b.md')] })).toEqual([5, 2])
    expect(await ids({ within: [] })).toEqual([])
    expect(await ids({ within: [source('notes')], author: 'ada' })).toEqual([3])
    expect(await ids({ within: [source('notes')], limit: 2, before: 6 })).toEqual([4, 3])
  })

  test('counts what snapshots changed, and lists where documents were', async () => {
    const { store } = await open()
    const { document } = await addDocument(store, source('a.md'), [
      { id: 'x', text: 'A' },
      { id: 'y', text: 'B' },
      { id: 'z', text: 'C' },
    ])
    const { snapshot } = await commit(store, async () => undefined)
    const move = (path: string) => (tx: SnapshotTx) =>
      tx.moveDocuments([{ documentId: document.id, address: source(path) }])
    const first = (await commit(store, move('b.md'))).snapshot.id
    const second = (await commit(store, move('c.md'))).snapshot.id
    await store.read(async (tx) => {
      expect(await tx.changeCounts([snapshot.id, 1, 99], 9)).toEqual([{ snapshotId: 1, count: 3 }])
      expect(await tx.changeCounts([1], 2)).toEqual([{ snapshotId: 1, count: 2 }])
      const { collection } = placeOf(source(''))
      const moves = [
        { documentId: document.id, snapshotId: first, collection, name: 'a.md' },
        { documentId: document.id, snapshotId: second, collection, name: 'b.md' },
      ]
      expect(await tx.documentMoves([99, document.id])).toEqual(moves)
      expect(await tx.movedDocuments(first)).toEqual(moves.slice(1))
      expect(await tx.documentMoves([])).toEqual([])
    })
  })

  test('equal content has an equal cursor hash, and A → B → A is three snapshots', async () => {
    const { store } = await open()
    const { nodes, snapshot: a } = await addDocument(store, note('n'), [{ id: 'x', text: 'A' }])
    const [node] = nodes as [TestNode]
    const { snapshot: b } = await edit(store, node, 'B')
    const { snapshot: again } = await edit(store, node, 'A')
    expect(b.cursorHash).not.toBe(a.cursorHash)
    expect(again.cursorHash).toBe(a.cursorHash)
    expect(new Set([a.id, b.id, again.id]).size).toBe(3)
    const { snapshot: empty } = await remove(store, node)
    expect(empty.cursorHash).toBe('0'.repeat(16))
    expect((await revive(store, node)).snapshot.cursorHash).toBe(a.cursorHash)
  })

  test('the cursor hash tells a place, a type and a label apart, not an order of changes', async () => {
    const shapes: Partial<TestNode>[] = [
      {},
      { position: 'a1' },
      { type: 'code' },
      { label: 'x' },
      { format: 'toon' },
    ]
    const { store: first } = await open()
    const { nodes } = await addDocument(first, note('n'), [
      { id: 'x', text: 'same' },
      { id: 'y', text: 'other' },
    ])
    const [x] = nodes as [TestNode]
    const hashes: string[] = []
    for (const shape of shapes) {
      const next = change('mod', { ...x, ...shape })
      hashes.push((await commit(first, (tx, id) => tx.applyChanges(id, [next]))).snapshot.cursorHash)
    }
    expect(new Set(hashes).size).toBe(shapes.length)
    const { store } = await open()
    await addDocument(store, note('m'), [{ id: 'y', text: 'other', position: 'a1' }])
    const { snapshot } = await addDocument(store, note('n'), [{ id: 'x', text: 'same' }])
    expect(snapshot.cursorHash).toBe(hashes[0])
  })

  test('versions tell what each snapshot made of a node, and of what', async () => {
    const { store } = await open()
    const { nodes, snapshot: s1 } = await addDocument(store, source('a.md'), [
      { id: 'p', text: 'parent', type: 'heading' },
      { id: 'x', text: 'one', under: 0, label: 'own' },
    ])
    const [p, x] = nodes as [TestNode, TestNode]
    const moved: TestNode = { ...x, text: 'two', parent: null, position: 'b0' }
    const { snapshot: s2 } = await commit(store, (tx, id) => tx.applyChanges(id, [change('mod', moved)]))
    const { snapshot: s3 } = await remove(store, moved)
    const one = {
      parentId: 'p',
      position: 'a1',
      type: 'text',
      format: 'plain',
      label: 'own',
      text: 'one',
      links: null,
    }
    const two = { ...one, parentId: null, position: 'b0', text: 'two' }
    const of = { nodeKey: x.key, nodeId: 'x' }
    const versions = [
      { ...of, snapshotId: s1.id, op: 'add', old: null, new: one },
      { ...of, snapshotId: s2.id, op: 'mod', old: one, new: two },
      { ...of, snapshotId: s3.id, op: 'rem', old: two, new: null },
    ]
    await store.read(async (tx) => {
      expect(await tx.versions({ nodeId: 'x' }, { limit: 10 })).toEqual(versions.toReversed())
      expect(await tx.versions({ nodeId: 'x', until: s3.id - 1 }, { limit: 1 })).toEqual([versions[1]])
      expect(await tx.versions({ nodeId: 'none' }, { limit: 10 })).toEqual([])
      const listed = await tx.versions(ALL, { limit: 10 })
      expect(listed).toMatchObject([
        { nodeId: 'p', op: 'add', new: { parentId: null, text: 'parent' } },
        {},
        {},
        {},
      ])
      expect(listed.slice(1)).toEqual(versions)
      expect(await tx.versions({ since: s1.id, until: s2.id }, { limit: 10 })).toEqual([versions[1]])
      for (const [range, limit, after, keys] of [
        [ALL, 100, 0, [p.key, x.key]],
        [{ since: s1.id, until: s3.id }, 100, 0, [x.key]],
        [ALL, 1, 0, [p.key]],
        [ALL, 1, p.key, [x.key]],
        [ALL, 5, x.key, []],
      ] as const) {
        const page = { limit, after }
        expect((await tx.nodes({ changedIn: range, ...page }, 'id')).map(({ key }) => key)).toEqual(keys)
      }
    })
  })

  test('pages through versions without losing or repeating one', async () => {
    const { store } = await open()
    for (let at = 0; at < 3; at++) {
      await addDocument(
        store,
        note(`n${at}`),
        Array.from({ length: 7 }, (_, i) => ({ id: `n${at}.${i}`, text: `${at} ${i}` })),
      )
    }
    const whole = await store.read((tx) => tx.versions(ALL, { limit: 100 }))
    const seen: typeof whole = []
    for (let pages = 0; pages < 10; pages++) {
      const last = seen.at(-1)
      const after = last && { after: last }
      seen.push(...(await store.read((tx) => tx.versions(ALL, { limit: 4, ...after }))))
    }
    expect(whole).toHaveLength(21)
    expect(seen).toEqual(whole)
  })

  test('the net of a range leaves out what came and went and what is as it was', async () => {
    const { store } = await open()
    const {
      nodes,
      document,
      snapshot: from,
    } = await addDocument(store, note('n'), [
      { id: 'same', text: 'same' },
      { id: 'edited', text: 'old' },
      { id: 'gone', text: 'gone' },
      { id: 'returned', text: 'returned' },
    ])
    const [same, edited, gone, returned] = nodes as [TestNode, TestNode, TestNode, TestNode]
    const { value: added } = await commit(store, (tx, id) =>
      addNodes(tx, id, document.id, [
        { id: 'new', text: 'new' },
        { id: 'passing', text: 'passing' },
      ]),
    )
    await edit(store, same, 'different')
    await edit(store, same, 'same')
    await edit(store, edited, 'between')
    await edit(store, edited, 'now')
    await remove(store, gone)
    await remove(store, added[1] as TestNode)
    await remove(store, returned)
    const { snapshot: to } = await revive(store, returned)
    await edit(store, edited, 'after the range')
    const range = { since: from.id, until: to.id }
    await store.read(async (tx) => {
      const rows = await tx.nodes({ changedIn: range, after: 0, limit: 100 }, 'id')
      expect(rows.map(({ id }) => id)).toEqual(['same', 'edited', 'gone', 'returned', 'new', 'passing'])
      const texts = async (at: number) =>
        (await tx.statesAt(keysOf(rows), at)).map(({ state }) => state?.text ?? null)
      expect(await texts(range.since)).toEqual(['same', 'old', 'gone', 'returned'])
      expect(await texts(range.until)).toEqual(['same', 'now', null, 'returned', 'new', null])
    })
    const net = await diff(store, { from: from.id, to: to.id })
    expect(net.items.map(({ nodeId }) => nodeId)).toEqual(['edited', 'gone', 'new'])
  })

  test('tells what nodes were at a snapshot, to restore them', async () => {
    const { store } = await open()
    const {
      nodes,
      document,
      snapshot: target,
    } = await addDocument(store, source('a.md'), [
      { id: 'p', text: 'parent' },
      { id: 'x', text: 'one', under: 0, label: 'own', type: 'kv' },
    ])
    const [p, x] = nodes as [TestNode, TestNode]
    await edit(store, x, 'two')
    await remove(store, x)
    const { value: late } = await commit(store, (tx, id) =>
      addNodes(tx, id, document.id, [{ id: 'late', text: 'late' }]),
    )
    const keys = [late[0]?.key ?? 0, x.key, 999_999, p.key]
    const then = await store.read((tx) => tx.statesAt(keys, target.id))
    expect(then).toEqual([
      {
        key: x.key,
        snapshotId: target.id,
        state: {
          parentKey: p.key,
          parentId: 'p',
          position: 'a1',
          type: 'kv',
          format: 'plain',
          label: 'own',
          digest: contentDigest('one'),
          text: 'one',
          links: null,
        },
      },
      expect.objectContaining({ key: p.key }),
    ])
    const { snapshot: last } = await edit(store, p, 'parent again')
    const now = await store.read((tx) => tx.statesAt(keys, last.id))
    expect(now.map(({ state }) => state?.text ?? null)).toEqual(['late', null, 'parent again'])
  })

  test('a parent that is erased is none to go back to, though its id is still known', async () => {
    const { store } = await open()
    const { document, nodes } = await addDocument(store, note('secret'), [{ id: 'p', text: 'parent' }])
    const [p] = nodes as [TestNode]
    const { value: child, snapshot: target } = await commit(store, async (tx, id) => {
      const other = await put(tx, id, note('other'))
      const key = await tx.allocateKeys(1)
      const node = { id: 'c', text: 'child', key, documentId: other.id, parent: p }
      await tx.applyChanges(id, [change('add', node)])
      return node
    })
    await commit(store, async (tx, id) => {
      await tx.applyChanges(id, [change('mod', { ...child, parent: null })])
      await tx.eraseDocument(document.id, id)
    })
    expect(await store.read((tx) => tx.statesAt([p.key, child.key], target.id))).toMatchObject([
      { key: child.key, state: { parentKey: null, parentId: 'p' } },
    ])
  })

  test('brings documents back to what they were', async () => {
    const { store } = await open()
    const { document: kept } = await addDocument(store, note('kept'), [], 'kept')
    const { document: edited, snapshot } = await addDocument(store, note('edited'), [], 'old')
    await commit(store, (tx, id) => put(tx, id, note('edited'), 'new'))
    await commit(store, (tx, id) => put(tx, id, note('edited'), 'newer'))
    const { document: late } = await addDocument(store, note('late'), [], 'late')
    await commit(store, (tx, id) => tx.dropDocument(kept.id, id))
    await commit(store, (tx, id) => tx.restoreDocuments(snapshot.id, id))
    await store.read(async (tx) => {
      expect(await documentText(tx, edited.id)).toBe('old')
      expect(await documentText(tx, kept.id)).toBe('kept')
      expect(await documentText(tx, late.id)).toBeNull()
      expect((await documentAt(tx, note('late'), 'row'))?.state).toBe('removed')
      expect(await documentAt(tx, note('kept'), 'row')).toMatchObject({
        state: 'live',
        digest: contentDigest('kept'),
      })
      expect((await tx.texts([contentDigest('newer')])).size).toBe(1)
      expect((await healthOf(tx)).filter((check) => check.status !== 'pass')).toEqual([])
    })
  })

  test('two puts of a document in one snapshot leave one version: the last', async () => {
    const { store } = await open()
    const { value: document, snapshot } = await commit(store, async (tx, id) => {
      await put(tx, id, note('n'), 'first')
      return put(tx, id, note('n'), 'second')
    })
    await commit(store, (tx, id) => put(tx, id, note('n'), 'third'))
    expect((await store.read((tx) => tx.texts([contentDigest('first')]))).size).toBe(0)
    await commit(store, (tx, id) => tx.restoreDocuments(snapshot.id, id))
    expect(await store.read((tx) => documentText(tx, document.id))).toBe('second')
    expect((await store.read(healthOf)).filter((check) => check.status !== 'pass')).toEqual([])
  })

  test('dropping snapshots forgets them, with the text only they held', async () => {
    const { store } = await open()
    const {
      nodes,
      document,
      snapshot: target,
    } = await addDocument(store, note('n'), [
      { id: 'x', text: 'one' },
      { id: 'y', text: 'stays' },
    ])
    const [x, y] = nodes as [TestNode, TestNode]
    const { value: late } = await commit(store, (tx, id) =>
      addNodes(tx, id, document.id, [{ id: 'late', text: 'dropped late' }]),
    )
    await edit(store, x, 'dropped edit')
    await remove(store, y)
    await revive(store, y)
    const { value: dropped, snapshot: keep } = await commit(store, async (tx, id) => {
      await tx.applyChanges(id, [change('mod', x), { op: 'rem', key: late[0]?.key ?? 0 }])
      await tx.restoreDocuments(target.id, id)
      return tx.dropSnapshots(target.id)
    })
    expect(dropped).toBe(4)
    expect(keep).toMatchObject({ parentId: target.id, cursorHash: target.cursorHash })
    await store.read(async (tx) => {
      expect((await tx.snapshots({ limit: 10 })).map((row) => row.id)).toEqual([keep.id, target.id])
      expect((await tx.texts(['dropped late', 'dropped edit'].map(contentDigest))).size).toBe(0)
      expect((await tx.versions(ALL, { limit: 100 })).map((row) => [row.nodeId, row.snapshotId])).toEqual([
        ['x', target.id],
        ['y', target.id],
      ])
      expect(await usedIds(tx, ['late'])).toEqual([])
      expect(await findNode(tx, 'y')).toMatchObject({ removedIn: null })
      const failing = (await healthOf(tx)).filter((check) => check.status === 'fail')
      expect(failing.map(({ name }) => name)).toEqual(can.files ? ['pending_scrub'] : [])
    })
    const { snapshot: next } = await edit(store, x, 'goes on')
    expect(next.parentId).toBe(keep.id)
    expect(next.id).toBeGreaterThan(keep.id)
  })

  test('nodes removed after a snapshot: unknown ones go with a drop, others count as removed before it', async () => {
    const { store } = await open()
    const {
      nodes,
      document,
      snapshot: first,
    } = await addDocument(store, source('a.md'), [
      { id: 'gone', text: 'gone' },
      { id: 'back', text: 'back' },
      { id: 'stays', text: 'stays' },
    ])
    const [gone, back] = nodes as [TestNode, TestNode]
    const { snapshot: target } = await remove(store, back)
    await revive(store, back)
    const { value: late } = await commit(store, (tx, id) =>
      addNodes(tx, id, document.id, [
        { id: 'late', text: 'late' },
        { id: 'kept', text: 'kept' },
      ]),
    )
    await commit(store, async (tx, id) => {
      const keys = [gone, back, ...late].map(({ key }) => key)
      await tx.applyChanges(
        id,
        keys.map((key) => ({ op: 'rem', key })),
      )
      const overlay = { nodeKey: late[1]?.key ?? 0, operation: 'forget', base: null }
      await tx.commit({ overlays: { put: [overlay], remove: [] } })
    })
    const { document: secret, nodes: erased } = await addDocument(store, note('secret'), [
      { id: 'secret', text: 'secret' },
    ])
    await commit(store, (tx, id) => tx.eraseDocument(secret.id, id))
    const keys = [gone, back, ...late, ...erased].map(({ key }) => key)
    await store.read(async (tx) => {
      const rows = async (after: number, limit: number) =>
        (await tx.nodes({ removedAfter: target.id, after, limit }, 'id')).map(({ key }) => key)
      expect(await rows(0, 10)).toEqual(keys)
      expect(await rows(gone.key, 2)).toEqual(keys.slice(1, 3))
    })
    const { snapshot } = await commit(store, (tx) => tx.dropSnapshots(target.id))
    await store.read(async (tx) => {
      const left = await tx.nodes({ keys, removed: true }, 'full')
      expect(left.map(({ id, removedIn }) => [id, removedIn])).toEqual([
        ['gone', first.id],
        ['back', target.id],
        ['kept', snapshot.id],
        ['secret', snapshot.id],
      ])
      const texts = await tx.texts(['gone', 'back', 'late', 'kept', 'secret'].map(contentDigest))
      expect([...texts.values()].toSorted()).toEqual(['back', 'gone'])
    })
  })

  test('a node that was gone at the target stays gone and known after a drop', async () => {
    const { store } = await open()
    const { nodes } = await addDocument(store, note('n'), [{ id: 'x', text: 'one' }])
    const [x] = nodes as [TestNode]
    const { snapshot: target } = await remove(store, x)
    await revive(store, { ...x, text: 'two' })
    await commit(store, async (tx, id) => {
      await tx.applyChanges(id, [{ op: 'rem', key: x.key }])
      await tx.dropSnapshots(target.id)
    })
    await store.read(async (tx) => {
      expect(await usedIds(tx, ['x'])).toEqual(['x'])
      expect(await findNode(tx, 'x')).toBeUndefined()
      expect((await tx.versions({ nodeId: 'x' }, { limit: 10 })).map((row) => row.op)).toEqual(['rem', 'add'])
      expect((await tx.texts([contentDigest('two')])).size).toBe(0)
      expect((await tx.texts([contentDigest('one')])).size).toBe(1)
    })
  })
}
