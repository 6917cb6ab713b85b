import { describe, expect, test } from 'vitest'
import { openKeys } from '../../../../test/support/keys.ts'

const KEY = { key: 'k' }

describe('memory_history', () => {
  test('lists the previous versions, newest first, and not the current one', async () => {
    await using at = await openKeys()
    for (const value of ['one', 'two', 'three']) {
      await at.text('remember', { ...KEY, value, tags: [value] })
      at.pass(1000)
    }
    expect(await at.json('memory_history', KEY)).toEqual({
      versions: [
        {
          version_timestamp: '20260614T215813123002',
          value: 'two',
          tags: ['two'],
          recorded_at: '2026-06-14T21:58:13.123000+00:00',
        },
        {
          version_timestamp: '20260614T215812123001',
          value: 'one',
          tags: ['one'],
          recorded_at: '2026-06-14T21:58:12.123000+00:00',
        },
      ],
      count: 2,
    })
  })

  test('names every version of one millisecond differently', async () => {
    await using at = await openKeys()
    for (let number = 0; number < 120; number++) await at.text('remember', { ...KEY, value: `${number}` })
    const { versions, count } = await at.json('memory_history', { ...KEY, limit: 1000 })
    expect(count).toBe(119)
    expect(versions.map(({ value }: { value: string }) => Number(value))).toEqual(
      Array.from({ length: 119 }, (_, at) => 118 - at),
    )
    expect(new Set(versions.map((one: { version_timestamp: string }) => one.version_timestamp)).size).toBe(
      119,
    )
  })

  test.each([
    ['was forgotten', (at: Awaited<ReturnType<typeof openKeys>>) => at.text('forget', KEY)],
    [
      'expired',
      async (at: Awaited<ReturnType<typeof openKeys>>) => {
        await at.text('remember', { ...KEY, value: 'short', ttl_seconds: 1 })
        at.pass(1000)
      },
    ],
  ])('starts over after it %s', async (_, end) => {
    await using at = await openKeys()
    await at.text('remember', { ...KEY, value: 'one' })
    await end(at)
    await at.text('remember', { ...KEY, value: 'two' })
    expect(await at.json('memory_history', KEY)).toEqual({ versions: [], count: 0 })
    await at.text('remember', { ...KEY, value: 'three' })
    expect((await at.json('memory_history', KEY)).versions).toMatchObject([{ value: 'two' }])
  })
})

describe('restore_memory', () => {
  test('restores value and tags, and the current version becomes history', async () => {
    await using at = await openKeys()
    await at.text('remember', { ...KEY, value: 'one', tags: ['old'] })
    await at.text('remember', { ...KEY, value: 'two', tags: ['new'] })
    const [{ version_timestamp }] = (await at.json('memory_history', KEY)).versions
    expect(await at.text('restore_memory', { ...KEY, version_timestamp })).toBe(
      `Restored memory 'k' to version '${version_timestamp}'.`,
    )
    expect(await at.text('recall', KEY)).toBe('one')
    expect(await at.json('list_tags')).toEqual({ tags: ['old'], count: 1 })
    expect((await at.json('memory_history', KEY)).versions).toMatchObject([
      { value: 'two' },
      { value: 'one' },
    ])
    expect((await at.json('search_memories', { query: 'one' })).items).toMatchObject([{ key: 'k' }])
  })

  test('brings bytes back as bytes', async () => {
    await using at = await openKeys()
    await at.text('remember_blob', { ...KEY, data: btoa('bytes'), content_type: 'image/png' })
    await at.text('remember', { ...KEY, value: 'text' })
    const [version] = (await at.json('memory_history', KEY)).versions
    expect(version.value).toBeNull()
    await at.text('restore_memory', { ...KEY, version_timestamp: version.version_timestamp })
    const { content } = await at.call('recall', KEY)
    expect(content).toEqual([{ type: 'image', data: btoa('bytes'), mimeType: 'image/png' }])
  })

  test('knows only versions of this memory', async () => {
    await using at = await openKeys()
    await at.text('remember', { ...KEY, value: 'one' })
    const gone = { ...KEY, version_timestamp: '20260614T215812123001' }
    const message = "Version '20260614T215812123001' not found for memory 'k'."
    await expect(at.text('restore_memory', gone)).rejects.toMatchObject({ code: 'NOT_FOUND', message })
    await expect(at.text('restore_memory', { ...gone, key: 'none' })).rejects.toThrow('No memory found')
  })

  test('leaves its expiry unchanged', async () => {
    await using at = await openKeys()
    await at.text('remember', { ...KEY, value: 'one' })
    await at.text('remember', { ...KEY, value: 'two', ttl_seconds: 10 })
    const [{ version_timestamp }] = (await at.json('memory_history', KEY)).versions
    await at.text('restore_memory', { ...KEY, version_timestamp })
    at.pass(10_000)
    await expect(at.text('recall', KEY)).rejects.toThrow('No memory found')
  })
})
