import { describe, expect, test } from 'vitest'
import type { ViewName } from '../../src/core/records/views.ts'
import { contentsOf, DAY_MS, openRecords } from '../support/records.ts'

describe('recent', () => {
  test('is what was accessed last, of all types; what is archived is not', async () => {
    await using at = await openRecords()
    for (let n = 0; n < 25; n++) {
      await at.store(`m${n}`, { type: (['core', 'learning', 'task'] as const)[n % 3] ?? 'core' })
      at.pass(1000)
    }
    await at.memory.records.query({ search: 'm3', sort_by: 'created_at', sort_order: 'asc', limit: 1 })
    const { memories } = await at.memory.records.query({ search: 'm24' })
    at.pass(1000)
    await at.memory.records.delete({ id: memories[0]?.id ?? '' })
    const view = await at.view('recent')
    expect(Object.keys(view)).toEqual(['memories', 'count', 'generated_at'])
    expect(view).toMatchObject({ count: 20, generated_at: '2026-01-01T10:00:26Z' })
    expect(contentsOf(view).slice(0, 3)).toEqual(['m3', 'm23', 'm22'])
    expect(contentsOf(await at.view('recent', { limit: 50 }))).toHaveLength(24)
    expect(contentsOf(await at.view('recent', { since: '2026-01-01T10:00:23Z' }))).toEqual(['m3', 'm23'])
  })
})

describe('core', () => {
  test('is sorted by importance, then by access; counts are of what is returned', async () => {
    await using at = await openRecords()
    await at.store('low', { importance: 'low', category: 'fact' })
    await at.store('old high', { importance: 'high', category: 'preference', tags: ['a'] })
    at.pass(1000)
    await at.store('new high', { importance: 'high', category: 'fact' })
    await at.store('medium')
    await at.store('no core', { type: 'learning' })
    const view = await at.view('core')
    expect(Object.keys(view)).toEqual(['memories', 'count', 'by_importance', 'by_category', 'generated_at'])
    expect(contentsOf(view)).toEqual(['new high', 'old high', 'medium', 'low'])
    expect(view.by_importance).toEqual({ high: 2, medium: 1, low: 1 })
    expect(view.by_category).toEqual({ fact: 2, preference: 1, other: 1 })
    expect(await at.view('core', { limit: 1 })).toMatchObject({
      count: 1,
      by_importance: { high: 1, medium: 0, low: 0 },
      by_category: { fact: 1 },
    })
    expect(contentsOf(await at.view('core', { tags: ['a'] }))).toEqual(['old high'])
  })

  test('a category may have any name', async () => {
    await using at = await openRecords()
    for (const category of ['__proto__', 'constructor', '1']) await at.store('x', { category })
    const text = JSON.stringify((await at.view('core')).by_category)
    expect(text).toBe('{"1":1,"__proto__":1,"constructor":1}')
  })
})

describe('learnings', () => {
  test('are those created or accessed since midnight UTC 30 days ago, newest first', async () => {
    await using at = await openRecords()
    at.setTime('2025-12-01T23:59:59Z')
    await at.store('old', { type: 'learning' })
    await at.store('old, but asked for', { type: 'learning' })
    at.setTime('2025-12-02T00:00:00Z')
    await at.store('new', { type: 'learning', tags: ['a'] })
    at.setTime('2026-01-01T10:00:00Z')
    await at.memory.records.query({ search: 'asked' })
    const view = await at.view('learnings')
    expect(Object.keys(view)).toEqual(['memories', 'count', 'date_range', 'generated_at'])
    expect(contentsOf(view)).toEqual(['new', 'old, but asked for'])
    expect(view.date_range).toEqual({ from: '2025-12-02T00:00:00Z', to: '2026-01-01T10:00:00Z' })
    const earlier = await at.view('learnings', { since: '2025-12-01' })
    expect(contentsOf(earlier)).toHaveLength(3)
    expect(earlier.date_range?.from).toBe('2025-12-01T00:00:00Z')
  })
})

describe('tasks', () => {
  test('active ones are all that are not archived, last updated first', async () => {
    await using at = await openRecords()
    const { id } = await at.store('a', { type: 'task', category: 'blocked' })
    await at.store('b', { type: 'task', category: 'completed', tags: ['python', 'testing'] })
    await at.store('c', { type: 'task', tags: ['python'] })
    at.pass(1000)
    await at.memory.records.update({ id, importance: 'high' })
    const view = await at.view('tasks/active')
    expect(Object.keys(view)).toEqual(['memories', 'count', 'by_status', 'generated_at'])
    expect(contentsOf(view)).toEqual(['a', 'c', 'b'])
    expect(JSON.stringify(view.by_status)).toBe('{"completed":1,"in-progress":1,"blocked":1}')
    expect(contentsOf(await at.view('tasks/active', { tags: ['python', 'testing'] }))).toEqual(['b'])
  })

  test('completed ones are of the last 30 days, last completed first', async () => {
    await using at = await openRecords()
    const complete = (content: string, completed_at: string) =>
      at.store(content, { type: 'task', task_metadata: { status: 'completed', completed_at } })
    await complete('first', '2025-12-02T00:00:00Z')
    await complete('long ago', '2025-12-01T23:59:59Z')
    await complete('last', '2025-12-31')
    await at.store('not yet', { type: 'task' })
    const { id } = await complete('put away', '2025-12-31')
    await at.memory.records.delete({ id })
    const view = await at.view('tasks/completed')
    expect(Object.keys(view)).toEqual(['memories', 'count', 'date_range', 'generated_at'])
    expect(contentsOf(view)).toEqual(['last', 'first'])
    expect(view.date_range).toEqual({ from: '2025-12-02T00:00:00Z', to: '2026-01-01T10:00:00Z' })
    expect(contentsOf(await at.view('tasks/completed', { since: '2025-12-30' }))).toEqual(['last'])
  })
})

test('looking is no access', async () => {
  await using at = await openRecords()
  await at.store('x')
  at.pass(DAY_MS)
  for (const name of ['recent', 'core'] as const) await at.view(name)
  expect((await at.view('recent')).memories).toMatchObject([
    { access_count: 0, accessed_at: '2026-01-01T10:00:00Z' },
  ])
})

test('no view has more than 1,000', async () => {
  await using at = await openRecords({ settings: { 'records.max_core': 'none' } })
  await Promise.all(Array.from({ length: 1005 }, (_, n) => at.store(`m${n}`)))
  expect(await at.view('core')).toMatchObject({ count: 1000, by_importance: { medium: 1000 } })
  expect((await at.view('recent', { limit: 1000 })).count).toBe(1000)
}, 60_000)

test.each([
  ['limit', { limit: 0 }],
  ['limit', { limit: 1001 }],
  ['since', { since: 'yesterday' }],
  ['since', { since: '2025-02-30' }],
])('a wrong %s is refused: %j', async (name, options) => {
  await using at = await openRecords()
  for (const view of ['recent', 'tasks/completed'] as ViewName[])
    await expect(at.view(view, options)).rejects.toMatchObject({
      code: 'INVALID_INPUT',
      message: expect.stringContaining(name),
    })
})
