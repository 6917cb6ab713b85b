import { describe, expect, test } from 'vitest'
import { openKeys } from '../support/keys.ts'

/** Versions are times; their last three digits are not. */
const LATER = /^2026-06-14T21:58:13\.123/

test('a tombstone is as old as its redaction, by the clock of the memory', async () => {
  await using at = await openKeys()
  await at.text('remember', { key: 'k', value: 'one', tags: ['t'] })
  at.pass(1000)
  await at.text('redact_memory', { key: 'k' })
  const { items } = await at.json('list_memories', { tag: 't', include_redacted: true })
  expect(items).toMatchObject([
    { version: expect.stringMatching(LATER), redacted_at: expect.stringMatching(LATER) },
  ])
})

test('what a rollback brings back is as old as the rollback', async () => {
  await using at = await openKeys()
  await at.text('remember', { key: 'k', value: 'one' })
  await at.text('remember', { key: 'k', value: 'two' })
  at.pass(1000)
  await at.memory.rollback({ snapshotId: 1 })
  expect(await at.version('k')).toMatch(LATER)
})

describe('a clock that is set back', () => {
  test('does not make a newer version older than the one before', async () => {
    await using at = await openKeys()
    const versions: string[] = []
    for (const [value, passed] of [
      ['one', 0],
      ['two', 5000],
      ['three', -60_000],
      ['four', 10],
      ['five', 3_600_000],
    ] as const) {
      at.pass(passed)
      await at.text('remember', { key: 'k', value, tags: ['t'] })
      versions.push(await at.version('k'))
    }
    expect(versions.map((version) => version.slice(0, 23))).toEqual(
      versions.map((version) => version.slice(0, 23)).toSorted(),
    )
    expect(new Set(versions).size).toBe(5)
    const { versions: earlier } = await at.json('memory_history', { key: 'k' })
    const stamps = earlier.map((one: { version_timestamp: string }) => one.version_timestamp.slice(0, 18))
    expect(stamps).toEqual(stamps.toSorted().toReversed())
    const times = earlier.map((one: { recorded_at: string }) => one.recorded_at)
    expect(times).toEqual(times.toSorted().toReversed())
  })

  test('does not make a newer version older, also after a restart', async () => {
    await using at = await openKeys()
    await at.text('remember', { key: 'k', value: 'one' })
    const first = await at.version('k')
    at.pass(-60_000)
    await at.reopen()
    await at.text('remember', { key: 'k', value: 'two' })
    expect((await at.version('k')).slice(0, 23)).toBe(first.slice(0, 23))
    expect(await at.version('k')).not.toBe(first)
    await at.text('remember', { key: 'k', value: 'three' })
    const { versions } = await at.json('memory_history', { key: 'k' })
    const stamps = versions.map((one: { version_timestamp: string }) => one.version_timestamp.slice(0, 18))
    expect(stamps).toEqual(stamps.toSorted().toReversed())
    await at.memory.keys.forget('k')
    await at.text('remember', { key: 'k', value: 'four' })
    expect((await at.version('k')) >= first.slice(0, 23)).toBe(true)
  })

  test('does not bring back what has expired', async () => {
    await using at = await openKeys()
    await at.text('remember', { key: 'k', value: 'v', tags: ['t'], ttl_seconds: 10 })
    at.pass(10_000)
    expect(await at.json('list_memories', { tag: 't' })).toMatchObject({ count: 0 })
    at.pass(-8000)
    expect(await at.json('list_memories', { tag: 't' })).toMatchObject({ count: 0 })
    await expect(at.text('recall', { key: 'k' })).rejects.toThrow('No memory found')
  })

  test('does not shorten the time to live of a key that is stored again', async () => {
    await using at = await openKeys()
    await at.text('remember', { key: 'k', value: 'one', ttl_seconds: 60 })
    at.pass(-3_600_000)
    await at.reopen()
    await at.text('remember', { key: 'k', value: 'two', ttl_seconds: 60 })
    at.pass(3_600_000 + 59_000)
    expect(await at.text('recall', { key: 'k' })).toBe('two')
    at.pass(1000)
    await expect(at.text('recall', { key: 'k' })).rejects.toThrow('No memory found')
    await at.text('remember', { key: 'k', value: 'gone at once', ttl_seconds: 0 })
    await expect(at.text('recall', { key: 'k' })).rejects.toThrow('No memory found')
  })
})
