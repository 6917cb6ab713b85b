import { describe, expect, test } from 'vitest'
import { type KeyWorkspace, openKeys } from '../../../../test/support/keys.ts'

async function openRedacted(): Promise<KeyWorkspace> {
  const at = await openKeys()
  await at.text('remember', { key: 'payroll:berlin/salaries', value: 'rhinoceros', tags: ['hr', 'secret'] })
  await at.text('remember', { key: 'payroll-calendar', value: 'Salaries are paid on the 25th', tags: ['hr'] })
  await at.text('redact_memory', { key: 'payroll:berlin/salaries' })
  return at
}

async function found(at: KeyWorkspace, args: object): Promise<string[]> {
  const { items } = await at.json('search_memories', { include_redacted: true, ...args })
  return items.map(({ key }: { key: string }) => key)
}

describe('search_memories with include_redacted', () => {
  test('finds a redacted memory by the words of its key, and shows none of its content', async () => {
    await using at = await openRedacted()
    at.pass(30 * 86_400_000)
    const { items } = await at.json('search_memories', { query: 'Berlin salary', include_redacted: true })
    expect(items).toContainEqual({
      memory_id: expect.any(String),
      key: 'payroll:berlin/salaries',
      value: '__redacted__',
      tags: ['hr', 'secret'],
      owner_client_id: 'library',
      score: 0.875,
      semantic_score: null,
      keyword_score: 1,
      recency_score: 0.5,
      created_at: expect.any(String),
      updated_at: expect.stringMatching(/^2026-06-14/),
      recall_count: 0,
      last_accessed_at: null,
      redacted_at: '2026-06-14T21:58:12.123000+00:00',
    })
  })

  test('ranks it among the others, by how many of the words its key has', async () => {
    await using at = await openRedacted()
    expect(await found(at, { query: 'payroll calendar' })).toEqual([
      'payroll-calendar',
      'payroll:berlin/salaries',
    ])
    expect(await found(at, { query: 'payroll berlin' })).toEqual([
      'payroll:berlin/salaries',
      'payroll-calendar',
    ])
    expect(await found(at, { query: 'payroll', top_k: 1 })).toHaveLength(1)
    expect(await found(at, { query: 'the berlin calendar', min_score: 0.9 })).toEqual([])
  })

  test('neither its former content nor its tags find it; filter_tags narrow', async () => {
    await using at = await openRedacted()
    expect(await found(at, { query: 'rhinoceros' })).toEqual([])
    expect(await found(at, { query: 'secret' })).toEqual([])
    expect(await found(at, { query: '' })).toEqual([])
    expect(await found(at, { query: 'payroll', filter_tags: ['hr', 'secret'] })).toEqual([
      'payroll:berlin/salaries',
    ])
  })

  test('is left out unless it is asked for, and once it is forgotten', async () => {
    await using at = await openRedacted()
    expect(await found(at, { query: 'berlin', include_redacted: false })).toEqual([])
    await at.text('forget', { key: 'payroll:berlin/salaries' })
    expect(await found(at, { query: 'berlin' })).toEqual([])
  })
})
