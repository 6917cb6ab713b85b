import { describe, expect, test } from 'vitest'
import { expectSound } from '../../../../test/support/engine.ts'
import { openKeys, wordsLeft } from '../../../../test/support/keys.ts'
import { dispatchTo, servedWith } from '../../../../test/support/served.ts'

const KEY = { key: 'payroll' }
const REDACTED = "Memory 'payroll' was redacted on 2026-06-14T21:58:12.123000+00:00. Value removed."

describe('redact_memory', () => {
  test('leaves a tombstone that distinguishes redacted from not found', async () => {
    await using at = await openKeys()
    await at.text('remember', { ...KEY, value: 'rhinoceros', tags: ['hr'] })
    expect(await at.text('redact_memory', { ...KEY, reason: 'asked for' })).toBe("Redacted memory 'payroll'.")
    expect(await at.text('recall', KEY)).toBe(REDACTED)
    expect(await at.text('redact_memory', KEY)).toBe("Memory 'payroll' is already redacted.")
    const [snapshot] = await at.memory.snapshots()
    expect(snapshot).toMatchObject({ operation: 'erase', message: 'redact: asked for' })
    const served = servedWith({ memory: { observer: async () => at.memory.observer as never } })
    const read = (uri: string) => dispatchTo(served, 'resources/read', { uri })
    await expect(read('memory://payroll')).rejects.toMatchObject({
      message: "Memory has been redacted: 'payroll'",
      data: { code: 'REDACTED' },
    })
    await expect(read("memory://it's")).rejects.toMatchObject({
      message: `Memory not found: "it's"`,
      data: { code: 'NOT_FOUND' },
    })
  })

  test('erases every version of it, from every file', async () => {
    await using at = await openKeys()
    const words = ['rhinoceros', 'okapi', 'pangolin', 'tagtapir']
    await at.text('remember', { ...KEY, value: 'rhinoceros', tags: ['tagtapir'] })
    await at.text('remember', { ...KEY, value: '# okapi\n\nThe [[okapi]] is here.' })
    await at.text('remember_blob', { ...KEY, data: btoa('pangolin'), content_type: 'text/pangolin' })
    await at.text('remember', { key: 'beside', value: 'stays' })
    await at.text('recall', KEY)
    expect(wordsLeft(at.folder, words).sort()).toEqual([...words].sort())
    await at.text('redact_memory', KEY)
    expect(wordsLeft(at.folder, [...words, btoa('pangolin').toLowerCase()])).toEqual([])
    expect(await at.text('recall', { key: 'beside' })).toBe('stays')
    await expectSound(at.memory)
  })

  test('is in no list, search or index; only a list that includes redacted ones shows it', async () => {
    await using at = await openKeys()
    await at.text('remember', { ...KEY, value: 'rhinoceros', tags: ['hr'] })
    await at.text('redact_memory', KEY)
    expect(await at.json('list_memories', { tag: 'hr' })).toEqual({ items: [], count: 0, has_more: false })
    expect((await at.json('search_memories', { query: 'payroll rhinoceros' })).items).toEqual([])
    expect(await at.text('summarize_context', { topic: 'hr' })).toBe("No memories found for topic 'hr'.")
    expect(await at.text('pack_context', { topic: 'payroll' })).not.toContain('**payroll**')
    expect(await at.memory.observer.keyIndex()).toEqual({ keys: [], isCut: false })
    expect(await at.json('memory_history', KEY)).toEqual({ versions: [], count: 0 })
    const { items } = await at.json('list_memories', { tag: 'hr', include_redacted: true })
    expect(items).toMatchObject([{ key: 'payroll', value: '__redacted__', redacted_at: expect.any(String) }])
  })

  test('stays redacted until it is forgotten', async () => {
    await using at = await openKeys()
    await at.text('remember', { ...KEY, value: 'one' })
    await at.text('remember', { ...KEY, value: 'two' })
    const [version] = (await at.json('memory_history', KEY)).versions
    await at.text('redact_memory', KEY)
    const refused = { code: 'REDACTED', message: expect.stringContaining('Forget it first') }
    const blob = { ...KEY, data: btoa('x'), content_type: 'text/plain' }
    await expect(at.text('remember', { ...KEY, value: 'three' })).rejects.toMatchObject(refused)
    await expect(at.text('remember_if_absent', { ...KEY, value: 'x' })).rejects.toMatchObject(refused)
    await expect(at.text('remember_blob', blob)).rejects.toMatchObject(refused)
    await expect(at.text('relate_memories', KEY)).rejects.toMatchObject(refused)
    const restore = { ...KEY, version_timestamp: version.version_timestamp }
    await expect(at.text('restore_memory', restore)).rejects.toMatchObject(refused)
    expect(await at.text('recall', KEY)).toBe(REDACTED)
    await at.memory.rollback({ snapshotId: 1 })
    expect(await at.text('recall', KEY)).toBe(REDACTED)
    expect(await at.text('forget', KEY)).toBe("Deleted memory 'payroll'.")
    expect(await at.text('remember', { ...KEY, value: 'three' })).toBe("Stored memory 'payroll'.")
    expect(await at.text('recall', KEY)).toBe('three')
    expect(await at.json('memory_history', KEY)).toEqual({ versions: [], count: 0 })
    await expectSound(at.memory)
  })
})
