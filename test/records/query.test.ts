import { expect, test } from 'vitest'
import { heatOf } from '../support/engine.ts'
import { contentsOf, openRecords, type RecordWorkspace } from '../support/records.ts'

async function filled(): Promise<RecordWorkspace> {
  const at = await openRecords()
  const records = [
    ['tabs', { category: 'preference', tags: ['ui', 'python'], importance: 'low' }],
    ['Prefers PYTHON', { category: 'fact', tags: ['python'], importance: 'high' }],
    [
      'cache keys',
      { type: 'learning', category: 'fact', tags: ['python', 'ui', 'web'], importance: 'medium' },
    ],
    ['ship it', { type: 'task', category: 'in-progress', tags: [], importance: 'high' }],
  ] as const
  for (const [content, others] of records) {
    await at.store(content, { ...others, tags: [...others.tags] })
    at.pass(1000)
  }
  return at
}

test.each([
  ['nothing', {}, ['ship it', 'cache keys', 'Prefers PYTHON', 'tabs']],
  ['a type', { type: 'core' }, ['Prefers PYTHON', 'tabs']],
  ['all of the tags', { tags: ['ui', 'python'] }, ['cache keys', 'tabs']],
  ['a tag that nothing has', { tags: ['ui', 'none'] }, []],
  ['a word, whatever the case', { search: 'python' }, ['Prefers PYTHON']],
  ['another form of a word', { search: 'shipping' }, ['ship it']],
  ['every word, in any order', { search: 'keys cached' }, ['cache keys']],
  ['words of which one is missing', { search: 'cache lock' }, []],
  ['a phrase', { search: '"cache keys"' }, ['cache keys']],
  ['a phrase in another order', { search: '"keys cache"' }, []],
  ['a part of a word', { search: 'yth' }, []],
  ['the beginning of a word', { search: 'pyth*' }, ['Prefers PYTHON']],
  ['words with an operator', { search: 'tabs OR ship' }, ['ship it', 'tabs']],
  ['words and a tag', { search: 'cache', tags: ['web', 'ui'] }, ['cache keys']],
  ['words and a type', { search: 'cache', type: 'core' }, []],
  ['stop words beside others', { search: 'the cache' }, ['cache keys']],
  ['a stop word', { search: 'it' }, ['ship it']],
  ['what is a filter elsewhere', { search: 'type:task' }, []],
  ['a text without a word', { search: '%' }, []],
  ['blanks', { search: ' ' }, ['ship it', 'cache keys', 'Prefers PYTHON', 'tabs']],
  ['an empty text', { search: '' }, ['ship it', 'cache keys', 'Prefers PYTHON', 'tabs']],
  ['an importance', { importance: 'high' }, ['ship it', 'Prefers PYTHON']],
  ['a category', { category: 'fact' }, ['cache keys', 'Prefers PYTHON']],
  ['several at once', { type: 'core', category: 'fact', tags: ['python'] }, ['Prefers PYTHON']],
] as const)('finds by %s', async (_what, filter, contents) => {
  await using at = await filled()
  const page = await at.memory.records.query(filter as never)
  expect(contentsOf(page)).toEqual(contents)
  expect(page).toMatchObject({ total: contents.length, limit: 10, offset: 0, has_more: false })
  expect(Object.keys(page)).toEqual(['memories', 'total', 'limit', 'offset', 'has_more'])
})

test('finds words of any script, in whatever part of the content they are', async () => {
  await using at = await openRecords()
  await at.store('# Travel\n\n東京都に行く\n\n- café\n- river')
  await at.store('river only')
  const count = async (search: string) => (await at.memory.records.query({ search })).total
  expect(await count('東京 cafe')).toBe(1)
  expect(await count('travel rivers')).toBe(1)
  expect(await count('river')).toBe(2)
  expect(await count('river NOT travel')).toBe(1)
})

test('a search is paged and sorted like everything else', async () => {
  await using at = await openRecords()
  for (let i = 0; i < 7; i++) {
    await at.store(`deploy number ${i}`)
    at.pass(1000)
  }
  await at.store('something else')
  const page = await at.memory.records.query({
    search: 'deploys',
    sort_by: 'created_at',
    sort_order: 'asc',
    limit: 2,
    offset: 4,
  })
  expect(contentsOf(page)).toEqual(['deploy number 4', 'deploy number 5'])
  expect(page).toMatchObject({ total: 7, has_more: true })
  const last = await at.memory.records.query({ search: 'deploys', limit: 5, offset: 9 })
  expect(last).toMatchObject({ memories: [], total: 7, has_more: false })
})

test.each([
  ['created_at', 'asc', ['tabs', 'Prefers PYTHON', 'cache keys', 'ship it']],
  ['updated_at', 'desc', ['ship it', 'cache keys', 'Prefers PYTHON', 'tabs']],
  ['importance', 'desc', ['ship it', 'Prefers PYTHON', 'cache keys', 'tabs']],
  ['importance', 'asc', ['tabs', 'cache keys', 'Prefers PYTHON', 'ship it']],
] as const)('sorts by %s, %s', async (sort_by, sort_order, contents) => {
  await using at = await filled()
  expect(contentsOf(await at.memory.records.query({ sort_by, sort_order }))).toEqual(contents)
})

test('being asked for is an access: counted, dated, the nodes get warmer, and the next answer says so', async () => {
  await using at = await filled()
  const before = heatOf(at.memory)
  at.pass(3_600_000)
  expect((await at.memory.records.query({ search: 'tabs' })).memories[0]?.access_count).toBe(0)
  await at.memory.records.query({ search: 'tabs' })
  const { memories } = await at.memory.records.query({ sort_by: 'access_count' })
  expect(memories[0]).toMatchObject({
    content: 'tabs',
    access_count: 2,
    accessed_at: '2026-01-01T11:00:04Z',
    updated_at: '2026-01-01T10:00:00Z',
  })
  expect(memories.map(({ access_count }) => access_count)).toEqual([2, 0, 0, 0])
  const warmer = [...heatOf(at.memory)].filter(([id, { value }]) => value > (before.get(id)?.value ?? 0))
  expect(warmer.length).toBeGreaterThan(0)
  // No snapshot: nothing that was written changed.
  expect(await at.memory.snapshots()).toHaveLength(4)
})

test('what was asked for last comes first, by default', async () => {
  await using at = await filled()
  at.pass(1000)
  await at.memory.records.query({ search: 'tabs' })
  expect(contentsOf(await at.memory.records.query())[0]).toBe('tabs')
})

test('accesses are still there after a restart', async () => {
  await using at = await filled()
  await at.memory.records.query({ search: 'tabs' })
  await at.reopen()
  expect((await at.memory.records.query({ search: 'tabs' })).memories[0]?.access_count).toBe(1)
})

test('pages: how many there are before paging, and whether more follow', async () => {
  await using at = await filled()
  const page = (input: object) => at.memory.records.query({ sort_by: 'created_at', ...input })
  expect(await page({ limit: 3 })).toMatchObject({ total: 4, limit: 3, offset: 0, has_more: true })
  expect(await page({ limit: 3, offset: 3 })).toMatchObject({ total: 4, offset: 3, has_more: false })
  expect(contentsOf(await page({ limit: 3, offset: 3 }))).toEqual(['tabs'])
  expect(await page({ limit: 4 })).toMatchObject({ total: 4, has_more: false })
  expect(await page({ offset: 9 })).toMatchObject({ memories: [], total: 4, has_more: false })
})

test('archived ones only when they are asked for', async () => {
  await using at = await filled()
  const { id } = await at.store('old', { tags: ['ui'] })
  await at.memory.records.delete({ id })
  expect((await at.memory.records.query({ tags: ['ui'] })).total).toBe(2)
  expect((await at.memory.records.query({ tags: ['ui'], archived: true })).total).toBe(3)
})

test.each([
  ['limit', { limit: 0 }],
  ['limit', { limit: 101 }],
  ['offset', { offset: -1 }],
  ['search', { search: 'x'.repeat(201) }],
  ['sort_by', { sort_by: 'content' }],
  ['sort_order', { sort_order: 'up' }],
  ['type', { type: 'note' }],
  ['tags', { tags: 'ui' }],
])('refuses a wrong %s: %j', async (name, input) => {
  await using at = await openRecords()
  await expect(at.memory.records.query(input as never)).rejects.toMatchObject({
    code: 'INVALID_INPUT',
    message: expect.stringContaining(name),
  })
})
