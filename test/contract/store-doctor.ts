import { expect, test } from 'vitest'
import type { NodeStateRow } from '../../src/core/doctor/checked-rows.ts'
import { heal } from '../../src/core/doctor/doctor.ts'
import type { Engine, ReadTx, Store, WriteTx } from '../../src/core/port/store.ts'
import type { StoredNodeFacts } from '../../src/core/port/stored.ts'
import type { WriteSet } from '../../src/core/port/write-set.ts'
import { contentDigest } from '../../src/util/text/hash.ts'
import { allStates, healthOf } from '../support/health.ts'
import { addDocument, commit, note, source, type TestNode } from '../support/store-changes.ts'
import { writing } from '../support/writing.ts'
import type { OpenEmpty } from './store.ts'

/** A heading with a paragraph and a removed one below it, a note, and a key with tags. */
async function fill(store: Store): Promise<Filled> {
  const { nodes } = await addDocument(store, source('a.md'), [
    { id: 'heading', text: 'Title', type: 'heading' },
    { id: 'text', text: 'some text', under: 0 },
    { id: 'gone', text: 'gone', under: 0 },
  ])
  const [heading, text, gone] = nodes as [TestNode, TestNode, TestNode]
  await addDocument(store, note('n'), [{ id: 'note', text: 'a note' }], 'a note')
  await commit(store, async (tx, id) => {
    await tx.applyChanges(id, [{ op: 'rem', key: gone.key }])
    const attributes = { tags: ['T', 'U'] }
    await tx.putDocuments(
      [{ address: { kind: 'key', key: 'k' }, digest: contentDigest('v'), text: 'v', attributes }],
      id,
    )
  })
  return { heading: heading.key, text: text.key, gone: gone.key }
}

interface Filled {
  heading: number
  text: number
  gone: number
}

type Break = (keys: Filled, tx: WriteTx) => WriteSet | Promise<WriteSet>

/** Sets that no operation commits. */
const BREAKAGES: [check: string, what: string, Break][] = [
  ['counters', 'a counter is off', () => ({ counters: new Map([['tokens', 3]]) })],
  ['counters', 'what is not there is counted', () => ({ counters: new Map([['nodes.table', 3]]) })],
  [
    'text_refs',
    'a count is too high',
    () => ({ texts: [{ digest: contentDigest('v'), text: null, by: 3 }] }),
  ],
  [
    'text_refs',
    'a count is too low',
    () => ({ texts: [{ digest: contentDigest('v'), text: null, by: -1 }] }),
  ],
  [
    'text_refs',
    'nobody refers to a text',
    () => ({ texts: [{ digest: contentDigest('x'), text: 'x', by: 1 }] }),
  ],
  [
    'text_refs',
    'the version of a live node is lost',
    ({ text }) => ({ versions: { put: [], remove: [{ key: text, snapshotId: 1 }] } }),
  ],
  [
    'missing_text',
    'the text of a node and its version is lost',
    () => ({ texts: [{ digest: contentDigest('some text'), text: null, by: -1 }] }),
  ],
  [
    'missing_text',
    'the text of a document is lost',
    () => ({ texts: [{ digest: contentDigest('v'), text: null, by: -2 }] }),
  ],
  ['head_cursor', 'there is no head', () => ({ state: { headId: null } })],
  ['cursor_hash', 'the state digest is wrong', () => ({ state: { digest: 7n } })],
  ['cursor_hash', "the head's hash is wrong", (_, tx) => withHead(tx, { cursorHash: 'wrong' })],
  ['cursor_hash', "a node's share is wrong", ({ text }, tx) => withNode(tx, text, { mark: 7n })],
  ['labels', 'a label is wrong', ({ text }, tx) => withNode(tx, text, { label: 'HACKED' })],
  [
    'unreachable_nodes',
    'a node is below its own child',
    ({ heading, text }, tx) => withNode(tx, heading, { parentKey: text }),
  ],
  [
    'orphan_parent_id',
    'a node is below a removed one',
    ({ text, gone }, tx) => withNode(tx, text, { parentKey: gone }),
  ],
  ['heat', 'a node is too hot', ({ text }, tx) => withHeat(tx, text, { value: 1.5 })],
  ['heat', 'a node is not in the order', ({ text }, tx) => withHeat(tx, text, { coldness: null })],
  ['heat', 'a removed node is in the order', ({ gone }, tx) => withHeat(tx, gone, { coldness: 0 })],
  [
    'heat',
    'the clock is ahead of time',
    async (_, tx) => ({ heatClock: { ...(await tx.state()).heat, tickedAt: 9e15 } }),
  ],
  [
    'leases',
    'a lease never ends',
    () => ({ leases: { put: [{ name: 'tick', holder: 'me', detail: null, expiresAt: 9e15 }], remove: [] } }),
  ],
  ['files', 'a file is outside its root', () => withFile('../x.md')],
  ['documents', 'tags are lost', () => ({ tags: [{ documentId: 3, tags: [] }] })],
  ['documents', 'a tag is found by other words', () => ({ tags: [{ documentId: 3, tags: TAGS }] })],
  [
    'documents',
    'a document that is there is not counted',
    () => ({ doorCounts: [{ ...KEYS, count: -1, bytes: 0 }] }),
  ],
  [
    'documents',
    'a tag is counted that nobody has',
    () => ({ tagCounts: [{ kind: 'key', tag: 'X', count: 1 }] }),
  ],
  [
    'documents',
    'a user is charged for what nobody created',
    () => ({ userCounts: [{ userId: 'eve', count: 1, bytes: 5 }] }),
  ],
  [
    'documents',
    'the size of a document is wrong',
    async (_, tx) => {
      const [before] = await tx.documents({ ids: [3] }, 'stored')
      return before ? { documents: [{ before, after: { ...before, textBytes: before.textBytes + 1 } }] } : {}
    },
  ],
]

const TAGS = [
  { tag: 'T', word: '#t' },
  { tag: 'U', word: '#wrong' },
]
const KEYS = { kind: 'key', state: 'live', archived: '', type: '', importance: '', status: '' } as const

async function withHead(tx: WriteTx, change: { cursorHash: string }): Promise<WriteSet> {
  const { head } = await tx.state()
  return head ? { snapshots: [{ ...head, ...change }] } : {}
}

async function withNode(tx: WriteTx, key: number, change: Partial<StoredNodeFacts>): Promise<WriteSet> {
  const stored = await tx.nodes({ keys: [key], removed: true }, 'stored')
  return { nodes: stored.map((before) => ({ before, after: { ...before, ...change } })) }
}

async function withHeat(
  tx: WriteTx,
  key: number,
  change: Partial<StoredNodeFacts['heat']>,
): Promise<WriteSet> {
  const stored = await tx.nodes({ keys: [key], removed: true }, 'stored')
  return { heat: stored.map(({ heat }) => ({ ...heat, ...change, isNew: false })) }
}

function withFile(path: string): WriteSet {
  const facts = { sizeBytes: 5, modifiedAt: 6, changedAt: 7, inode: '8', scannedAt: 9, parser: 'p' }
  const put = [{ ...facts, path, digest: contentDigest('file'), failure: null }]
  return { fileFacts: { root: 'docs', put, remove: [] } }
}

function healAll({ store, maintenance }: Engine) {
  const deps = {
    store,
    maintenance,
    showRoot: String,
    rootsExist: (roots: readonly string[]) => roots.map(() => true),
  }
  return heal(deps, async () => undefined)
}

async function stateOfNode(tx: ReadTx, key: number): Promise<NodeStateRow | undefined> {
  return (await allStates(tx)).find((row) => row.key === key)
}

export function doctorContract(open: OpenEmpty): void {
  test.each(BREAKAGES)('%s: finds and heals that %s', async (check, _, breaking) => {
    const engine = await open()
    const keys = await fill(engine.store)
    expect((await engine.store.read(healthOf)).filter(({ status }) => status !== 'pass')).toEqual([])
    await writing(engine.store, async (tx) => tx.commit(await breaking(keys, tx)))
    const found = await engine.store.read(healthOf)
    expect(found.find(({ name }) => name === check)?.status).toBe('fail')
    expect(await engine.maintenance.check()).toEqual(found)
    const { checks } = await healAll(engine)
    expect(checks.filter(({ status }) => status !== 'pass')).toEqual([])
    expect(checks.find(({ name }) => name === check)?.fix_applied).toBe(true)
  })

  test('a live node whose version is lost says the same as before', async () => {
    const engine = await open()
    const { store } = engine
    const input = { id: 'a', text: 'see it', label: 'Mine', links: '[["it",1,"",""]]' }
    const { nodes, snapshot } = await addDocument(store, note('n'), [input])
    const key = nodes[0]?.key ?? 0
    const state = () => store.read((tx) => stateOfNode(tx, key))
    const before = await state()
    await addDocument(store, note('m'), [{ id: 'b', text: 'later' }])
    await writing(store, async (tx) => {
      const [lost] = await tx.scan('versions', { of: { nodeKey: [key] }, limit: 1 })
      const { nodeKey: _, textKey: __, op, ...place } = lost as NonNullable<typeof lost>
      const past = { key, op, snapshotId: 2, state: { ...place, digest: contentDigest('later') } }
      await tx.commit({ versions: { put: [past], remove: [{ key, snapshotId: snapshot.id }] } })
    })
    await healAll(engine)
    expect(await state()).toEqual(before)
  })

  test('a node whose text is lost stays in its place, empty, and a version gives back what a node lost', async () => {
    const engine = await open()
    const { store } = engine
    const { text } = await fill(store)
    await writing(store, (tx) =>
      tx.commit({ texts: [{ digest: contentDigest('some text'), text: null, by: -1 }] }),
    )
    await healAll(engine)
    const row = await store.read((tx) => stateOfNode(tx, text))
    expect(row).toMatchObject({ id: 'text', parentId: 'heading', text: '', label: '' })
    const versions = await store.read((tx) => tx.versions({ nodeId: 'text' }, { limit: 9 }))
    expect(versions.map((version) => version.new?.text)).toEqual([''])
  })
}
