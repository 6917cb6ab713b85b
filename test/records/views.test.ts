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
  test('is sorted by importance, then by access, and counted', async () => {
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
    expect(contentsOf(await at.view('core', { tags: ['a'] }))).toEqual(['old high'])
  })

  test('that is cut ends with the total, and counts cover everything', async () => {
    await using at = await openRecords()
    const stored = [
      { importance: 'low', category: 'fact' },
      { importance: 'high', category: 'other' },
      { importance: 'high', tags: ['a'] },
      { importance: 'medium', category: 'fact', tags: ['a'] },
    ] as const
    for (const one of stored) await at.store('x', { ...one, tags: [...('tags' in one ? one.tags : [])] })
    const cut = await at.view('core', { limit: 1 })
    const keys = ['memories', 'count', 'by_importance', 'by_category', 'generated_at']
    expect(Object.keys(cut)).toEqual([...keys, 'total', 'truncated'])
    expect(cut).toMatchObject({ count: 1, total: 4, truncated: true })
    expect(cut.by_importance).toEqual({ high: 2, medium: 1, low: 1 })
    expect(JSON.stringify(cut.by_category)).toBe('{"fact":2,"other":2}')
    expect(await at.view('core', { limit: 1, tags: ['a'] })).toMatchObject({
      total: 2,
      by_importance: { high: 1, medium: 1, low: 0 },
      by_category: { fact: 1, other: 1 },
    })
    expect(Object.keys(await at.view('core', { limit: 4 }))).toEqual(keys)
    expect(Object.keys(await at.view('core'))).toEqual(keys)
  })

  test('that is cut has another stamp when only what is left out changes', async () => {
    await using at = await openRecords()
    const left = await at.store('left out', { importance: 'low' })
    await at.store('shown', { importance: 'high' })
    const stamp = () => at.memory.observer.recordStamp('core', { limit: 1 })
    const before = await stamp()
    await at.memory.records.update({ id: left.id, category: 'fact' })
    const after = await stamp()
    expect(after).not.toBe(before)
    expect(await stamp()).toBe(after)
    await at.store('one more', { importance: 'low' })
    expect(await stamp()).not.toBe(after)
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

test('no view has more than 1,000, and core says how many there are', async () => {
  await using at = await openRecords({ settings: { 'records.max_core': 'none' } })
  await Promise.all(
    Array.from({ length: 1005 }, (_, n) => at.store(`m${n}`, { category: n < 5 ? 'first' : 'fact' })),
  )
  const core = await at.view('core')
  expect(core).toMatchObject({ count: 1000, total: 1005, truncated: true })
  expect(core.memories).toHaveLength(1000)
  expect(core.by_importance).toEqual({ high: 0, medium: 1005, low: 0 })
  expect(core.by_category).toEqual({ fact: 1000, first: 5 })
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

test('what is about a number of records is never cut: recent, and a view with a limit', async () => {
  const views = [{ name: 'two', limit: 2 }, { name: 'all' }]
  await using at = await openRecords({ settings: { 'records.views': views } })
  for (let n = 0; n < 30; n++) await at.store(`m${n}`, { type: 'task' })
  const keysOf = (text: string | undefined) => Object.keys(JSON.parse(text ?? '{}'))
  const plain = ['memories', 'count', 'generated_at']
  expect(Object.keys(await at.view('recent'))).toEqual(plain)
  expect(Object.keys(await at.view('recent', { limit: 3 }))).toEqual(plain)
  const custom = async (name: string, options = {}) =>
    keysOf(await at.memory.observer.findCustomView(name, options))
  expect(await custom('two')).toEqual(plain)
  expect(await custom('all')).toEqual(plain)
  expect(await custom('all', { limit: 5 })).toEqual([...plain, 'total', 'truncated'])
  const active = await at.view('tasks/active', { limit: 2 })
  expect(active).toMatchObject({ count: 2, total: 30, truncated: true })
  expect(active.by_status).toEqual({ completed: 0, 'in-progress': 30, blocked: 0 })
})
