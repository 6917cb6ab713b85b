import { expect, test } from 'vitest'
import type { ScanKey, StoredRows, StoredTable } from '../../src/core/port/scan.ts'
import type { Store } from '../../src/core/port/store.ts'
import { contentDigest } from '../../src/util/hash.ts'
import { addDocument, change, commit, markOf, note, source, type TestNode } from '../support/store-changes.ts'
import { writing } from '../support/writing.ts'
import type { OpenEmpty } from './store.ts'

/** What rows of a table are ordered by. */
type Keys = { [T in StoredTable]?: (row: StoredRows[T]) => ScanKey }
const KEYS = {
  texts: ({ key }) => [key],
  nodeRows: ({ key }) => [key],
  nodeStates: ({ key }) => [key],
  versionRows: ({ nodeKey, snapshotId }) => [nodeKey, snapshotId],
  heat: ({ key }) => [key],
  linkRows: ({ sourceKey, id }) => [sourceKey, id],
  documentRows: ({ id }) => [id],
  documentVersionRows: ({ documentId, snapshotId }) => [documentId, snapshotId],
  counters: ({ name }) => [name],
  doorCounts: (row) => [row.kind, row.state, row.archived, row.type, row.importance, row.status],
  tagCounts: ({ kind, tag }) => [kind, tag],
  fileFacts: ({ root, path }) => [root, path],
  leases: ({ name }) => [name],
} satisfies Keys

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
    for (const [key, tags] of Object.entries({ k: ['T', 'U'], l: ['T'] }))
      await tx.putDocuments(
        [{ address: { kind: 'key', key }, digest: contentDigest(key), text: key, attributes: { tags } }],
        id,
      )
  })
  await addDocument(store, note('n'), [{ id: 'note', text: 'see it' }])
  await writing(store, async (tx) => {
    const lease = { holder: 'me', detail: null, expiresAt: 7 }
    const facts = { sizeBytes: 5, modifiedAt: 6, changedAt: 7, inode: '8', scannedAt: 9, parser: 'p' }
    const file = { ...facts, digest: contentDigest('file'), failure: null }
    await tx.commit({
      leases: { put: ['tick', 'watch'].map((name) => ({ ...lease, name })), remove: [] },
      fileFacts: { root: 'docs', put: ['a.md', 'b.md'].map((path) => ({ ...file, path })), remove: [] },
    })
  })
  return { heading, linked, gone }
}

const ALL = { limit: 1000 }

export function rowContract(open: OpenEmpty): void {
  test('tells nodes with what follows from them, live or not', async () => {
    const { store } = await open()
    const { heading, linked, gone } = await fill(store)
    await store.read(async (tx) => {
      const rows = await tx.scan('nodeRows', ALL)
      expect(rows.map(({ textKey: _, ...row }) => row)).toEqual([
        { key: heading.key, parentKey: null, type: 'heading', tokens: expect.any(Number), removedIn: null },
        {
          key: linked.key,
          parentKey: heading.key,
          type: 'text',
          tokens: expect.any(Number),
          removedIn: null,
        },
        { key: gone.key, parentKey: null, type: 'text', tokens: 0, removedIn: 2 },
        {
          key: expect.any(Number),
          parentKey: null,
          type: 'text',
          tokens: expect.any(Number),
          removedIn: null,
        },
      ])
      const [first, second, ...others] = await tx.scan('nodeStates', ALL)
      expect([first?.parentId, others.map(({ id }) => id)]).toEqual([null, ['note']])
      expect(second).toEqual({
        ...{
          key: linked.key,
          id: 'linked',
          parentId: 'heading',
          position: 'a1',
          type: 'text',
          format: 'plain',
        },
        ...{ links: linked.links, ownLabel: null, label: 'see it', text: 'see it' },
        ...{ digest: contentDigest('see it'), mark: markOf(linked).toString(16).padStart(16, '0') },
      })
      expect((await tx.scan('heat', ALL)).map(({ key, coldness }) => [key, coldness === null])).toEqual(
        rows.map(({ key, removedIn }) => [key, removedIn !== null]),
      )
    })
  })

  test('tells the label that a version has of its own', async () => {
    const { store } = await open()
    const { heading } = await fill(store)
    await commit(store, (tx, id) => tx.applyChanges(id, [change('mod', { ...heading, label: 'Mine' })]))
    const [row] = await store.read((tx) => tx.scan('nodeStates', ALL))
    expect(row).toMatchObject({ ownLabel: 'Mine', label: 'Mine' })
  })

  test('tells texts once, and who refers to them by the same number', async () => {
    const { store } = await open()
    const { linked, gone } = await fill(store)
    await store.read(async (tx) => {
      const texts = await tx.scan('texts', ALL)
      const found = new Map(texts.map((row) => [row.text, row]))
      expect(found.get('see it')).toMatchObject({ digest: contentDigest('see it'), references: 2 })
      expect(found.get('k')).toMatchObject({ references: 2 })
      const versions = await tx.scan('versionRows', { of: [linked.key, gone.key], limit: 9 })
      expect(versions).toMatchObject([
        { nodeKey: linked.key, op: 'add', links: linked.links, textKey: found.get('see it')?.key },
        { nodeKey: gone.key, op: 'add', label: 'own label', textKey: found.get('gone')?.key },
        { nodeKey: gone.key, op: 'rem', textKey: null },
      ])
      const [text] = await tx.scan('texts', { of: [found.get('k')?.key ?? 0], limit: 9 })
      expect(text).toEqual(found.get('k'))
    })
  })

  test('tells documents with their tags, and what is counted of them', async () => {
    const { store } = await open()
    await fill(store)
    await store.read(async (tx) => {
      const documents = await tx.scan('documentRows', ALL)
      const common = { isOwn: true, state: 'live', hasDigest: true, textBytes: 0, appended: 0, accesses: 0 }
      expect(documents[0]).toEqual({
        ...{ ...common, id: 1, kind: 'source', file: { root: 'docs', path: 'a.md' } },
        ...{ textKey: null, attributes: null, accessedAt: null, tags: [] },
      })
      const word = { T: '#t', U: '#u' }
      const tags = (['T', 'U'] as const).map((tag) => ({ tag, word: word[tag] }))
      expect(documents[1]).toMatchObject({
        ...common,
        kind: 'key',
        file: null,
        attributes: '{"tags":["T","U"]}',
      })
      expect(documents[1]?.tags.toSorted((a, b) => (a.tag < b.tag ? -1 : 1))).toEqual(tags)
      expect(await tx.scan('documentVersionRows', ALL)).toMatchObject([
        { documentId: 2, snapshotId: 2, state: 'live', textKey: documents[1]?.textKey, lead: null },
        { documentId: 3 },
        { documentId: 4 },
      ])
      expect(await tx.scan('doorCounts', ALL)).toMatchObject([
        { kind: 'key', state: 'live', count: 2, bytes: 0 },
      ])
      expect(await tx.scan('tagCounts', ALL)).toEqual([
        { kind: 'key', tag: 'T', count: 2 },
        { kind: 'key', tag: 'U', count: 1 },
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
      expect(await tx.scan('linkRows', ALL)).toMatchObject([
        { sourceKey: linked.key, origin: 'parsed', targetKey: heading.key, asleep: 0 },
        { sourceKey: linked.key, origin: 'parsed', targetKey: null, asleep: 0 },
      ])
      const { head, heat } = await tx.state()
      expect(await tx.scan('space', ALL)).toEqual([{ headId: 3, digest: head?.cursorHash, heat }])
      expect(await tx.scan('leases', ALL)).toEqual([
        { name: 'tick', holder: 'me', detail: null, expiresAt: 7 },
        { name: 'watch', holder: 'me', detail: null, expiresAt: 7 },
      ])
      expect((await tx.scan('fileFacts', ALL))[0]).toEqual({
        ...{ root: 'docs', path: 'a.md', size: 5, modifiedAt: 6, changedAt: 7, scannedAt: 9 },
        ...{ digest: contentDigest('file'), line: null, reason: null },
      })
    })
  })

  test.each(Object.keys(KEYS) as (keyof typeof KEYS)[])('gives %s in pages, each row once', async (table) => {
    const { store } = await open()
    await fill(store)
    await store.read(async (tx) => {
      const all = await tx.scan(table, ALL)
      expect(all.length).toBeGreaterThan(0)
      const keyOf = KEYS[table] as (row: unknown) => ScanKey
      const found: unknown[] = []
      for (let after: ScanKey = []; found.length <= all.length; ) {
        const page = await tx.scan(table, { after, limit: 1 })
        if (page.length === 0) break
        found.push(...page)
        after = keyOf(page[0])
      }
      expect(found).toEqual(all)
    })
  })
}
