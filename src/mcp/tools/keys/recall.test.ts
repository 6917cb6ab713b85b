import { describe, expect, test } from 'vitest'
import { openKeys, START } from '../../../../test/support/keys.ts'

const KEY = { key: 'release-cadence' }

describe('recall', () => {
  test('returns the value, its version, and its owner', async () => {
    await using at = await openKeys()
    await at.text('remember', { ...KEY, value: 'Weekly' })
    const answer = await at.call('recall', KEY)
    const version = '2026-06-14T21:58:12.123001+00:00'
    expect(answer).toMatchObject({ text: 'Weekly', structured: { result: 'Weekly', version } })
    expect(answer.meta).toMatchObject({ hive: { memory: { key: 'release-cadence', version } } })
  })

  test('counts recalls, with the time of the last', async () => {
    await using at = await openKeys()
    await at.text('remember', { ...KEY, value: 'Weekly', tags: ['t'] })
    const listed = async () => (await at.json('list_memories', { tag: 't' })).items[0]
    expect(await listed()).toMatchObject({ recall_count: 0, last_accessed_at: null })
    await at.text('recall', KEY)
    at.pass(5000)
    await at.text('recall', KEY)
    const last = new Date(START + 5000).toISOString().replace('Z', '000+00:00')
    expect(await listed()).toMatchObject({ recall_count: 2, last_accessed_at: last })
  })

  test('warms the memory, and leaves its version unchanged', async () => {
    await using at = await openKeys()
    await at.text('remember', { ...KEY, value: 'Weekly' })
    const before = await at.version(KEY.key)
    await at.json('list_memories', { tag: 't' })
    const { nodes } = await at.memory.tree({ warm: false })
    expect(nodes.every(({ temperature }) => temperature > 0.5)).toBe(true)
    expect(await at.version(KEY.key)).toBe(before)
  })

  test.each(['recall', 'forget', 'redact_memory', 'memory_history', 'relate_memories'])(
    '%s says that there is no such memory',
    async (tool) => {
      await using at = await openKeys()
      await expect(at.text(tool, { key: 'none' })).rejects.toMatchObject({
        code: 'NOT_FOUND',
        message: "No memory found for key 'none'.",
      })
    },
  )
})

describe('forget', () => {
  test('removes a memory: it can be neither recalled nor forgotten again', async () => {
    await using at = await openKeys()
    await at.text('remember', { ...KEY, value: 'Weekly', tags: ['t'] })
    await at.text('recall', KEY)
    const answer = await at.call('forget', KEY)
    expect(answer.text).toBe("Deleted memory 'release-cadence'.")
    expect(answer.meta).toMatchObject({ hive: { memory_quota: { used: 0 } } })
    await expect(at.text('recall', KEY)).rejects.toThrow('No memory found')
    await expect(at.text('forget', KEY)).rejects.toThrow('No memory found')
    expect(await at.text('MemorySearch', { query: 'weekly' })).not.toContain('Weekly')
    await at.text('remember', { ...KEY, value: 'Daily', tags: ['t'] })
    const [item] = (await at.json('list_memories', { tag: 't' })).items
    expect(item).toMatchObject({ recall_count: 0, last_accessed_at: null })
  })

  test('can be undone by a rollback', async () => {
    await using at = await openKeys()
    await at.text('remember', { ...KEY, value: 'Weekly', tags: ['t'] })
    await at.text('forget', KEY)
    await at.memory.rollback({ snapshotId: 1 })
    expect(await at.text('recall', KEY)).toBe('Weekly')
    expect((await at.json('list_memories', { tag: 't' })).count).toBe(1)
  })
})

describe('recall of a long value', () => {
  const LONG = `${'a'.repeat(3298)}😀${'b'.repeat(10)}`

  test('returns it in parts, and all of it with a limit', async () => {
    await using at = await openKeys()
    await at.text('remember', { ...KEY, value: LONG })
    const first = await at.call('recall', KEY)
    expect(first.text).toBe(`${'a'.repeat(3298)}\n… 12 more characters: offset=3298`)
    expect(await at.text('recall', { ...KEY, offset: 3298 })).toBe(`😀${'b'.repeat(10)}`)
    expect(await at.text('recall', { ...KEY, offset: 3299 })).toBe(`😀${'b'.repeat(10)}`)
    expect(await at.text('recall', { ...KEY, limit: 10_000 })).toBe(LONG)
    expect(await at.text('recall', { ...KEY, offset: 3298, limit: 1 })).toBe(
      '😀\n… 10 more characters: offset=3300',
    )
    expect(await at.text('recall', { ...KEY, offset: 99_999 })).toBe('')
  })

  test('has a part of it as data, without a version to replace the whole with', async () => {
    await using at = await openKeys()
    await at.text('remember', { ...KEY, value: LONG })
    const first = await at.call('recall', KEY)
    expect(first.structured).toEqual({
      result: 'a'.repeat(3298),
      truncated: true,
      characters: LONG.length,
      next_offset: 3298,
    })
    expect(first.meta).not.toHaveProperty('hive.memory')
    const last = await at.call('recall', { ...KEY, offset: 3298 })
    expect(last.structured).not.toHaveProperty('version')
    expect(last.structured).not.toHaveProperty('next_offset')
    const whole = await at.call('recall', { ...KEY, limit: 10_000 })
    expect(whole.structured).toEqual({ result: LONG, version: expect.any(String) })
  })
})

describe('forget_all', () => {
  test('removes every memory with a tag, and no other', async () => {
    await using at = await openKeys()
    for (const key of ['a', 'b', 'c']) await at.text('remember', { key, value: key, tags: ['t', key] })
    await at.text('remember', { key: 'other', value: 'stays', tags: ['u'] })
    await at.text('remember', { key: 'short', value: 'over', tags: ['t'], ttl_seconds: 1 })
    await at.text('redact_memory', { key: 'a' })
    at.pass(2000)
    const before = (await at.memory.snapshots()).length
    expect(await at.text('forget_all', { tag: 't' })).toBe("Deleted 3 memories with tag 't'.")
    expect((await at.memory.snapshots()).length).toBe(before + 1)
    expect(await at.text('recall', { key: 'other' })).toBe('stays')
    for (const key of ['a', 'b', 'c']) await expect(at.text('recall', { key })).rejects.toThrow('No memory')
  })

  test('may find none', async () => {
    await using at = await openKeys()
    expect(await at.text('forget_all', { tag: 't' })).toBe("Deleted 0 memories with tag 't'.")
    expect(await at.memory.snapshots()).toEqual([])
  })
})

test('every answer has the current number of memories, after a change by any client', async () => {
  await using at = await openKeys()
  const used = async () => {
    const { meta } = await at.call('ping')
    return (meta as { hive: { memory_quota: { used: number } } }).hive.memory_quota.used
  }
  expect(await used()).toBe(0)
  await at.text('remember', { key: 'a', value: '1' })
  await at.text('remember', { key: 'b', value: '1', ttl_seconds: 10 })
  await at.memory.write({ payload: 'A note is no key.' })
  expect(await used()).toBe(2)
  await at.text('remember', { key: 'a', value: '2' })
  await at.text('redact_memory', { key: 'a' })
  expect(await used()).toBe(2)
  await at.memory.rollback({ snapshotId: 1 })
  expect(await used()).toBe(1)
})
