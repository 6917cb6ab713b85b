import { expect, test } from 'vitest'
import { openRecords } from '../support/records.ts'

test('nothing yet: zeros and nulls', async () => {
  await using at = await openRecords()
  expect(await at.tool('get_memory_stats')).toEqual({
    total_memories: 0,
    by_type: { core: 0, learning: 0, task: 0 },
    by_importance: { high: 0, medium: 0, low: 0 },
    archived_count: 0,
    total_storage_kb: 0,
    oldest_memory: null,
    newest_memory: null,
    most_accessed: null,
    top_tags: [],
  })
})

test('counts what is not archived, and tells what is archived apart', async () => {
  await using at = await openRecords()
  const first = await at.store('x'.repeat(1000), { importance: 'high', tags: ['a', 'b'] })
  at.pass(60_000)
  const asked = await at.store('é'.repeat(12), { type: 'task', tags: ['b'] })
  at.pass(60_000)
  await at.store('y'.repeat(1024), { type: 'learning', tags: ['c'] })
  const { id } = await at.store('z', { type: 'learning', tags: ['c'], importance: 'low' })
  await at.memory.records.delete({ id })
  await at.memory.records.update({ id: asked.id })
  const stats = await at.memory.records.stats()
  expect(stats).toMatchObject({
    total_memories: 3,
    by_type: { core: 1, learning: 1, task: 1 },
    by_importance: { high: 1, medium: 2, low: 0 },
    archived_count: 1,
    total_storage_kb: 2,
    oldest_memory: first.created_at,
    newest_memory: '2026-01-01T10:02:00Z',
    most_accessed: { id: asked.id, access_count: 1 },
    top_tags: [
      { tag: 'b', count: 2 },
      { tag: 'a', count: 1 },
      { tag: 'c', count: 1 },
    ],
  })
  expect(Object.keys(stats)).toEqual([
    'total_memories',
    'by_type',
    'by_importance',
    'archived_count',
    'total_storage_kb',
    'oldest_memory',
    'newest_memory',
    'most_accessed',
    'top_tags',
  ])
})

test('no more than the ten most used tags', async () => {
  await using at = await openRecords()
  for (let n = 0; n < 12; n++) await at.store('x', { tags: n % 2 ? [`t${n}`, 'all'] : [`t${n}`] })
  const { top_tags } = await at.memory.records.stats()
  expect(top_tags).toHaveLength(10)
  expect(top_tags[0]).toEqual({ tag: 'all', count: 6 })
})
