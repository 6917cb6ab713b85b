import { describe, expect, test } from 'vitest'
import { openKeys } from '../../../../test/support/keys.ts'

type Workspace = Awaited<ReturnType<typeof openKeys>>

async function rememberMany(at: Workspace, count: number, tags: string[] = ['t']): Promise<string[]> {
  const keys = Array.from({ length: count }, (_, number) => `key ${String(number).padStart(3, '0')}`)
  for (const key of keys) await at.text('remember', { key, value: `value of ${key}`, tags })
  return keys
}

describe('list_memories', () => {
  test('shows what there is to know of each', async () => {
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

  test('goes on where a page ended; pages are whole though some keys are redacted or expired', async () => {
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

  test('needs a tag', async () => {
    await using at = await openKeys()
    await expect(at.text('list_memories', {})).rejects.toThrow('tag is required')
  })

  test('leaves a large text to recall', async () => {
    await using at = await openKeys()
    const value = 'x'.repeat(100 * 1024 + 1)
    await at.text('remember', { key: 'large', value, tags: ['t'] })
    const { items } = await at.json('list_memories', { tag: 't' })
    expect(items).toMatchObject([{ value: '', value_type: 'text-large', size_bytes: value.length }])
    expect(await at.text('recall', { key: 'large' })).toBe(value)
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
  test('lists what has the topic as a tag, newest change first', async () => {
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
