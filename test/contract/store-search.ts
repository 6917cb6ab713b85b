// Over 400 lines: one suite over one filled store, which every engine runs as a whole.
// Over 400 lines: one contract of search, whose cases share one filled memory.
import { describe, expect, test } from 'vitest'
import { parseQuery } from '../../src/core/find/query/query.ts'
import type { Filters } from '../../src/core/find/query/query-model.ts'
import { erase } from '../../src/core/history/erase.ts'
import { rollback } from '../../src/core/history/rollback.ts'
import type { Match, Posting, Surrounding } from '../../src/core/port/search.ts'
import type { Engine, ReadTx, Store } from '../../src/core/port/store.ts'
import { setHeat } from '../../src/core/rows/heat.ts'
import {
  ABOUT,
  addDocument,
  change,
  commit,
  hash,
  note,
  source,
  type TestNode,
} from '../support/store-changes.ts'
import { startClock, tickAfter } from '../support/store-heat.ts'
import { writing } from '../support/writing.ts'
import type { OpenEmpty } from './store.ts'

const DAY = 24 * 60 * 60 * 1000

async function keysOf(tx: ReadTx, posting: Posting): Promise<number[]> {
  return (await tx.postings([posting])).found[0]?.keys ?? []
}

async function countNodes(store: Store): Promise<number> {
  return (await store.read((tx) => tx.postings([]))).nodes
}

export function searchContract(open: OpenEmpty): void {
  /** One file of two headings with texts below, one with front matter, and a note. */
  async function filled() {
    const engine = await open()
    const { store } = engine
    const guide = await addDocument(store, source('docs/Guide.md'), [
      { id: 'guide', text: 'Redis guide', type: 'heading' },
      { id: 'cache', text: 'A cache in front of the database.', under: 0 },
      { id: 'limit', text: 'The rate limit of redis is high. #ops', under: 0 },
      { id: 'code', text: 'redis-cli flushall', type: 'code', under: 0 },
      { id: 'end', text: 'The end', type: 'heading' },
    ])
    const paper = await addDocument(store, source('papers/b.md'), [
      { id: 'front', text: 'tags: [Rate-Limit, ops]', type: 'preamble' },
      { id: 'city', text: '私は東京都に住んでいます。' },
    ])
    const memo = await addDocument(store, note('n'), [{ id: 'memo', text: 'Café on the Redis cluster' }])
    const nodes = [...guide.nodes, ...paper.nodes, ...memo.nodes]
    const byId = new Map(nodes.map((node) => [node.id, node]))
    const byKey = new Map(nodes.map((node) => [node.key, node.id]))
    return {
      engine,
      store,
      guide: guide.document,
      node: (id: string) => byId.get(id) as TestNode,
      key: (id: string) => (byId.get(id) as TestNode).key,
      ids: (keys: number[]) => keys.map((key) => byKey.get(key) ?? `?${key}`),
    }
  }
  type Filled = Awaited<ReturnType<typeof filled>>

  /** What a query asks of an engine: any of its units unless it has operators. */
  function matchOf(text: string, inLabel?: boolean): Match {
    const { units, expression } = parseQuery(text, { now: 0 })
    return {
      units,
      expression: expression ?? { or: units.map((_, at) => at) },
      ...(inLabel ? { inLabel } : {}),
    }
  }

  const found = async (
    { store, ids }: Filled,
    text: string | null,
    filters: Filters = {},
    { limit = 100, inLabel = false } = {},
  ): Promise<string[]> => {
    const match = text === null ? null : matchOf(text, inLabel)
    return ids(await store.read((tx) => keysOf(tx, { match, filters, limit })))
  }
  const change1 = (filled: Filled, node: TestNode) =>
    commit(filled.store, (tx, id) => tx.applyChanges(id, [change('mod', node)]))
  const remove = (filled: Filled, ...gone: string[]) =>
    commit(filled.store, (tx, id) =>
      tx.applyChanges(
        id,
        gone.map((one) => ({ op: 'rem', key: filled.key(one) }) as const),
      ),
    )
  const deps = ({ store, maintenance }: Engine) => ({
    store,
    maintenance,
    hash,
    now: () => 1,
    author: 'tester',
    redact: (text: string) => text,
  })

  describe('matching', () => {
    const CASES: [string, string[]][] = [
      ['redis', ['memo', 'code', 'limit', 'guide']],
      ['REDIS', ['memo', 'code', 'limit', 'guide']],
      ['"rate limit"', ['front', 'limit']],
      ['"limit rate"', []],
      ['rate-limit', ['front', 'limit']],
      ['clus*', ['memo']],
      ['redis-cl*', ['memo', 'code']],
      ['redis-cli*', ['code']],
      ['cache cluster', ['memo', 'cache']],
      ['redis AND cluster', ['memo']],
      ['redis NOT cluster', ['code', 'limit', 'guide']],
      ['redis NOT cluster NOT guide', ['code', 'limit']],
      ['(cache OR guide) AND (redis OR database)', ['cache', 'guide']],
      ['cafe', ['memo']],
      ['東京', ['city']],
      ['"京東"', []],
      ['#ops', ['front', 'limit']],
      ['zebra', []],
    ]

    test('words, phrases, beginnings, operators, tags, other scripts', async () => {
      const memory = await filled()
      for (const [text, expected] of CASES) expect(await found(memory, text), text).toEqual(expected)
    })

    test('counts, no further than it is asked', async () => {
      const { store } = await filled()
      const count = (text: string, limit: number) =>
        store.read(async (tx) => {
          const { found } = await tx.postings([{ match: matchOf(text), limit: 1, countTo: limit }])
          return found[0]?.count
        })
      expect(await count('redis', 100)).toBe(4)
      expect(await count('redis', 3)).toBe(3)
      expect(await count('zebra', 3)).toBe(0)
      expect(await countNodes(store)).toBe(8)
    })

    test('lists the rarest whole, as far as there is room for them', async () => {
      const { store } = await filled()
      const lengths = async (room: number) => {
        const words = ['redis', 'limit', 'cluster', 'zebra']
        const asked = words.map((word) => ({ match: matchOf(word), limit: 1, countTo: 100 }))
        const { found } = await store.read((tx) => tx.postings(asked, { room }))
        expect(found.map(({ count }) => count)).toEqual([4, 2, 1, 0])
        return found.map(({ keys }) => keys.length)
      }
      expect(await lengths(0)).toEqual([1, 1, 1, 0])
      expect(await lengths(2)).toEqual([1, 1, 1, 0])
      expect(await lengths(3)).toEqual([1, 2, 1, 0])
      expect(await lengths(7)).toEqual([4, 2, 1, 0])
    })

    test('lists nothing whole that was not counted to its end', async () => {
      const { store } = await filled()
      const asked = [{ match: matchOf('redis'), limit: 1, countTo: 3 }]
      const { found } = await store.read((tx) => tx.postings(asked, { room: 100 }))
      expect(found.map(({ keys, count }) => [keys.length, count])).toEqual([[1, 3]])
    })

    test('looks for some words only where others are nowhere', async () => {
      const { store, ids } = await filled()
      const ask = (word: string, ifNone?: number[]) => ({
        ...{ match: matchOf(word), limit: 9, countTo: 100 },
        ...(ifNone ? { ifNone } : {}),
      })
      const asked = [ask('redis'), ask('zebra'), ask('cluster', [0]), ask('cache', [0, 1])]
      const { found } = await store.read((tx) => tx.postings(asked))
      expect(found.map(({ keys, count }) => [ids(keys).length, count])).toEqual([
        [4, 4],
        [0, 0],
        [0, 0],
        [1, 1],
      ])
    })

    test('looks for some words only where others are in more nodes than are listed', async () => {
      const { store } = await filled()
      const counts = async (room: number, limit: number) => {
        const unit = { match: matchOf('redis'), limit: 1, countTo: 100 }
        const plain = { match: matchOf('redis'), limit }
        const both = [[0], [1], [0, 1]].map((ifCut) => ({ match: matchOf('cluster'), limit: 9, ifCut }))
        const { found } = await store.read((tx) => tx.postings([unit, plain, ...both], { room }))
        return found.slice(2).map(({ count }) => count)
      }
      expect(await counts(0, 5)).toEqual([1, 0, 1])
      expect(await counts(4, 5)).toEqual([0, 0, 0])
      expect(await counts(4, 4)).toEqual([0, 1, 1])
    })

    test('lists common words together, the most common one left out last', async () => {
      const { store, ids } = await filled()
      const together = async (words: string[], room: number, enough: number, filters: Filters = {}) => {
        const asked = words.map((word) => ({ match: matchOf(word), limit: 1, countTo: 100 }))
        const options = { room, together: { enough, limit: 9, filters } }
        const answer = await store.read((tx) => tx.postings(asked, options))
        return answer.together?.map(({ places, keys }) => [places, ids(keys)])
      }
      const both = [[1, 0], ['limit']]
      expect(await together(['redis', 'limit', 'zebra'], 1, 1)).toEqual([both])
      expect(await together(['redis', 'limit', 'zebra'], 1, 2)).toEqual([both, [[1], ['front', 'limit']]])
      expect(await together(['redis', 'limit'], 1, 1, { types: ['code'] })).toEqual([
        [[1, 0], []],
        [[1], []],
      ])
      expect(await together(['redis', 'limit'], 2, 1)).toBeUndefined()
      expect(await together(['zebra'], 0, 1)).toEqual([])
    })

    test('gives the newest where there are too many', async () => {
      const memory = await filled()
      expect(await found(memory, 'redis', {}, { limit: 2 })).toEqual(['memo', 'code'])
      expect(await found(memory, 'redis', { kinds: ['source'] }, { limit: 1 })).toEqual(['code'])
      expect(await found(memory, null, { kinds: ['source'] }, { limit: 2 })).toEqual(['city', 'front'])
    })

    test('in labels finds headings, and what kinds of text name themselves by, but no text', async () => {
      const memory = await filled()
      expect(await found(memory, 'redis', {}, { inLabel: true })).toEqual(['code', 'guide'])
      expect(await found(memory, 'redis AND guide', {}, { inLabel: true })).toEqual(['guide'])
      expect(await found(memory, 'redis NOT guide', {}, { inLabel: true })).toEqual(['code'])
    })

    test('what is asked for is never taken as an operator of the engine', async () => {
      const memory = await filled()
      for (const word of ['near', 'and', 'or', 'not', 'label', 'body', 'node_index', '*', '^', '{', '"', "'"])
        for (const kind of ['word', 'prefix'] as const) {
          const unit = { kind, words: [word], shown: word, isStopWord: false, isExcluded: false }
          const match = { units: [unit], expression: 0 }
          await memory.store.read((tx) => keysOf(tx, { match, limit: 10 }))
          await memory.store.read((tx) => keysOf(tx, { match: { ...match, inLabel: true }, limit: 10 }))
        }
    })
  })

  /** Of nodes that have a word. */
  const passing = async ({ store, ids }: Filled, words: string[], filters: Filters, limit = 9) => {
    const asked = words.map((word) => ({ match: matchOf(word), limit, countTo: 100 }))
    const answer = await store.read((tx) => tx.postings(asked, { filters }))
    return answer.passing && ids(answer.passing).toSorted()
  }

  describe('filters', () => {
    const CASES: [string, Filters, string[]][] = [
      ['type', { types: ['heading', 'code'] }, ['end', 'code', 'guide']],
      ['kind', { kinds: ['note'] }, ['memo']],
      ['kind and type', { kinds: ['note'], types: ['heading'] }, []],
      ['a part of a path', { paths: ['DOCS/gui'] }, ['end', 'code', 'limit', 'cache', 'guide']],
      ['a whole path', { paths: ['*/b.md'] }, ['city', 'front']],
      ['a pattern is whole', { paths: ['?.md'] }, []],
      ['any of the paths', { paths: ['papers', 'mcp:write'] }, ['memo', 'city', 'front']],
      ['a path with brackets', { paths: ['[d]ocs'] }, []],
      ['a tag of a text, or of the front matter above', { tags: ['#ops'] }, ['city', 'front', 'limit']],
      ['all of the tags', { tags: ['#ops', '#rate+limit'] }, ['city', 'front']],
      ['not pinned', { pinned: false, types: ['code'] }, ['code']],
      ['pinned', { pinned: true }, []],
      ['since', { since: ABOUT.createdAt, kinds: ['note'] }, ['memo']],
      ['since later', { since: ABOUT.createdAt + 1 }, []],
    ]

    test('take what passes, with words and without, and beside lists of words', async () => {
      const memory = await filled()
      for (const [name, filters, expected] of CASES) {
        expect(await found(memory, null, filters), name).toEqual(expected)
        const withWord = (await found(memory, 'redis')).filter((id) => expected.includes(id))
        expect(await found(memory, 'redis', filters), name).toEqual(withWord)
        expect(await passing(memory, ['redis', 'cluster'], filters), name).toEqual(withWord.toSorted())
        const [code, memo] = ['code', 'memo'].map(memory.key) as [number, number]
        const known = await memory.store.read((tx) => tx.passing([code, memo], filters))
        const both = ['code', 'memo'].filter((id) => expected.includes(id))
        expect(memory.ids(known).toSorted(), name).toEqual(both)
      }
    })

    test('beside lists of words are told of those that are whole', async () => {
      const memory = await filled()
      expect(await passing(memory, ['redis'], {})).toEqual(['code', 'guide', 'limit', 'memo'])
      expect(await passing(memory, ['redis', 'cluster'], {}, 1)).toEqual(['memo'])
      expect(await passing(memory, ['zebra'], {})).toEqual([])
      expect(await memory.store.read((tx) => tx.postings([]))).not.toHaveProperty('passing')
    })

    test('pinned follows the pin, since the newest change', async () => {
      const memory = await filled()
      const { store, key, node } = memory
      await writing(store, (tx) => setHeat(tx, [key('limit')], { pinned: true }))
      expect(await found(memory, null, { pinned: true })).toEqual(['limit'])
      await commit(
        store,
        (tx, id) => tx.applyChanges(id, [change('mod', { ...node('cache'), text: 'new' })]),
        { createdAt: ABOUT.createdAt + DAY },
      )
      expect(await found(memory, null, { since: ABOUT.createdAt + DAY })).toEqual(['cache'])
    })

    test('the case of a path does not matter, in any script', async () => {
      const { store } = await open()
      const { nodes } = await addDocument(store, source('Ärger/ÜBER.md'), [{ id: 'a', text: 'a' }])
      for (const path of ['Ärger', 'ärger/über', 'ÄRGER', '*/über.MD'])
        expect(
          await store.read((tx) => keysOf(tx, { match: null, filters: { paths: [path] }, limit: 9 })),
          path,
        ).toEqual([nodes[0]?.key])
      expect(
        await store.read((tx) => keysOf(tx, { match: null, filters: { paths: ['arger'] }, limit: 9 })),
      ).toEqual([])
    })
  })

  describe('what changes', () => {
    test('an edit is found by its new words, and no longer by the old ones', async () => {
      const memory = await filled()
      await change1(memory, { ...memory.node('cache'), text: 'Varnish instead. #web' })
      expect(await found(memory, 'varnish')).toEqual(['cache'])
      expect(await found(memory, 'database')).toEqual([])
      expect(await found(memory, null, { tags: ['#web'] })).toEqual(['cache'])
    })

    test('what was removed is not found by anything, and is found again when it comes back', async () => {
      const memory = await filled()
      const { store, node } = memory
      await remove(memory, 'memo', 'front')
      expect(await found(memory, 'redis')).toEqual(['code', 'limit', 'guide'])
      expect(await found(memory, null, { kinds: ['note'] })).toEqual([])
      // The tags of front matter go with it.
      expect(await found(memory, null, { tags: ['#ops'] })).toEqual(['limit'])
      expect(await countNodes(store)).toBe(6)
      await commit(store, (tx, id) => tx.applyChanges(id, [change('add', node('memo'))]))
      expect(await found(memory, 'cluster')).toEqual(['memo'])
      expect(await passing(memory, ['cluster'], { kinds: ['note'] })).toEqual(['memo'])
    })

    test('a rollback is searched as it was', async () => {
      const memory = await filled()
      const { engine, store, node } = memory
      const before = (await store.read((tx) => tx.state())).head?.id ?? 0
      await change1(memory, { ...node('cache'), text: 'Varnish instead.' })
      await remove(memory, 'memo')
      await rollback(deps(engine), { snapshotId: before })
      expect(await found(memory, 'varnish')).toEqual([])
      expect(await found(memory, 'database cluster')).toEqual(['memo', 'cache'])
    })

    test('what was erased is not found', async () => {
      const memory = await filled()
      await erase(deps(memory.engine), source('docs/Guide.md'))
      expect(await found(memory, 'redis cache guide rate')).toEqual(['memo', 'front'])
      expect(await found(memory, null, { paths: ['docs'] })).toEqual([])
      expect(await countNodes(memory.store)).toBe(3)
    })
  })

  describe('surroundings', () => {
    const around = async ({ store, ids, key }: Filled, id: string, reach: number) => {
      const {
        nodes: [row],
      } = await store.read((tx) => tx.surroundings([key(id)], reach))
      const { before, after } = row as Surrounding
      return { before: ids(before), after: ids(after) }
    }

    test('tell which siblings pass filters, without the nodes themselves', async () => {
      const { store, ids, key } = await filled()
      const passing = async (names: string[], filters?: Filters) => {
        const answer = await store.read((tx) => tx.surroundings(names.map(key), 2, filters))
        return answer.passing && ids(answer.passing).toSorted()
      }
      const { before, after } = await around(await filled(), 'limit', 2)
      const beside = [...before, ...after]
      expect(beside.length).toBeGreaterThan(0)
      expect(await passing(['limit'], {})).toEqual(beside.toSorted())
      expect(await passing(['limit'], { types: ['code'] })).toEqual(['code'])
      expect(await passing(['limit', 'code'], { types: ['code'] })).toEqual([])
      expect(await passing(['limit'])).toBeUndefined()
    })

    test('tell of a node what a score needs', async () => {
      const { store, key } = await filled()
      const { nodes: rows } = await store.read((tx) =>
        tx.surroundings([key('limit'), key('guide'), 999_999], 1),
      )
      expect(rows.toSorted((a, b) => a.key - b.key)).toEqual([
        {
          key: key('guide'),
          type: 'heading',
          tokens: 3,
          documentId: expect.any(Number),
          temperature: 0.5,
          parentKey: null,
          before: [],
          after: [key('end')],
          headings: [key('end')],
        },
        {
          key: key('limit'),
          type: 'text',
          tokens: 10,
          documentId: expect.any(Number),
          temperature: 0.5,
          parentKey: key('guide'),
          before: [key('cache')],
          after: [key('code')],
          headings: [],
        },
      ])
    })

    test('take the hottest of a crowd, then what is preferred, then the oldest', async () => {
      const { store, ids, key } = await filled()
      const crowd = ['memo', 'city', 'code', 'limit', 'cache'].map(key)
      const preferred = { match: matchOf('redis', true), limit: 9 }
      const taken = async (size: number) => {
        const answer = await store.read((tx) =>
          tx.surroundings([key('end')], 0, undefined, { keys: crowd, size, hottest: 3, preferred }),
        )
        return ids(answer.nodes.map((node) => node.key)).toSorted()
      }
      await writing(store, (tx) => setHeat(tx, [key('city'), key('guide')], { value: 0.9 }))
      expect(await taken(1)).toEqual(['city', 'end'])
      expect(await taken(2)).toEqual(['city', 'code', 'end'])
      expect(await taken(3)).toEqual(['cache', 'city', 'code', 'end'])
      expect(await taken(9)).toEqual(['cache', 'city', 'code', 'end', 'limit', 'memo'])
    })

    test('say which siblings are headings', async () => {
      const { store, key } = await filled()
      const {
        nodes: [row],
      } = await store.read((tx) => tx.surroundings([key('end')], 1))
      expect(row).toMatchObject({ before: [key('guide')], after: [], headings: [key('guide')] })
    })

    test('the nearest siblings come first, as far as is asked', async () => {
      const memory = await filled()
      expect(await around(memory, 'code', 2)).toEqual({ before: ['limit', 'cache'], after: [] })
      expect(await around(memory, 'code', 1)).toEqual({ before: ['limit'], after: [] })
      expect(await around(memory, 'cache', 9)).toEqual({ before: [], after: ['limit', 'code'] })
      expect(await around(memory, 'cache', 0)).toEqual({ before: [], after: [] })
    })

    test('tell for everything above what stands above it', async () => {
      const memory = await filled()
      const { store, key, node } = memory
      await change1(memory, { ...node('code'), parent: node('limit') })
      await change1(memory, { ...node('cache'), parent: node('code') })
      await change1(memory, { ...node('guide'), parent: node('end') })
      const { parents } = await store.read((tx) => tx.surroundings([key('cache')], 1))
      expect(parents).toEqual(
        new Map([
          [key('code'), key('limit')],
          [key('limit'), key('guide')],
          [key('guide'), key('end')],
          [key('end'), null],
        ]),
      )
    })

    test('the roots of one document are siblings, those of another are not', async () => {
      const memory = await filled()
      expect(await around(memory, 'end', 9)).toEqual({ before: ['guide'], after: [] })
      expect(await around(memory, 'city', 9)).toEqual({ before: ['front'], after: [] })
      expect(await around(memory, 'memo', 9)).toEqual({ before: [], after: [] })
    })

    test('removed nodes are nobody’s siblings, moved ones of those where they are now', async () => {
      const memory = await filled()
      const { node } = memory
      await remove(memory, 'limit')
      expect(await around(memory, 'cache', 9)).toEqual({ before: [], after: ['code'] })
      await change1(memory, { ...node('code'), parent: node('end') })
      expect(await around(memory, 'cache', 9)).toEqual({ before: [], after: [] })
      await change1(memory, { ...node('cache'), parent: null, position: 'a9' })
      expect(await around(memory, 'end', 9)).toEqual({ before: ['guide'], after: ['cache'] })
      await remove(memory, 'guide')
      expect(await around(memory, 'cache', 9)).toEqual({ before: ['end'], after: [] })
    })

    test('heat is what it is now', async () => {
      const { store, key } = await filled()
      await startClock(store)
      await tickAfter(store, 24 * 7)
      const heat = await store.read((tx) => tx.nodes({ keys: [key('code')] }, 'heat'))
      for (const reach of [0, 2])
        expect(await store.read((tx) => tx.surroundings([key('code')], reach))).toMatchObject({
          nodes: [{ temperature: heat[0]?.value }],
        })
      expect(heat[0]?.value).toBeLessThan(0.5)
    })
  })

  test('facts of nodes, and the paths of their documents', async () => {
    const { store, key } = await filled()
    const [facts] = await store.read((tx) => tx.nodes({ keys: [key('limit'), 999_999] }, 'facts'))
    expect(facts).toEqual({
      key: key('limit'),
      type: 'text',
      tokens: 10,
      documentId: expect.any(Number),
      temperature: 0.5,
    })
    const documentId = facts?.documentId ?? 0
    expect(await store.read((tx) => tx.documents({ ids: [documentId, 999_999] }, 'name'))).toEqual([
      { id: documentId, name: 'docs/Guide.md' },
    ])
  })

  describe('nodes that were found', () => {
    test('have all that is shown', async () => {
      const { store, key } = await filled()
      const rows = await store.read((tx) =>
        tx.nodes({ keys: [key('memo'), 999_999, key('limit')] }, 'reading'),
      )
      expect(rows.toSorted((a, b) => a.key - b.key)).toEqual([
        {
          key: key('limit'),
          id: 'limit',
          parentKey: key('guide'),
          type: 'text',
          label: 'The rate limit of redis is high.',
          tokens: 10,
          temperature: 0.5,
          source: 'docs/Guide.md',
          text: 'The rate limit of redis is high. #ops',
        },
        expect.objectContaining({ id: 'memo', parentKey: null, source: 'mcp:write' }),
      ])
      expect(await store.read((tx) => tx.nodes({ keys: [] }, 'reading'))).toEqual([])
    })

    test('come with everything above them, each once', async () => {
      const memory = await filled()
      const { store, key, node } = memory
      await change1(memory, { ...node('code'), parent: node('limit') })
      const line = async (...ids: string[]) => {
        const how = { direction: 'up', fields: 'lineage' } as const
        const rows = await store.read((tx) => tx.walk({ keys: ids.map(key) }, how))
        return rows.map(({ distance: _, ...row }) => row)
      }
      expect((await line('code', 'limit')).toSorted((a, b) => a.key - b.key)).toEqual([
        { key: key('guide'), parentKey: null, position: node('guide').position, label: 'Redis guide' },
        {
          key: key('limit'),
          parentKey: key('guide'),
          position: node('limit').position,
          label: 'The rate limit of redis is high.',
        },
        expect.objectContaining({ key: key('code'), parentKey: key('limit') }),
      ])
      expect(await line('memo')).toEqual([expect.objectContaining({ key: key('memo'), parentKey: null })])
      expect(await line()).toEqual([])
    })
  })

  test('an empty memory has nothing', async () => {
    const { store } = await open()
    await store.read(async (tx) => {
      expect((await tx.postings([])).nodes).toBe(0)
      expect(await keysOf(tx, { match: matchOf('a'), limit: 9 })).toEqual([])
      expect(await keysOf(tx, { match: null, filters: { pinned: false }, limit: 9 })).toEqual([])
      expect(await tx.surroundings([], 2)).toEqual({ nodes: [], parents: new Map() })
    })
  })
}
