import { describe, expect, test } from 'vitest'
import { openKeys } from '../../../../test/support/keys.ts'

type Workspace = Awaited<ReturnType<typeof openKeys>>

async function rememberMany(at: Workspace, count: number, tags: string[] = ['t']): Promise<string[]> {
  const keys = Array.from({ length: count }, (_, number) => `key ${String(number).padStart(3, '0')}`)
  for (const key of keys) await at.text('remember', { key, value: `value of ${key}`, tags })
  return keys
}

describe('list_memories', () => {
  test('shows all details of each', async () => {
    await using at = await openKeys()
    await at.text('remember', { key: 'k', value: 'v', tags: ['t', 'u'] })
    expect(await at.json('list_memories', { tag: 't' })).toEqual({
      items: [
        {
          key: 'k',
          value: 'v',
          value_type: 'text',
          content_type: null,
          size_bytes: null,
          tags: ['t', 'u'],
          owner_client_id: 'library',
          recall_count: 0,
          last_accessed_at: null,
          version: '2026-06-14T21:58:12.123001+00:00',
        },
      ],
      count: 1,
      has_more: false,
    })
    expect(await at.json('list_memories', { tag: 'none' })).toEqual({ items: [], count: 0, has_more: false })
  })

  test('continues where a page ended; pages are full even if some keys are redacted or expired', async () => {
    await using at = await openKeys()
    const keys = await rememberMany(at, 12)
    for (const key of keys.slice(0, 4)) await at.text('redact_memory', { key })
    await at.text('remember', { key: keys[4], value: 'short', tags: ['t'], ttl_seconds: 1 })
    at.pass(1000)
    const seen: string[] = []
    let cursor: string | undefined
    for (const expected of [3, 3, 1]) {
      const page = await at.json('list_memories', { tag: 't', limit: 3, ...(cursor && { cursor }) })
      expect(page).toMatchObject({ count: expected, has_more: seen.length + expected < 7 })
      seen.push(...page.items.map(({ key }: { key: string }) => key))
      cursor = page.next_cursor
    }
    expect(cursor).toBeUndefined()
    expect(seen).toEqual(keys.slice(5))
  })

  test.each([[{}], [{ tag: null }]])(
    'lists all keys without a tag, by name, page by page: %j',
    async (asked) => {
      await using at = await openKeys()
      const keys = await rememberMany(at, 7, [])
      await at.text('remember', { key: 'a\u2028key', value: 'v', tags: ['t'] })
      await at.text('remember', { key: 'gone', value: 'v', ttl_seconds: 1 })
      await at.text('remember', { key: 'secret', value: 'v' })
      await at.text('redact_memory', { key: 'secret' })
      at.pass(1000)
      const found: string[] = []
      let cursor: string | undefined
      for (const count of [3, 3, 2]) {
        const page = await at.json('list_memories', { ...asked, limit: 3, ...(cursor && { cursor }) })
        expect(page).toMatchObject({ count, has_more: count === 3 })
        found.push(...page.items.map(({ key }: { key: string }) => key))
        cursor = page.next_cursor
      }
      expect(cursor).toBeUndefined()
      expect(found).toEqual(['a\u2028key', ...keys])
      const all = await at.json('list_memories', { ...asked, include_redacted: true })
      expect(all.items.map(({ key }: { key: string }) => key)).toEqual([...found, 'secret'])
    },
  )

  test('refuses a cursor of a list with a tag for one without, and the reverse', async () => {
    await using at = await openKeys()
    await rememberMany(at, 3)
    const cursorOf = async (asked: object) =>
      (await at.json('list_memories', { ...asked, limit: 1 })).next_cursor as string
    const [tagged, all] = [await cursorOf({ tag: 't' }), await cursorOf({})]
    for (const asked of [{ cursor: tagged }, { tag: 't', cursor: all }])
      await expect(at.call('list_memories', asked)).rejects.toThrow('Invalid pagination cursor')
  })

  test('takes a limit that is out of range for the nearest one', async () => {
    await using at = await openKeys()
    await rememberMany(at, 3)
    expect(await at.json('list_memories', { tag: 't', limit: -5 })).toMatchObject({
      count: 1,
      has_more: true,
    })
    expect(await at.json('list_memories', { tag: 't', limit: 9999 })).toMatchObject({ count: 3 })
  })

  test('knows its own cursors only, each for its tag', async () => {
    await using at = await openKeys()
    await rememberMany(at, 3, ['t', 'u'])
    const { next_cursor } = await at.json('list_memories', { tag: 't', limit: 1 })
    expect(next_cursor).toMatch(/^[\w-]+$/)
    const foreign = Buffer.from('{"owner":"somebody","tag":"t","after":1}').toString('base64url')
    for (const cursor of ['nonsense', 'e30', 'bnVsbA', foreign, `${next_cursor}=`])
      await expect(at.text('list_memories', { tag: 't', cursor })).rejects.toThrow(
        'Invalid pagination cursor',
      )
    await expect(at.text('list_memories', { tag: 'u', cursor: next_cursor })).rejects.toThrow(
      'Invalid pagination cursor',
    )
  })

  test('leaves a large text to recall', async () => {
    await using at = await openKeys()
    const value = 'x'.repeat(100 * 1024 + 1)
    await at.text('remember', { key: 'large', value, tags: ['t'] })
    const { items } = await at.json('list_memories', { tag: 't' })
    expect(items).toMatchObject([{ value: '', value_type: 'text-large', size_bytes: value.length }])
    expect(await at.text('recall', { key: 'large', limit: value.length })).toBe(value)
    expect(await at.text('summarize_context', { topic: 't' })).toContain(
      `**large**: [large text: ${value.length} bytes; recall it]`,
    )
  })
})

test('list_tags sorts by code point, each once', async () => {
  await using at = await openKeys()
  await at.text('remember', { key: 'a', value: 'v', tags: ['b', '😀', 'Z'] })
  await at.text('remember', { key: 'b', value: 'v', tags: ['b', '\uffee', 'ä'] })
  await at.text('remember', { key: 'c', value: 'v', tags: ['gone'], ttl_seconds: 0 })
  expect(await at.json('list_tags')).toEqual({ tags: ['Z', 'b', 'ä', '\uffee', '😀'], count: 5 })
})

describe('summarize_context', () => {
  test('lists the memories tagged with the topic, newest change first', async () => {
    await using at = await openKeys()
    for (const key of ['one', 'two']) {
      await at.text('remember', { key, value: `value of ${key}`, tags: ['topic'] })
      at.pass(1000)
    }
    const answer = await at.call('summarize_context', { topic: 'topic' })
    expect(answer.text).toBe(
      "## Memories tagged 'topic'\n\n**two**: value of two\n**one**: value of one\n\n---\n*2 memories found for topic 'topic'.*",
    )
    expect(answer.meta).toMatchObject({ hive: { summary_mode: 'listed' } })
  })

  test('says that there is nothing', async () => {
    await using at = await openKeys()
    expect(await at.text('summarize_context', { topic: 'x' })).toBe("No memories found for topic 'x'.")
  })
})
