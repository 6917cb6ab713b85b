import { describe, expect, test } from 'vitest'
import { expectSound } from '../../../../test/support/engine.ts'
import { type KeyWorkspace, openKeys, wordsLeft } from '../../../../test/support/keys.ts'

const KEY = { key: 'payroll' }
const REDACTED = "Memory 'payroll' was redacted on 2026-06-14T21:58:13.123000+00:00. Value removed."
const WORDS = ['rhinoceros', 'okapi', 'tagtapir']

/** Ways to remove a key while history still has its value. */
const GONE: Record<string, (at: KeyWorkspace) => Promise<unknown>> = {
  forgotten: (at) => at.text('forget', KEY),
  'rolled back': (at) => at.memory.rollback({ snapshotId: 1 }),
  expired: async (at) => at.text('remember', { ...KEY, value: 'okapi', tags: ['tagtapir'], ttl_seconds: 1 }),
  'expired and removed': async (at) => {
    await at.text('remember', { ...KEY, value: 'okapi', tags: ['tagtapir'], ttl_seconds: 1 })
    at.pass(1000)
    await at.memory.search({ query: 'anything' })
    at.pass(-1000)
  },
}

async function openGone(goes: (at: KeyWorkspace) => Promise<unknown>): Promise<KeyWorkspace> {
  const at = await openKeys()
  await at.text('remember', { key: 'beside', value: 'stays' })
  await at.text('remember', { ...KEY, value: 'rhinoceros', tags: ['tagtapir'] })
  await at.text('remember', { ...KEY, value: 'okapi' })
  await goes(at)
  at.pass(1000)
  return at
}

describe('redact_memory of a removed key', () => {
  test.each(Object.entries(GONE))('erases the value of one that is %s', async (_, goes) => {
    await using at = await openGone(goes)
    await expect(at.text('recall', KEY)).rejects.toMatchObject({ code: 'NOT_FOUND' })
    expect(wordsLeft(at.folder, WORDS).sort()).toEqual(['okapi', 'rhinoceros', 'tagtapir'])
    expect(await at.text('redact_memory', KEY)).toBe("Redacted memory 'payroll'.")
    expect(wordsLeft(at.folder, WORDS)).toEqual([])
    expect(await at.text('recall', { key: 'beside' })).toBe('stays')
    await expectSound(at.memory)
  })

  test.each(Object.entries(GONE))('one that is %s is redacted until it is forgotten', async (_, goes) => {
    await using at = await openGone(goes)
    await at.text('redact_memory', KEY)
    expect(await at.text('recall', KEY)).toBe(REDACTED)
    expect(await at.text('redact_memory', KEY)).toBe("Memory 'payroll' is already redacted.")
    const refused = { code: 'REDACTED' }
    await expect(at.text('remember', { ...KEY, value: 'new' })).rejects.toMatchObject(refused)
    await at.memory.rollback({ snapshotId: 2 })
    expect(await at.text('recall', KEY)).toBe(REDACTED)
    await at.text('forget', KEY)
    await expect(at.text('recall', KEY)).rejects.toMatchObject({ code: 'NOT_FOUND' })
    expect(await at.text('remember', { ...KEY, value: 'new' })).toBe("Stored memory 'payroll'.")
    await expectSound(at.memory)
  })

  test.each(Object.entries(GONE))('one that is %s is counted as a key again', async (_, goes) => {
    await using at = await openGone(goes)
    const used = async () => Object(await at.call('ping')).meta.hive.memory_quota.used
    await used()
    await at.text('redact_memory', KEY)
    expect(await used()).toBe(2)
    await at.text('forget', KEY)
    expect(await used()).toBe(1)
  })

  test('one that never was, or of which nothing is left, is not found', async () => {
    await using at = await openKeys()
    const missing = { code: 'NOT_FOUND', message: "No memory found for key 'payroll'." }
    await expect(at.text('redact_memory', KEY)).rejects.toMatchObject(missing)
    await at.text('remember', { ...KEY, value: 'rhinoceros' })
    await at.text('redact_memory', KEY)
    await at.text('forget', KEY)
    const before = await at.memory.snapshots()
    await expect(at.text('redact_memory', KEY)).rejects.toMatchObject(missing)
    expect(await at.memory.snapshots()).toEqual(before)
  })
})

describe('a key that a person erased', () => {
  test('is redacted like one that an agent redacted, since then, and keeps no tags', async () => {
    await using at = await openGone(async (one) =>
      one.text('remember', { ...KEY, value: 'okapi', tags: ['tagtapir'] }),
    )
    await at.memory.erase({ kind: 'key', key: 'payroll' })
    expect(wordsLeft(at.folder, WORDS)).toEqual([])
    expect(await at.text('recall', KEY)).toBe(REDACTED)
    const { items } = await at.json('search_memories', { query: 'payroll', include_redacted: true })
    expect(items).toMatchObject([
      { key: 'payroll', value: '__redacted__', tags: [], redacted_at: '2026-06-14T21:58:13.123000+00:00' },
    ])
    await expectSound(at.memory)
  })

  test('loses the tags that redacting it left, and stays redacted since then', async () => {
    await using at = await openGone(async (one) =>
      one.text('remember', { ...KEY, value: 'okapi', tags: ['tagtapir'] }),
    )
    await at.text('redact_memory', KEY)
    expect(wordsLeft(at.folder, WORDS)).toEqual(['tagtapir'])
    at.pass(5000)
    await at.memory.erase({ kind: 'key', key: 'payroll' })
    expect(wordsLeft(at.folder, WORDS)).toEqual([])
    expect(await at.text('recall', KEY)).toBe(REDACTED)
    expect(await at.json('list_memories', { tag: 'tagtapir', include_redacted: true })).toMatchObject({
      count: 0,
    })
    const snapshots = (await at.memory.snapshots()).length
    await at.memory.erase({ kind: 'key', key: 'payroll' })
    expect((await at.memory.snapshots()).length).toBe(snapshots)
    await expectSound(at.memory)
  })
})
