import { expect, test } from 'vitest'
import { fetch } from '../../src/core/find/read/fetch.ts'
import { fetchBatch } from '../../src/core/find/read/fetch-batch.ts'
import { tree } from '../../src/core/find/read/tree.ts'
import { search } from '../../src/core/find/search.ts'
import { findContent } from '../../src/core/keys/recall.ts'
import { remember } from '../../src/core/keys/remember.ts'
import type { Block } from '../../src/core/model.ts'
import { overview, overviewCounts } from '../../src/core/observe/overview.ts'
import type { Store } from '../../src/core/port/store.ts'
import { prepareInPlace } from '../../src/core/prepare.ts'
import { type WriteDeps, write } from '../../src/core/tree/write.ts'
import { countingStore } from '../support/counting-store.ts'
import { addDocument, hash, note, source } from '../support/store-changes.ts'
import type { OpenEmpty } from './store.ts'

const parse = (text: string): Block[] => [{ type: 'text', format: 'plain', text, children: [] }]

/** What an operation costs on an engine over a network. */
export function tripContract(open: OpenEmpty): void {
  async function filled() {
    const { store } = await open()
    for (let at = 0; at < 30; at++)
      await addDocument(store, source(`docs/${at}.md`), [
        { id: `title${at}`, text: `Guide ${at}`, type: 'heading' },
        { id: `part${at}`, text: 'The cache', type: 'heading', under: 0 },
        { id: `said${at}`, text: `Redis keeps the rate limit of node ${at}.`, under: 1 },
        { id: `deep${at}`, text: `A cache in front of the database, ${'very '.repeat(at)}fast.`, under: 2 },
        { id: `below${at}`, text: 'It is asked first.', under: 3 },
        { id: `end${at}`, text: 'The end' },
      ])
    await addDocument(store, note('n'), [{ id: 'memo', text: 'Redis on the cluster' }])
    await addDocument(store, { kind: 'key', key: 'k' }, [{ id: 'key', text: 'a value' }])
    return countingStore(store)
  }

  test.each([
    ['at the top', {}],
    ['below a node', { root: 'part3' }],
    ['within a budget', { budget: 300 }],
    ['deeper', { depth: 9, limit: 50 }],
    ['documents', { depth: 0 }],
  ])('an outline takes one round trip: %s', async (_, input) => {
    const { store, take } = await filled()
    expect((await tree(store, input)).nodes.length).toBeGreaterThan(2)
    expect(take()).toHaveLength(1)
  })

  test.each([
    ['a whole document', { anchor: 'title3' }],
    ['from within', { anchor: 'deep7' }],
    ['what has no room', { anchor: 'title29', budget: 60 }],
    ['not all levels', { anchor: 'title3', depth: 1 }],
  ])('a fetch takes one round trip: %s', async (_, input) => {
    const { store, take } = await filled()
    expect((await fetch(store, input)).nodes.length).toBeGreaterThan(0)
    expect(take()).toHaveLength(1)
  })

  test('how many nodes there are is read from counters only, and is what an overview says', async () => {
    const { store, take } = await filled()
    const parts = { store, dbPath: '/memory.db' }
    const { db_path, nodes } = await overviewCounts(parts)
    expect(take()).toEqual([['scan']])
    const maintenance = { sizeBytes: async () => 0 }
    const whole = await overview({ ...parts, maintenance, now: () => 0, thresholds: { hot: 0.7, cold: 0.1 } })
    expect({ db_path, nodes }).toEqual({ db_path: whole.db_path, nodes: whole.nodes })
    expect(nodes).toMatchObject({ total: 182, by_type: { heading: 60 } })
  })

  test('several nodes are fetched in two round trips', async () => {
    const { store, take } = await filled()
    await fetchBatch(store, { ids: ['said1', 'deep2', 'nobody'] })
    expect(take()).toHaveLength(2)
  })

  test.each([
    'cluster',
    'redis cluster cache',
    'redis rate limit',
    'how does a cache in front of the database work',
    '"rate limit"',
    'redis AND cache',
    'zebra',
    'guide',
  ])('a search takes at most three round trips: %s', async (query) => {
    const { store, take } = await filled()
    await search({ store, now: () => 0 }, { query })
    expect(take().length).toBeLessThanOrEqual(3)
  })

  async function alike() {
    const { store } = await open()
    const texts = Array.from({ length: 250 }, (_, at) => `Redis keeps number ${at}.`)
    for (let at = 0; at < 250; at += 50) {
      const nodes = texts.slice(at, at + 50).map((text, place) => ({ id: `n${at + place}`, text }))
      await addDocument(store, source(`docs/${at}.md`), nodes)
    }
    return countingStore(store)
  }
  test.each([
    ['one of them', '17'],
    ['one of them, with a filter', '17 kind:source'],
    ['siblings are among the first', '17 18'],
    ['siblings are among the first, with a filter', '17 18 kind:source'],
    ['more than 200 nodes are alike', 'redis'],
    ['more than 200 nodes are alike, with an operator', 'redis AND number'],
    ['a filter over many', 'redis kind:source'],
    ['a filter that few pass', 'redis keeps path:200'],
    ['a filter and a rare word', 'number 17 kind:source'],
    ['joined words that are nowhere together', 'forgets-number'],
    ['joined words that are nowhere together and alike', 'number-redis kind:source'],
    ['joined words beside their parts', 'redis keeps-redis redis-17'],
  ])('a search among many nodes that are alike takes at most three round trips: %s', async (_, query) => {
    const { store, take } = await alike()
    for (const page of [{}, { offset: 5, limit: 5 }, { offset: 0, limit: 200 }]) {
      await search({ store, now: () => 0 }, { query, ...page })
      expect(take().length).toBeLessThanOrEqual(3)
    }
  })

  test.each([
    ['a phrase that is nowhere', '"redis forgets"'],
    ['a phrase whose words are there in another order', '"number keeps"'],
  ])('a search that finds nothing takes one round trip: %s', async (_, query) => {
    const { store, take } = await alike()
    await search({ store, now: () => 0 }, { query })
    expect(take()).toHaveLength(1)
  })

  const redact = (text: string): string => text
  const prepare = prepareInPlace({ redact, parse, parseWhole: parse })
  const writer = (store: Store) => ({ store, hash, now: () => 0, redact, author: 'tester', prepare })

  test('a note is stored in two round trips', async () => {
    const { store, take } = await filled()
    const noteLimit = { maxBytes: 1000, setting: 'a setting' }
    const deps = { ...writer(store), noteLimit, doors: {} as WriteDeps['doors'] }
    await write(deps, { payload: 'The cluster has three nodes.' })
    expect(take()).toHaveLength(2)
  })

  test('a new key is stored in two round trips', async () => {
    const { store, take } = await filled()
    const limits = () => ({ maxValueBytes: 1000, maxKeys: 1000 }) as never
    const deps = { ...writer(store), limits, maintenance: { scrub: async () => true } }
    await remember(deps, { key: 'cluster', value: 'three nodes' })
    expect(take()).toHaveLength(2)
  })

  test('a value is recalled in one round trip', async () => {
    const { store, take } = await filled()
    expect(await findContent({ store, now: () => 0, redact: (text: string) => text }, 'k')).toBeDefined()
    expect(take()).toHaveLength(1)
  })
}
