import { describe, expect, test } from 'vitest'
import { openKeys } from '../../../../test/support/keys.ts'

const DAY = 86_400_000
const VALUES: Record<string, [string, string[]]> = {
  'release-cadence': ['We release weekly on Thursdays at 2pm UTC', ['release', 'process']],
  'release-back-merge': ['After a release, main is merged back into develop', ['release', 'git']],
  'db-owner': ['The billing database is owned by the payments team', ['process']],
  zebra: ['Zebras are striped', []],
}

async function openFilled() {
  const at = await openKeys()
  for (const [key, [value, tags]] of Object.entries(VALUES)) await at.text('remember', { key, value, tags })
  const keysOf = async (args: object): Promise<string[]> =>
    (await at.json('search_memories', args)).items.map(({ key }: { key: string }) => key)
  return Object.assign(at, { keysOf })
}

describe('search_memories', () => {
  test('pages are of one order while time passes', async () => {
    await using at = await openKeys()
    for (let number = 0; number < 40; number++) {
      await at.text('remember', { key: `k${number}`, value: 'A service' })
      at.pass(700)
    }
    const keys: string[] = []
    for (let offset: number | undefined = 0; offset !== undefined; ) {
      const page: { items: { key: string }[]; next_offset?: number } = await at.json('search_memories', {
        ...{ query: 'service', top_k: 4, offset },
      })
      keys.push(...page.items.map(({ key }) => key))
      offset = page.next_offset
      at.pass(500)
    }
    expect([new Set(keys).size, keys.length]).toEqual([40, 40])
  })

  test('finds by words, best first, and shows the parts of a score', async () => {
    await using at = await openFilled()
    const found = await at.json('search_memories', { query: 'when is the release on thursdays' })
    expect(found).toMatchObject({ query: 'when is the release on thursdays', count: found.items.length })
    expect(found.items[0]).toMatchObject({ key: 'release-cadence', tags: ['release', 'process'] })
    for (const item of found.items) {
      expect(item.semantic_score).toBeNull()
      for (const name of ['score', 'keyword_score', 'recency_score']) {
        expect(item[name]).toBeGreaterThanOrEqual(0)
        expect(item[name]).toBeLessThanOrEqual(1)
      }
      const { keyword_score, recency_score } = item
      expect(item.score).toBeCloseTo(0.75 * keyword_score + 0.25 * recency_score, 5)
    }
    expect(await at.json('search_memories', { query: 'when is the release on thursdays' })).toEqual(found)
  })

  test('finds words with other endings, phrases of any script, in the key too', async () => {
    await using at = await openFilled()
    await at.text('remember', { key: 'trip', value: '東京都に行く' })
    expect(await at.keysOf({ query: 'releasing' })).toEqual(
      expect.arrayContaining(['release-cadence', 'release-back-merge']),
    )
    expect(await at.keysOf({ query: '東京' })).toEqual(['trip'])
    expect(await at.keysOf({ query: 'db-owner' })).toEqual(['db-owner'])
    expect(await at.keysOf({ query: '"payments team"' })).toEqual(['db-owner'])
    expect(await at.keysOf({ query: '"team payments"' })).toEqual([])
    const { items } = await at.json('search_memories', { query: 'zebra stripes' })
    expect(items[0]).toMatchObject({ key: 'zebra', keyword_score: 1 })
    expect((await at.json('search_memories', { query: 'ebra' })).items).toEqual([])
  })

  test('recency is halved in 30 days, from the last recall or the last change', async () => {
    await using at = await openFilled()
    at.pass(30 * DAY)
    const recency = async () => (await at.json('search_memories', { query: 'zebras' })).items[0].recency_score
    expect(await recency()).toBe(0.5)
    await at.text('recall', { key: 'zebra' })
    expect(await recency()).toBe(1)
    at.pass(-60 * DAY)
    expect(await recency()).toBe(1)
  })

  test('weights are shares of their sum; without any that counts they are the default', async () => {
    await using at = await openFilled()
    at.pass(30 * DAY)
    const score = async (weights: object) =>
      (await at.json('search_memories', { query: 'zebras', ...weights })).items[0].score
    expect(await score({ w_semantic: 0, w_keyword: 0, w_recency: 7 })).toBe(0.5)
    expect(await score({ w_semantic: -1, w_keyword: 3, w_recency: 3 })).toBe(0.75)
    expect(await score({ w_semantic: 0, w_keyword: 0, w_recency: 0 })).toBe(await score({}))
    expect(await score({ w_semantic: -1, w_keyword: -1, w_recency: -1 })).toBe(await score({}))
  })

  test('filter_tags are all wanted, top_k and min_score are taken within their range', async () => {
    await using at = await openFilled()
    expect(await at.keysOf({ query: 'release merged', filter_tags: ['release', 'git'] })).toEqual([
      'release-back-merge',
    ])
    expect(await at.keysOf({ query: 'release', filter_tags: ['release', 'none'] })).toEqual([])
    expect(await at.keysOf({ query: 'release', top_k: 0 })).toHaveLength(1)
    expect(await at.keysOf({ query: 'release on a farm', min_score: 7 })).toEqual([])
    expect(await at.keysOf({ query: 'release', min_score: -1 })).toHaveLength(2)
  })

  test('a rare tag is found behind many memories with the same words', async () => {
    await using at = await openKeys()
    for (let number = 0; number < 250; number++)
      await at.memory.keys.remember({
        key: `k${number}`,
        value: `the common words ${number}`,
        tags: ['many'],
      })
    await at.text('remember', { key: 'rare', value: 'some common words here, and others', tags: ['rare'] })
    const { items } = await at.json('search_memories', { query: 'common words', filter_tags: ['rare'] })
    expect(items).toMatchObject([{ key: 'rare' }])
  })

  test.each(['', '   ', '?!', 'nobodysaysthis', 'NOT', 'AND', '"open', 'kind:source release', 'type:code'])(
    'any text is words: %j',
    async (query) => {
      await using at = await openFilled()
      const keys = await at.keysOf({ query })
      expect(keys).toEqual(query.includes('release') ? expect.arrayContaining(['release-cadence']) : [])
    },
  )

  test('finds keys only, and none that has expired', async () => {
    await using at = await openFilled()
    await at.memory.write({ payload: 'A note about zebras' })
    await at.text('remember', { key: 'short', value: 'zebras for a moment', ttl_seconds: 1 })
    expect(await at.keysOf({ query: 'zebras' })).toEqual(expect.arrayContaining(['zebra', 'short']))
    at.pass(1000)
    expect(await at.keysOf({ query: 'zebras' })).toEqual(['zebra'])
  })
})

describe('relate_memories', () => {
  test('compares values, without the source', async () => {
    await using at = await openFilled()
    const { items, count, key } = await at.json('relate_memories', { key: 'release-cadence' })
    expect({ key, count }).toEqual({ key: 'release-cadence', count: items.length })
    const names = items.map((item: { key: string }) => item.key)
    expect(names).toContain('release-back-merge')
    expect(names).not.toContain('release-cadence')
    for (const item of items)
      expect(item).toMatchObject({ keyword_score: item.score, recency_score: 0, semantic_score: null })
    expect((await at.json('relate_memories', { key: 'release-cadence', top_k: -1 })).count).toBe(1)
  })

  test('a value may be anything', async () => {
    await using at = await openFilled()
    for (const value of ['', '"NOT ( AND kind:note', 'x '.repeat(200_000)]) {
      await at.text('remember', { key: 'odd', value })
      expect(await at.json('relate_memories', { key: 'odd' })).toMatchObject({ key: 'odd' })
    }
  })
})
