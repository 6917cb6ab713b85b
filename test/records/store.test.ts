import { expect, test } from 'vitest'
import { expectSound } from '../support/engine.ts'
import { openRecords } from '../support/records.ts'

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/

test('a record is the object of the contract: its keys, in their order, times in whole seconds', async () => {
  await using at = await openRecords()
  const { id, created, memory } = await at.memory.records.store({
    type: 'core',
    content: 'Prefers dark mode.',
    category: 'preference',
    tags: ['ui', 'editor'],
    importance: 'high',
  })
  expect(id).toMatch(UUID)
  expect(created).toBe(true)
  expect(JSON.stringify(memory)).toBe(
    JSON.stringify({
      id,
      type: 'core',
      content: 'Prefers dark mode.',
      category: 'preference',
      created_at: '2026-01-01T10:00:00Z',
      updated_at: '2026-01-01T10:00:00Z',
      accessed_at: '2026-01-01T10:00:00Z',
      access_count: 0,
      tags: ['ui', 'editor'],
      importance: 'high',
      archived: false,
    }),
  )
  await expectSound(at.memory)
})

test('what is not given: no category, no tags, medium', async () => {
  await using at = await openRecords()
  const memory = await at.store('x')
  expect(memory).toMatchObject({ tags: [], importance: 'medium', archived: false })
  expect(memory).not.toHaveProperty('category')
  expect(memory).not.toHaveProperty('task_metadata')
})

test('with an id the record is another one in its place; what is not given stays', async () => {
  await using at = await openRecords()
  const { id } = await at.store('old', { category: 'fact', tags: ['a'], importance: 'high' })
  at.pass(60_000)
  const again = await at.memory.records.store({ type: 'learning', content: 'new', tags: ['b'], id })
  expect(again).toMatchObject({ id, created: false })
  expect(again.memory).toMatchObject({
    type: 'learning',
    content: 'new',
    category: 'fact',
    tags: ['b'],
    importance: 'high',
    created_at: '2026-01-01T10:00:00Z',
    updated_at: '2026-01-01T10:01:00Z',
  })
  // Being stored is no access.
  expect(again.memory).toMatchObject({ access_count: 0, accessed_at: '2026-01-01T10:00:00Z' })
})

test('an id that is not there is not found; in upper case it is the same', async () => {
  await using at = await openRecords()
  const { id } = await at.store('x')
  const other = '00000000-0000-4000-8000-000000000000'
  await expect(at.memory.records.store({ type: 'core', content: 'x', id: other })).rejects.toMatchObject({
    code: 'NOT_FOUND',
    message: expect.stringContaining(other),
  })
  expect((await at.memory.records.store({ type: 'core', content: 'y', id: id.toUpperCase() })).id).toBe(id)
})

test('storing what is there already writes nothing', async () => {
  await using at = await openRecords()
  const { id } = await at.store('x', { tags: ['a'] })
  at.pass(1000)
  const again = await at.memory.records.store({ type: 'core', content: 'x', tags: ['a'], id })
  expect(again.memory.updated_at).toBe('2026-01-01T10:00:00Z')
  expect(await at.memory.snapshots()).toHaveLength(1)
})

test('a record is memory like any other: found, linked, in the history, signed', async () => {
  await using at = await openRecords()
  await at.store('# Deploys\n\nNever on a Friday, see [[Cards]].')
  const { hits } = await at.memory.search({ query: 'friday' })
  expect(hits).toHaveLength(1)
  expect(await at.memory.snapshots()).toMatchObject([{ operation: 'record', author: 'library' }])
  expect((await at.memory.by('somebody').records.store({ type: 'core', content: 'y' })).created).toBe(true)
  expect((await at.memory.snapshots())[0]?.author).toBe('somebody')
})

test.each([
  ['no content', { content: '' }, 'content must not be empty'],
  ['a long content', { content: 'é'.repeat(5001) }, 'at most 5000'],
  ['a long category', { category: 'x'.repeat(51) }, 'category must have at most 50'],
  ['eleven tags', { tags: Array.from({ length: 11 }, (_, at) => `${at}`) }, 'at most 10'],
  ['a long tag', { tags: ['x'.repeat(31)] }, 'tags[0] must have at most 30'],
  ['an empty tag', { tags: [''] }, 'tags[0] must not be empty'],
  ['another type', { type: 'note' }, 'type must be one of core, learning, task'],
  ['another importance', { importance: 'urgent' }, 'importance must be one of high, medium, low'],
  ['no UUID', { id: 'x' }, 'id must be a UUID'],
  ['metadata of a task', { task_metadata: { status: 'blocked' } }, 'task_metadata is only for tasks'],
])('%s is refused, and nothing is written', async (_what, others, message) => {
  await using at = await openRecords()
  await expect(at.store('x', others as never)).rejects.toMatchObject({
    code: 'INVALID_INPUT',
    message: expect.stringContaining(message),
  })
  expect(await at.memory.snapshots()).toEqual([])
})

test('limits count characters, not code units or bytes', async () => {
  await using at = await openRecords()
  const content = '🎉'.repeat(5000)
  expect((await at.store(content, { tags: ['🎉'.repeat(30)] })).content).toBe(content)
})

test('how long a content and how many tags may be are settings', async () => {
  await using at = await openRecords({ settings: { 'records.max_content': 3, 'records.max_tags': 1 } })
  await expect(at.store('four')).rejects.toThrow('at most 3')
  await expect(at.store('x', { tags: ['a', 'b'] })).rejects.toThrow('at most 1')
})

test('tags are kept once each, in their order', async () => {
  await using at = await openRecords()
  expect((await at.store('x', { tags: ['b', 'a', 'b'] })).tags).toEqual(['b', 'a'])
})

test('half a character is what can be stored of it; blank text is text', async () => {
  await using at = await openRecords()
  expect((await at.store('a\ud800b')).content).toBe('a\ufffdb')
  expect((await at.store(' \n\t ')).content).toBe(' \n\t ')
  await expectSound(at.memory)
})
