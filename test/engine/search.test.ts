import { describe, expect, test } from 'vitest'
import { searchText } from '../../src/core/find/search-text.ts'
import { searchJson } from '../../src/core/render/find-json.ts'
import { openWorkspace } from '../support/engine.ts'
import { alone, ask, paragraphs, snippets } from '../support/search.ts'

describe('any text finds what a person expects', () => {
  const TEXTS = [
    'What is new in this release',
    'Written in C++ for speed',
    'Vitamin c is healthy',
    'The rate-limit is ten a minute',
    'Limit what you rate',
    'Shipped in v1.2 last week',
    'Shipped in v1.3 and 2.1 last week',
    'See path/to/file for more',
    'Urgent #todo for tomorrow',
    'Costs fell by 50% in May',
    'Deployed it 🚀 at last',
    '私は東京都に住んでいます',
    '京都の東に山がある',
    'ฉันรักภาษาไทยมาก',
    'كَتَبَ الوَلَدُ الدَّرْسَ',
    'Ελληνικά και Ωμέγα',
    'The Café Zürich in Łódź',
    'Naive resume without accents',
    'Mail to o.brien@example.org',
    "Don't panic, O'Reilly says",
    'a: b is a pair',
    'call foo_bar() in main.ts',
  ]
  const CASES: [query: string, first: string][] = [
    ["what's new", 'What is new in this release'],
    ['C++', 'Written in C++ for speed'],
    ['rate-limit', 'The rate-limit is ten a minute'],
    ['v1.2', 'Shipped in v1.2 last week'],
    ['a: b', 'a: b is a pair'],
    ['path/to', 'See path/to/file for more'],
    ['#todo', 'Urgent #todo for tomorrow'],
    ['todo', 'Urgent #todo for tomorrow'],
    ['50%', 'Costs fell by 50% in May'],
    ['"rate-limit is', 'The rate-limit is ten a minute'],
    ['costs" fell', 'Costs fell by 50% in May'],
    ['🚀', 'Deployed it 🚀 at last'],
    ['東京', '私は東京都に住んでいます'],
    ['東京都に住む', '私は東京都に住んでいます'],
    ['ภาษาไทย', 'ฉันรักภาษาไทยมาก'],
    ['كتب', 'كَتَبَ الوَلَدُ الدَّرْسَ'],
    ['كَتَبَ', 'كَتَبَ الوَلَدُ الدَّرْسَ'],
    ['ωμεγα', 'Ελληνικά και Ωμέγα'],
    ['cafe zurich lodz', 'The Café Zürich in Łódź'],
    ['naïve résumé', 'Naive resume without accents'],
    ['o.brien@example.org', 'Mail to o.brien@example.org'],
    ['oreilly', "Don't panic, O'Reilly says"],
    ['foo_bar', 'call foo_bar() in main.ts'],
    ['(((costs', 'Costs fell by 50% in May'],
    ['costs AND', 'Costs fell by 50% in May'],
    ['NEAR(costs fell)', 'Costs fell by 50% in May'],
    ['label:costs', 'Costs fell by 50% in May'],
    ['cost-control', 'Costs fell by 50% in May'],
    ['costs; DROP TABLE nodes', 'Costs fell by 50% in May'],
  ]

  test('as the first hit', async () => {
    await using at = await openWorkspace(alone(...TEXTS))
    for (const [query, first] of CASES) expect((await snippets(at.memory, query))[0], query).toBe(first)
  })

  test('and not what only looks alike', async () => {
    await using at = await openWorkspace(alone(...TEXTS))
    expect(await snippets(at.memory, 'C++')).toEqual(['Written in C++ for speed'])
    expect(await snippets(at.memory, 'rate-limit')).toEqual(['The rate-limit is ten a minute'])
    expect(await snippets(at.memory, 'v1.2')).toEqual(['Shipped in v1.2 last week'])
    // 東京都 has 京都 in it: a text without spaces does not say where its words begin.
    expect((await snippets(at.memory, '京都')).toSorted()).toEqual([TEXTS[12], TEXTS[11]].toSorted())
    expect(await snippets(at.memory, 'xylophone')).toEqual([])
  })

  // The examples of docs/reference/search.md, what counts as the same word.
  test.each([
    ['run', ['runs', 'running'], ['ran']],
    ['connect', ['connection'], []],
    ['deploy', ['deploys', 'deployed', 'deploying'], ['deployment']],
    ['deploy*', ['deploys', 'deployed', 'deploying', 'deployment'], []],
  ])('%s finds %j by their endings, and not %j', async (query, found, others) => {
    await using at = await openWorkspace(alone(...found, ...others))
    expect((await snippets(at.memory, query)).toSorted()).toEqual(found.toSorted())
  })

  test('what was written as one, and is nowhere as such, is looked for by its words', async () => {
    await using at = await openWorkspace(alone(...TEXTS))
    const { hits, searched } = await ask(at.memory, 'healthy/vitamin-c')
    expect(hits.map(({ snippet, matches }) => [snippet, matches.length])).toEqual([
      ['Vitamin c is healthy', 2],
    ])
    expect(searched).toMatchObject({ words: ['healthy', 'vitamin'], missing: ['healthy/vitamin-c'] })
    // In quotes it is meant as it is, and what is left of a number tells nothing.
    expect(await snippets(at.memory, '"healthy vitamin"')).toEqual([])
    expect(await snippets(at.memory, 'v1.9')).toEqual([])
  })

  test('100 kB of noise are read in part, and the answer says so', async () => {
    await using at = await openWorkspace(alone(...TEXTS))
    const noise = 'costs ((" AND * '.repeat(6400)
    const { hits, searched } = await ask(at.memory, noise)
    expect(hits[0]?.snippet).toBe('Costs fell by 50% in May')
    expect(searched.notes).toContain('only the first 10000 characters were read')
  })

  test('one word that is there is found among any number of words that are not', async () => {
    await using at = await openWorkspace(alone(...TEXTS))
    const strangers = Array.from({ length: 50 }, (_, place) => `zq${place}x`)
    for (const query of [strangers.join(' '), strangers.join(' OR ')]) {
      const joined = query.includes('OR') ? `${query} OR vitamin` : `${query} vitamin`
      const { hits, searched } = await ask(at.memory, joined)
      expect(hits.map(({ snippet }) => snippet)).toEqual(['Vitamin c is healthy'])
      expect(searched).toMatchObject({ words: ['vitamin'], dropped: [], missing: strangers })
    }
  })

  test('nothing to look for is explained', async () => {
    await using at = await openWorkspace(alone(...TEXTS))
    for (const [query, note] of [
      ['', 'the query is empty'],
      [' \n\t', 'the query is empty'],
      ['?!…', 'the query has no word to look for'],
    ] as const) {
      const answer = await ask(at.memory, query)
      expect(answer).toMatchObject({ query, hits: [], leftOut: 0, searched: { nodes: 22, notes: [note] } })
      expect(searchText(answer)).toBe(`no results\nnote: ${note}`)
    }
  })

  test('an empty memory says that it is empty', async () => {
    await using at = await openWorkspace()
    expect(searchText(await ask(at.memory, 'x'))).toBe(
      'no results\nthe memory is empty; compile a folder or write a note',
    )
  })
})

describe('what can be asked', () => {
  const FILES = {
    'ops/redis.md': paragraphs('# Redis', 'The cache runs in a cluster. #ops', '```sh\nredis-cli info\n```'),
    'ops/disk.md': paragraphs(
      '---\ntags: [ops, storage]\n---\n# Disks',
      'They fill up when the cache grows.',
    ),
    'notes/Zoo.md': paragraphs('# Zoo', 'Memcached was here, without a cluster.'),
  }
  const CASES: [string, string[]][] = [
    ['"runs in a cluster"', ['The cache runs in a cluster. #ops']],
    ['cache AND cluster', ['The cache runs in a cluster. #ops']],
    ['cache NOT cluster', ['They fill up when the cache grows.']],
    ['memcached OR grows', ['Memcached was here, without a cluster.', 'They fill up when the cache grows.']],
    ['(memcached OR cache) AND cluster NOT ops', ['Memcached was here, without a cluster.']],
    ['memca*', ['Memcached was here, without a cluster.']],
    ['cache path:disk', ['They fill up when the cache grows.']],
    ['cluster path:notes/*', ['Memcached was here, without a cluster.']],
    ['cluster path:NOTES/zoo', ['Memcached was here, without a cluster.']],
    ['cache tag:ops tag:storage', ['They fill up when the cache grows.']],
    ['redis type:code', ['sh redis-cli info']],
    ['redis type:heading', ['Redis']],
    ['type:code', ['sh redis-cli info']],
    ['kind:note', []],
    ['tag:storage type:text', ['They fill up when the cache grows.']],
    ['#ops type:text', ['The cache runs in a cluster. #ops']],
    ['tag:ops type:text', ['The cache runs in a cluster. #ops', 'They fill up when the cache grows.']],
  ]

  test('finds what was asked for, and nothing else', async () => {
    await using at = await openWorkspace(FILES)
    for (const [query, expected] of CASES)
      expect((await snippets(at.memory, query)).toSorted(), query).toEqual(expected.toSorted())
  })

  test('since: what was written or changed in that time', async () => {
    const DAY = 24 * 60 * 60 * 1000
    let now = Date.UTC(2026, 0, 1)
    await using at = await openWorkspace(FILES, { now: () => now })
    now += 10 * DAY
    const { id } = await at.memory.write({ payload: 'A cluster of notes.' })
    expect(await snippets(at.memory, 'cluster since:7d')).toEqual(['A cluster of notes.'])
    expect(await snippets(at.memory, 'since:2026-01-02')).toEqual(['A cluster of notes.'])
    expect(await snippets(at.memory, 'cluster since:2w')).toHaveLength(3)
    now += 10 * DAY
    expect(await snippets(at.memory, 'since:7d')).toEqual([])
    await at.memory.write({ anchor: id, payload: 'No notes any more.' })
    expect(await snippets(at.memory, 'since:7d')).toEqual(['No notes any more.'])
  })

  test('pinned: what is pinned, or is not', async () => {
    await using at = await openWorkspace(FILES)
    const [hit] = (await ask(at.memory, 'memcached')).hits
    await at.memory.pin({ id: hit?.id ?? '' })
    expect(await snippets(at.memory, 'pinned:yes')).toEqual([hit?.snippet])
    expect(await snippets(at.memory, 'cluster pinned:no')).toEqual(['The cache runs in a cluster. #ops'])
    await at.memory.unpin(hit?.id ?? '')
    expect(await snippets(at.memory, 'pinned:yes')).toEqual([])
  })

  test('kind: notes apart from files', async () => {
    await using at = await openWorkspace(FILES)
    await at.memory.write({ payload: 'A cluster of notes.' })
    expect(await snippets(at.memory, 'cluster kind:note')).toEqual(['A cluster of notes.'])
    expect(await snippets(at.memory, 'cluster kind:source')).toHaveLength(2)
    const [hit] = (await ask(at.memory, 'kind:note')).hits
    expect(hit).toMatchObject({ path: 'mcp:write', headingPath: [], matches: [] })
  })

  test('filters alone give the newest first, the warmest of them before the others', async () => {
    await using at = await openWorkspace()
    const ids: string[] = []
    for (let day = 1; day <= 9; day++)
      ids.push((await at.memory.write({ payload: `On day ${day} nothing happened.` })).id)
    expect((await ask(at.memory, 'kind:note', { limit: 3 })).hits.map(({ id }) => id)).toEqual(
      ids.toReversed().slice(0, 3),
    )
    await at.memory.pin({ id: ids[2] as string, temperature: 1 })
    const { hits, leftOut } = await ask(at.memory, 'kind:note', { limit: 3 })
    expect(hits.map(({ id }) => id)).toEqual([ids[2], ids[8], ids[7]])
    expect(leftOut).toBe(6)
  })

  test('filters with NOT give what passes without the words', async () => {
    await using at = await openWorkspace(alone('Paint the door #todo', 'Fix the roof, done #todo', 'Rest.'))
    const { hits, searched } = await ask(at.memory, 'tag:todo NOT done')
    expect(hits.map(({ snippet }) => snippet)).toEqual(['Paint the door #todo'])
    expect(searched).toMatchObject({ words: [], matched: 1, complete: true })
    expect(searchJson(await ask(at.memory, 'tag:todo NOT done')).searched.filters).toEqual({
      tag: ['todo'],
      not: ['done'],
    })
    expect(await snippets(at.memory, 'type:text NOT door NOT (roof OR rest)')).toEqual([])
  })

  test('a filter leaves out hits, and no others: also what is found by its siblings may pass', async () => {
    await using at = await openWorkspace({
      'a.md': paragraphs(
        '# Waiting',
        'Retry with backoff, like this:',
        '```js\nwait(2 ** n)\n```',
        'The end.',
      ),
    })
    const all = await ask(at.memory, 'retry backoff')
    expect(all.hits.map(({ type }) => type)).toEqual(['text', 'code', 'text'])
    for (const type of ['text', 'code'] as const)
      expect((await ask(at.memory, `retry backoff type:${type}`)).hits).toEqual(
        all.hits.filter((hit) => hit.type === type),
      )
  })

  test('what cannot be meant is words, and a note says so', async () => {
    await using at = await openWorkspace(FILES)
    const { hits, searched } = await ask(at.memory, 'type:poem cluster')
    expect(hits).toHaveLength(2)
    expect(searched).toMatchObject({ words: ['cluster'], missing: ['type:poem'], filters: {} })
    expect(searched.notes).toEqual([
      expect.stringContaining('type:poem was taken as words: a type is one of'),
    ])
  })
})

describe('the order of hits', () => {
  test('a heading before a text, and a text below a heading of that name before another', async () => {
    await using at = await openWorkspace({
      'a.md': paragraphs('# Other', 'Nothing of interest.', 'A backup is made every night.'),
      'b.md': paragraphs('# Backup', 'There is a backup in the cellar.', 'It is made every night.'),
    })
    expect(await snippets(at.memory, 'backup')).toEqual([
      'Backup',
      'There is a backup in the cellar.',
      'A backup is made every night.',
    ])
    expect((await snippets(at.memory, 'backup cellar'))[0]).toBe('There is a backup in the cellar.')
  })

  test('a text with more of the words before one with fewer, whatever its length', async () => {
    await using at = await openWorkspace(
      alone('The quick fox.', 'Fox and hen.', `The quick fox and a hen. ${'And so on. '.repeat(300)}`),
    )
    const [first] = await snippets(at.memory, 'quick fox hen')
    expect(first).toContain('The quick fox and a hen')
  })

  test('rare words count more than common ones', async () => {
    const common = Array.from({ length: 20 }, (_, at) => `The server number ${at}.`)
    await using at = await openWorkspace(alone(...common, 'The walrus sleeps.'))
    expect((await snippets(at.memory, 'server walrus'))[0]).toBe('The walrus sleeps.')
  })

  test('a reply is found by the words of its question', async () => {
    await using at = await openWorkspace({
      'chat.md': paragraphs(
        '# Monday',
        'Ben: The weather is fine.',
        'Ada: Which airport do you fly to in summer?',
        'Ben: Lisbon, as ever.',
        'Ada: Good.',
        'Ben: Let us talk about lunch.',
      ),
    })
    const found = await snippets(at.memory, 'which airport in summer')
    expect(found[0]).toBe('Ada: Which airport do you fly to in summer?')
    expect(found.slice(1, 3)).toContain('Ben: Lisbon, as ever.')
    expect(found).not.toContain('Ben: Let us talk about lunch.')
    // One word says nothing of what stands beside it, nor do words that nobody has.
    expect(await snippets(at.memory, 'airport')).toHaveLength(1)
    expect(await snippets(at.memory, 'airport xylophone')).toHaveLength(1)
  })

  test('a tag is one word: it reaches no siblings', async () => {
    await using at = await openWorkspace({
      'a.md': paragraphs(
        'Call the #bank-holiday line.',
        'Buy bread.',
        'On a bank holiday we rest.',
        'Sleep.',
      ),
    })
    expect(await snippets(at.memory, '#bank-holiday')).toEqual([
      'Call the #bank-holiday line.',
      'On a bank holiday we rest.',
    ])
    expect(await snippets(at.memory, '#bank-holiday call')).toContain('Buy bread.')
  })

  test('operators ask for the node itself: siblings are not reached', async () => {
    await using at = await openWorkspace({
      'chat.md': paragraphs('Which airport in summer?', 'Lisbon, as ever.'),
    })
    expect(await snippets(at.memory, 'airport AND summer')).toEqual(['Which airport in summer?'])
  })

  test('of equal nodes the one that is older comes first, always', async () => {
    await using at = await openWorkspace(alone(...Array.from({ length: 9 }, () => 'All the same.')))
    const first = await ask(at.memory, 'same')
    expect(first.hits.map(({ path }) => path)).toEqual(Array.from({ length: 9 }, (_, place) => `${place}.md`))
    expect(await ask(at.memory, 'same')).toEqual(first)
  })

  test('who asks for more hits gets the same ones first', async () => {
    const texts = Array.from({ length: 150 }, (_, at) => `${at % 2 ? '# ' : ''}All the same.`)
    await using at = await openWorkspace(alone(...texts))
    for (const query of ['same', 'same AND all NOT other', 'same type:text', 'same type:heading']) {
      const ids = async (limit: number) => (await ask(at.memory, query, { limit })).hits.map(({ id }) => id)
      const most = await ids(200)
      for (const limit of [1, 10, 40]) expect(await ids(limit), query).toEqual(most.slice(0, limit))
    }
  })

  test('heat lifts, and cold never means gone', async () => {
    await using at = await openWorkspace(alone('An owl sits there.', 'An owl flies here.', 'An owl sleeps.'))
    const [, , third] = (await ask(at.memory, 'owl')).hits
    await at.memory.pin({ id: third?.id ?? '', temperature: 1 })
    const { hits } = await ask(at.memory, 'owl')
    expect(hits[0]).toMatchObject({ id: third?.id, temperature: 1 })
    for (const { id } of hits) await at.memory.pin({ id, temperature: 0 })
    const cold = await ask(at.memory, 'owl')
    expect(cold.hits).toHaveLength(3)
    for (const { score } of cold.hits) expect(score).toBeGreaterThan(0)
  })

  test('stop words are left aside while there are others, and find when there are none', async () => {
    await using at = await openWorkspace(alone('To be or not to be.', 'A walrus.', 'The end of it.'))
    const { hits, searched } = await ask(at.memory, 'what is the walrus')
    expect(hits.map(({ snippet }) => snippet)).toEqual(['A walrus.'])
    expect(searched).toMatchObject({ words: ['walrus'], dropped: ['what', 'is', 'the'] })
    expect(await snippets(at.memory, 'to be or not to be')).toEqual(['To be or not to be.'])
    expect((await ask(at.memory, 'the of')).searched).toMatchObject({ words: ['the', 'of'], dropped: [] })
  })
})
