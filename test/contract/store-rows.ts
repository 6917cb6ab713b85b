import { expect, test } from 'vitest'
import { linkEntries, NO_ENTRIES } from '../../src/core/audit/chain.ts'
import { SCANNED, type ScanKey, type StoredTable, scanKey } from '../../src/core/port/scan.ts'
import type { Store } from '../../src/core/port/store.ts'
import { contentDigest } from '../../src/util/text/hash.ts'
import { sha256 } from '../../src/util/text/sha256.ts'
import { allStates } from '../support/health.ts'
import {
  addDocument,
  change,
  commit,
  markOf,
  note,
  source,
  stateOf,
  type TestNode,
} from '../support/store-changes.ts'
import { writing } from '../support/writing.ts'
import type { OpenEmpty } from './store.ts'

/** A file on disk with a heading, a paragraph that links to it and one that is removed; keys with tags; a lease. */
async function fill(store: Store) {
  const { nodes } = await addDocument(store, source('a.md'), [
    { id: 'heading', text: 'Title', type: 'heading' },
    { id: 'linked', text: 'see it', under: 0, links: '[["title",1,"",""],["nowhere",1,"",""]]' },
    { id: 'gone', text: 'gone', label: 'own label' },
  ])
  const [heading, linked, gone] = nodes as [TestNode, TestNode, TestNode]
  await commit(store, async (tx, id) => {
    await tx.applyChanges(id, [{ op: 'rem', key: gone.key }])
    for (const [key, tags] of Object.entries({ k: ['T', 'U'], l: ['T'] })) {
      const content = { digest: contentDigest(key), text: key, attributes: { tags } }
      await tx.putDocuments([{ address: { kind: 'key', key }, ...content, userId: `user of ${key}` }], id)
    }
  })
  await addDocument(store, note('n'), [{ id: 'note', text: 'see it' }])
  await writing(store, async (tx) => {
    const lease = { holder: 'me', detail: null, expiresAt: 7 }
    const facts = { sizeBytes: 5, modifiedAt: 6, changedAt: 7, inode: '8', scannedAt: 9, parser: 'p' }
    const file = { ...facts, digest: contentDigest('file'), failure: null }
    const checkpoint = { snapshotId: 1, author: 'me', createdAt: 5 }
    await tx.commit({
      checkpoints: { put: ['one', 'two'].map((name) => ({ ...checkpoint, name })), remove: [] },
      moves: {
        put: [1, 2].map((snapshotId) => ({ documentId: 1, snapshotId, collection: 'docs', name: 'z.md' })),
        remove: [],
      },
      leases: { put: ['tick', 'watch'].map((name) => ({ ...lease, name })), remove: [] },
      audit: linkEntries(NO_ENTRIES, ['a', 'b'].map(eventAbout), sha256),
      fileFacts: { root: 'docs', put: ['a.md', 'b.md'].map((path) => ({ ...file, path })), remove: [] },
    })
  })
  return { heading, linked, gone }
}

function eventAbout(subject: string) {
  return {
    at: 1,
    event: 'memory_recalled',
    userId: 'u',
    principalId: 'p',
    address: '',
    subjectKind: 'key',
    subject,
  }
}

const ALL = { limit: 1000 }

export function rowContract(open: OpenEmpty): void {
  test('checkpoints and moves are kept until their snapshots are dropped', async () => {
    const { store } = await open()
    await addDocument(store, source('a.md'), [{ id: 'a', text: 'a' }])
    const at = { author: 'me', createdAt: 5 }
    await commit(store, async (tx) => {
      await tx.moveDocuments([{ documentId: 1, address: source('b.md') }])
      await tx.commit({
        checkpoints: {
          put: [
            { name: 'second', snapshotId: 2, ...at },
            { name: 'gone', snapshotId: 1, ...at },
            { name: 'first', snapshotId: 1, ...at },
          ],
          remove: [],
        },
      })
    })
    await commit(store, (tx) => tx.moveDocuments([{ documentId: 1, address: source('c.md') }]))
    await writing(store, (tx) => tx.commit({ checkpoints: { put: [], remove: ['gone'] } }))
    const moved = (snapshotId: number, name: string) => ({
      documentId: 1,
      snapshotId,
      collection: 'docs',
      name,
    })
    await store.read(async (tx) => {
      expect(await tx.checkpoints()).toEqual([
        { name: 'first', snapshotId: 1, ...at },
        { name: 'second', snapshotId: 2, ...at },
      ])
      expect(await tx.movedDocuments(1)).toEqual([moved(2, 'a.md')])
      expect(await tx.movedDocuments(2)).toEqual([moved(3, 'b.md')])
      expect(await tx.movedDocuments(3)).toEqual([])
      expect(await tx.scan('moves', { of: { documentId: [1] }, limit: 9 })).toEqual([
        moved(2, 'a.md'),
        moved(3, 'b.md'),
      ])
    })
    await commit(store, (tx) => tx.dropSnapshots(1))
    await store.read(async (tx) => {
      expect(await tx.checkpoints()).toMatchObject([{ name: 'first' }])
      expect(await tx.movedDocuments(0)).toEqual([])
    })
  })

  test('snapshots are found by time', async () => {
    const { store } = await open()
    await addDocument(store, source('a.md'), [{ id: 'a', text: 'a' }])
    const [first] = await store.read((tx) => tx.snapshots({ limit: 1 }))
    const until = first?.createdAt ?? 0
    expect(await store.read((tx) => tx.snapshots({ until, limit: 9 }))).toEqual([first])
    expect(await store.read((tx) => tx.snapshots({ until: until - 1, limit: 9 }))).toEqual([])
  })

  test('scan returns nodes as they were stored, live or not', async () => {
    const { store } = await open()
    const { heading, linked, gone } = await fill(store)
    await store.read(async (tx) => {
      const [first, second, third, ...others] = await tx.scan('nodes', ALL)
      expect(first).toMatchObject({
        key: heading.key,
        id: 'heading',
        parentKey: null,
        type: 'heading',
        name: 'title',
      })
      expect(second).toEqual({
        ...{ key: linked.key, id: 'linked', documentId: 1, parentKey: heading.key, position: 'a1' },
        ...{
          type: 'text',
          format: 'plain',
          label: 'see it',
          name: null,
          links: linked.links,
          removedIn: null,
        },
        ...{ tokens: expect.any(Number), textKey: expect.any(Number), mark: markOf(linked) },
      })
      expect(third).toMatchObject({ key: gone.key, tokens: 0, textKey: null, mark: null, removedIn: 2 })
      expect(others.map(({ id }) => id)).toEqual(['note'])
      const heat = await tx.scan('heat', ALL)
      expect(heat.map(({ key, coldness }) => [key, coldness === null])).toEqual(
        [first, second, third, ...others].map((row) => [row?.key, row?.removedIn !== null]),
      )
      expect(heat[0]).toMatchObject({ pinned: false, accesses: 0, accessedAt: null, told: false })
      expect(await tx.scan('nodes', { of: { documentId: [1] }, limit: 9 })).toEqual([first, second, third])
      expect(await tx.scan('nodes', { of: { key: [gone.key] }, limit: 9 })).toEqual([third])
    })
  })

  test('live nodes are joined with their parent, text and the label that a version has of its own', async () => {
    const { store } = await open()
    const { heading } = await fill(store)
    await commit(store, (tx, id) => tx.applyChanges(id, [change('mod', { ...heading, label: 'Mine' })]))
    expect(await store.read(allStates)).toMatchObject([
      { id: 'heading', parentId: null, ownLabel: 'Mine', label: 'Mine', text: 'Title' },
      { id: 'linked', parentId: 'heading', ownLabel: null, text: 'see it', digest: contentDigest('see it') },
      { id: 'note', parentId: null, ownLabel: null, text: 'see it' },
    ])
  })

  test('scan returns what the file says of an edited node', async () => {
    const { store } = await open()
    const { linked, gone } = await fill(store)
    const put = [
      { nodeKey: linked.key, operation: 'write', base: { ...stateOf(linked), label: null, links: null } },
      { nodeKey: gone.key, operation: 'forget', base: null },
    ]
    await writing(store, (tx) => tx.commit({ overlays: { put, remove: [] } }))
    await store.read(async (tx) => {
      expect(await tx.scan('overlays', ALL)).toEqual(put)
      expect(await tx.scan('overlays', { of: { nodeKey: [gone.key] }, limit: 9 })).toEqual([put[1]])
      expect(await tx.countRows('overlays')).toBe(2)
    })
  })

  test('tells texts once, and who refers to them by the same number', async () => {
    const { store } = await open()
    const { linked, gone } = await fill(store)
    await store.read(async (tx) => {
      const texts = await tx.scan('texts', ALL)
      const found = new Map(texts.map((row) => [row.text, row]))
      expect(found.get('see it')).toMatchObject({ digest: contentDigest('see it'), references: 2 })
      expect(found.get('k')).toMatchObject({ references: 2 })
      const versions = await tx.scan('versions', { of: { nodeKey: [linked.key, gone.key] }, limit: 9 })
      expect(versions).toMatchObject([
        { nodeKey: linked.key, op: 'add', links: linked.links, textKey: found.get('see it')?.key },
        { nodeKey: gone.key, op: 'add', label: 'own label', textKey: found.get('gone')?.key },
        { nodeKey: gone.key, op: 'rem', textKey: null },
      ])
      const [text] = await tx.scan('texts', { of: { key: [found.get('k')?.key ?? 0] }, limit: 9 })
      expect(text).toEqual(found.get('k'))
    })
  })

  test('tells documents and their tags, and what is counted of them', async () => {
    const { store } = await open()
    await fill(store)
    await store.read(async (tx) => {
      const documents = await tx.scan('documents', ALL)
      const common = {
        isOwn: true,
        state: 'live',
        appended: false,
        accesses: 0,
        accessedAt: null,
      }
      expect(documents[0]).toMatchObject({
        ...{ ...common, id: 1, kind: 'source', address: source('a.md'), digest: expect.any(String) },
        ...{ textKey: null, attributes: null, revision: 1 },
        ...{ textBytes: 0, ownTextBytes: 0, userId: null },
      })
      expect(documents[1]).toMatchObject({
        ...{ ...common, id: 2, kind: 'key', address: { kind: 'key', key: 'k' }, digest: contentDigest('k') },
        attributes: { tags: ['T', 'U'] },
        ...{ textBytes: 1, ownTextBytes: 1, userId: 'user of k' },
      })
      const tags = [
        { documentId: 2, tag: 'T', word: '#t' },
        { documentId: 2, tag: 'U', word: '#u' },
        { documentId: 3, tag: 'T', word: '#t' },
      ]
      expect(await tx.scan('tags', ALL)).toEqual(tags)
      expect(await tx.scan('tags', { of: { documentId: [3] }, limit: 9 })).toEqual(tags.slice(2))
      expect(await tx.scan('documentVersions', ALL)).toMatchObject([
        { documentId: 2, snapshotId: 2, state: 'live', textKey: documents[1]?.textKey, lead: null },
        { documentId: 3, attributes: { tags: ['T'] } },
        { documentId: 4 },
      ])
      expect(await tx.scan('doorCounts', ALL)).toMatchObject([
        { kind: 'key', state: 'live', count: 2, bytes: 0 },
      ])
      expect(await tx.scan('tagCounts', ALL)).toEqual([
        { kind: 'key', tag: 'T', count: 2 },
        { kind: 'key', tag: 'U', count: 1 },
      ])
      expect(await tx.scan('userCounts', ALL)).toEqual([
        { userId: 'user of k', count: 1, bytes: 1 },
        { userId: 'user of l', count: 1, bytes: 1 },
      ])
    })
  })

  test('tells counters, links, the state and what else is kept', async () => {
    const { store } = await open()
    const { heading, linked } = await fill(store)
    await store.read(async (tx) => {
      const counters = await tx.scan('counters', ALL)
      expect(Object.fromEntries(counters.map(({ name, value }) => [name, value]))).toMatchObject({
        ...{ nodes: 3, 'nodes.heading': 1, 'nodes.text': 2, 'relations.parsed': 1, relations_pending: 1 },
      })
      expect(await tx.scan('links', ALL)).toMatchObject([
        { sourceKey: linked.key, origin: 'parsed', place: 0, targetKey: heading.key, asleep: false },
        { sourceKey: linked.key, origin: 'parsed', label: 'nowhere', targetKey: null, asleep: false },
      ])
      const { head, heat } = await tx.state()
      expect(await tx.scan('space', ALL)).toMatchObject([
        { headId: 3, digest: BigInt(`0x${head?.cursorHash}`), heat },
      ])
      expect(await tx.scan('leases', ALL)).toEqual([
        { name: 'tick', holder: 'me', detail: null, expiresAt: 7 },
        { name: 'watch', holder: 'me', detail: null, expiresAt: 7 },
      ])
      expect((await tx.scan('fileFacts', ALL))[0]).toEqual({
        ...{
          root: 'docs',
          path: 'a.md',
          sizeBytes: 5,
          modifiedAt: 6,
          changedAt: 7,
          inode: '8',
          scannedAt: 9,
        },
        ...{ digest: contentDigest('file'), parser: 'p', failure: null },
      })
    })
  })

  const paged = (Object.keys(SCANNED) as StoredTable[]).filter((table) => SCANNED[table].key.length > 0)
  test.each(paged)('gives %s in pages, each row once', async (table) => {
    const { store } = await open()
    const { linked, gone } = await fill(store)
    const put = [linked, gone].map(({ key }) => ({ nodeKey: key, operation: 'forget', base: null }))
    await writing(store, (tx) => tx.commit({ overlays: { put, remove: [] } }))
    await store.read(async (tx) => {
      const all = await tx.scan(table, ALL)
      expect(all.length).toBeGreaterThan(0)
      expect(await tx.countRows(table)).toBe(all.length)
      const found: unknown[] = []
      for (let after: ScanKey = []; found.length <= all.length; ) {
        const [row] = await tx.scan(table, { after, limit: 1 })
        if (!row) break
        found.push(row)
        after = scanKey(table, row)
      }
      expect(found).toEqual(all)
    })
  })
}
