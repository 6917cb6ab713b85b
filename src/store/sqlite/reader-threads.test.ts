import { once } from 'node:events'
import type { Worker } from 'node:worker_threads'
import { expect, onTestFinished, test } from 'vitest'
import { addDocument, addNodes, commit, hash, note } from '../../../test/support/store-changes.ts'
import { filledDatabase } from '../../../test/support/store-database.ts'
import { parseQuery } from '../../core/find/query/query.ts'
import { forestText, QUERIES, searchNodes, treePage } from '../../core/operations/queries.ts'
import type { StoreQuery } from '../../core/port/store.ts'
import { contentDigest } from '../../util/text/hash.ts'
import { openSqlite, type SqliteOptions } from './engine.ts'

const NOW = 1_800_000_000_000

async function open(options: Partial<SqliteOptions> = {}) {
  const file = await filledDatabase()
  const engine = await openSqlite({
    file,
    hash,
    readerThreads: 2,
    writer: 'here',
    now: () => NOW,
    ...options,
  })
  onTestFinished(() => engine.close())
  return { ...engine, file }
}

const nextThread = async (): Promise<Worker> => ((await once(process, 'worker')) as [Worker])[0]

/** What is asked of each query here. */
const INPUTS: Record<string, unknown> = {
  changes: { from: 1, to: 'head' },
  'forest page': { limit: 3, asOf: 1 },
  log: {},
  delta: { since: 0 },
  diff: { from: 0, to: 2 },
  'diffs text': { snapshotId: 1, paged: '' },
  'first look': undefined,
  'forest text': { paged: '' },
  'graph text': { paged: '' },
  search: { query: 'paragraph OR item', explain: true },
  'search words': { query: parseQuery('second note', { now: NOW }), input: { limit: 3 } },
  'temperature text': { hot: 0.5, cold: 0.1, paged: '' },
  tree: { depth: 9 },
}

const readsOf = (id: string) => ({
  // A note has the id of its first node.
  blame: { document: note(id) },
  fetch: { anchor: id, asOf: 'head' },
  'fetch many': { ids: [id] },
})

test('every query is answered in a thread as it is in place', async () => {
  const { store, file } = await open()
  const inPlace = await openSqlite({ file, hash, writer: 'here', now: () => NOW })
  onTestFinished(() => inPlace.close())
  const { nodes } = await inPlace.store.query(treePage, {})
  const id = nodes[0]?.id ?? ''
  const inputs = { ...INPUTS, related: { anchor: id }, history: { id }, ...readsOf(id) }
  expect(Object.keys(inputs).sort()).toEqual(QUERIES.map(({ name }) => name).sort())
  for (const query of QUERIES as readonly StoreQuery<unknown, unknown>[]) {
    const input = inputs[query.name as keyof typeof inputs]
    const expected = await inPlace.store.query(query, input)
    expect(JSON.stringify(expected).length, query.name).toBeGreaterThan(50)
    expect(await store.query(query, input), query.name).toEqual(expected)
  }
})

test('a query sees everything that was acknowledged before it was asked', async () => {
  const { store } = await open()
  for (let at = 0; at < 10; at++) {
    await addDocument(store, note(`n${at}`), [{ id: `node-${at}`, text: `unique${at}` }])
    const found = await Promise.all([0, 1].map(() => store.query(searchNodes, { query: `unique${at}` })))
    expect(found.map(({ hits }) => hits.map(({ id }) => id))).toEqual([[`node-${at}`], [`node-${at}`]])
  }
})

test('what has expired when a query is asked is left out of its answer', async () => {
  let now = NOW
  const { store } = await open({ now: () => now })
  await commit(store, async (tx, id) => {
    const put = { address: { kind: 'key', key: 'ends' } as const, text: 'x', digest: contentDigest('x') }
    const [row] = await tx.putDocuments([{ ...put, attributes: { expires_at: NOW + 1000 } }], id)
    await addNodes(tx, id, row?.id ?? 0, [{ id: 'ends', text: 'ephemeral' }])
  })
  const found = async () => (await store.query(searchNodes, { query: 'ephemeral' })).hits.length
  expect(await found()).toBe(1)
  now += 1000
  expect(await found()).toBe(0)
  now -= 1
  expect(await found()).toBe(1)
})

test('a failure keeps its code, and a query that is not listed is refused by name', async () => {
  const { store } = await open()
  await expect(store.query(forestText, { rootId: 'nobody', paged: '' })).rejects.toMatchObject({
    name: 'MemoryError',
    code: 'NOT_FOUND',
  })
  await expect(store.query(searchNodes, { query: 1 } as never)).rejects.toMatchObject({
    code: 'INVALID_INPUT',
  })
  const unknown = { name: 'unknown', run: async () => 1 }
  await expect(store.query(unknown, {})).rejects.toThrow('unknown query unknown')
  await expect(store.query(searchNodes, (() => 1) as never)).rejects.toThrow('could not be cloned')
  expect((await store.query(searchNodes, { query: 'paragraph' })).hits).toHaveLength(1)
})

test('a query whose thread dies fails with a clear error, and the next one gets a new thread', async () => {
  const { store } = await open({ readerThreads: 1 })
  const started = nextThread()
  const lost = store.query(searchNodes, { query: 'paragraph' })
  const waiting = store.query(searchNodes, { query: 'paragraph' })
  void (await started).terminate()
  await expect(lost).rejects.toMatchObject({
    code: 'UNAVAILABLE',
    message: expect.stringContaining('stopped'),
  })
  expect((await waiting).hits).toHaveLength(1)
})

test('a query that is aborted while it waits for a thread never begins', async () => {
  const { store } = await open({ readerThreads: 1 })
  const first = store.query(searchNodes, { query: 'paragraph' })
  const caller = new AbortController()
  const second = store.query(searchNodes, { query: 'paragraph' }, { signal: caller.signal })
  caller.abort(new Error('given up'))
  await expect(second).rejects.toThrow('given up')
  await expect(store.query(treePage, {}, { signal: caller.signal })).rejects.toThrow('given up')
  expect((await first).hits).toHaveLength(1)
})

test('closing waits for the queries that were asked, and refuses later ones', async () => {
  const { store, close } = await open()
  const asked = Array.from({ length: 5 }, () => store.query(searchNodes, { query: 'paragraph' }))
  await close()
  for (const answer of await Promise.all(asked)) expect(answer.hits).toHaveLength(1)
  await expect(store.query(treePage, {})).rejects.toThrow('closed')
})
