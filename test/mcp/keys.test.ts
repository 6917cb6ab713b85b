import { beforeAll, describe, expect, test } from 'vitest'
import { ensureProgramIsBuilt } from '../support/cli.ts'
import { connect, ERAS, noteFolder } from '../support/mcp.ts'

beforeAll(ensureProgramIsBuilt)

const QUICK = JSON.stringify({ server: { resources: { debounce: '10ms' } } })

describe.each(ERAS)('a client of %s', (revision) => {
  async function open(tools = 'keys') {
    const folder = noteFolder({ '.remindb/config.json': QUICK })
    return connect({ args: ['--source', folder, '--tools', tools], revision })
  }

  test('is offered the tools and prompts of keys, with what they do', async () => {
    const { client } = await open()
    const { tools } = await client.listTools()
    const said = (hint: 'readOnlyHint' | 'destructiveHint' | 'idempotentHint') =>
      tools.filter(({ annotations }) => annotations?.[hint]).map(({ name }) => name)
    expect(tools.map(({ name, title }) => `${name}: ${title}`)).toEqual([
      'ping: Ping',
      'remember: Remember',
      'remember_if_absent: Remember if absent',
      'remember_blob: Remember blob',
      'recall: Recall',
      'forget: Forget',
      'forget_all: Forget all (by tag)',
      'redact_memory: Redact memory',
      'memory_history: Memory history',
      'restore_memory: Restore memory',
      'list_memories: List memories',
      'list_tags: List tags',
      'summarize_context: Summarise context',
      'search_memories: Search memories',
      'relate_memories: Relate memories',
      'pack_context: Pack context',
    ])
    expect(said('readOnlyHint').join(' ')).toBe(
      'ping recall memory_history list_memories list_tags summarize_context search_memories relate_memories pack_context',
    )
    expect(said('destructiveHint').join(' ')).toBe('forget forget_all redact_memory')
    expect(said('idempotentHint')).toEqual(
      expect.arrayContaining(['ping', 'remember', 'forget', 'redact_memory']),
    )
    expect(said('idempotentHint')).not.toEqual(expect.arrayContaining(['forget_all']))
    expect(said('idempotentHint')).not.toContain('restore_memory')
    const { prompts } = await client.listPrompts()
    expect(prompts.map(({ name }) => name)).toContain('remember-this')
    const { messages } = await client.getPrompt({ name: 'recall-context', arguments: { topic: "it's" } })
    expect(JSON.stringify(messages)).toContain(`topic=\\"it's\\"`)
  })

  test('remembers and recalls, with what is told beside the answer; a failure is one in words', async () => {
    const { client } = await open()
    const call = (name: string, args: Record<string, unknown>) => client.callTool({ name, arguments: args })
    await call('remember', { key: 'k', value: 'v', tags: null, ttl_seconds: null, version: null })
    expect(await call('recall', { key: 'k' })).toMatchObject({
      content: [{ type: 'text', text: 'v' }],
      structuredContent: { result: 'v', version: expect.stringMatching(/^\d{4}-.*\+00:00$/) },
      _meta: {
        hive: {
          memory_quota: { used: 1, limit: null, remaining: null },
          rate_limit: { per_minute_limit: null, per_day_limit: null },
          memory: { key: 'k', version: expect.any(String) },
        },
      },
    })
    await call('remember_blob', { key: 'logo', data: btoa('png'), content_type: 'image/png' })
    expect(await call('recall', { key: 'logo' })).toMatchObject({
      content: [{ type: 'image', data: btoa('png'), mimeType: 'image/png' }],
    })
    expect(await call('recall', { key: 'none' })).toMatchObject({
      isError: true,
      content: [{ type: 'text', text: "No memory found for key 'none'." }],
    })
  })

  test('takes a value of ten mebibytes, and none that is larger', async () => {
    const { client, json } = await open()
    const value = 'ü'.repeat(5 * 1024 * 1024)
    const stored = await client.callTool({ name: 'remember', arguments: { key: 'k', value, tags: ['t'] } })
    expect(stored.isError).toBeFalsy()
    // Not read back: this client takes no message of that size unless it is told to.
    expect(await json('list_memories', { tag: 't' })).toMatchObject({
      items: [{ value: '', value_type: 'text-large', size_bytes: 10 * 1024 * 1024 }],
    })
    const more = await client.callTool({ name: 'remember', arguments: { key: 'k', value: `${value}!` } })
    expect(more).toMatchObject({
      isError: true,
      content: [{ text: 'Value exceeds maximum size of 10485760 bytes (10485761 bytes provided)' }],
    })
  }, 120_000)

  test('is told of a key that changed and of one that ended, and of the index', async () => {
    const { client, call } = await open()
    const heard: string[] = []
    let news = Promise.withResolvers<void>()
    client.setNotificationHandler('notifications/resources/updated', ({ params: { uri } }) => {
      heard.push(uri)
      news.resolve()
      news = Promise.withResolvers()
    })
    const uris = ['memory://k', 'memory://_index', 'memory://other']
    if (revision === '2026-07-28') await client.listen({ resourceSubscriptions: uris })
    else for (const uri of uris) await client.subscribeResource({ uri })
    const until = async (uri: string) => {
      while (!heard.includes(uri)) await news.promise
      heard.splice(0)
    }
    await call('remember', { key: 'k', value: 'one' })
    await until('memory://k')
    await call('remember', { key: 'k', value: 'two', ttl_seconds: 1 })
    await until('memory://k')
    // Nobody asks: it ends by itself.
    await until('memory://_index')
    expect(heard).not.toContain('memory://other')
    await expect(client.readResource({ uri: 'memory://k' })).rejects.toMatchObject({
      message: expect.stringContaining("Memory not found: 'k'"),
    })
  })
})
