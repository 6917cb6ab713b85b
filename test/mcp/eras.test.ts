import { beforeAll, describe, expect, test } from 'vitest'
import { TREE_TOOLS } from '../../src/mcp/tools/tree/tools.ts'
import { ensureProgramIsBuilt, remindb } from '../support/cli.ts'
import { connect, ERAS, noteFolder, writtenId } from '../support/mcp.ts'

beforeAll(ensureProgramIsBuilt)

const NOTES = {
  'deploys.md': '# Deploys\n\nNever on a Friday. See [[Pager]].\n\n- build\n- ship\n',
  'ops/pager.md': '# Pager\n\nIt rings in the night.\n',
}

const TOOLS = TREE_TOOLS.map(({ name }) => name)

describe.each(ERAS)('a client of %s', (revision) => {
  const open = (files: Record<string, string> = NOTES) => {
    const source = noteFolder(files)
    return connect({ args: ['--source', source], revision })
  }

  test('is told what this is and how to use it', async () => {
    const { client } = await open()
    expect(client.getServerVersion()).toMatchObject({ name: 'remindb' })
    expect(client.getInstructions()).toContain('MemorySearch')
    expect(client.getServerCapabilities()).toMatchObject({
      tools: {},
      resources: { subscribe: true },
      prompts: {},
    })
  })

  test('is offered the tools of the tree, always in the same order', async () => {
    const { client } = await open()
    const { tools } = await client.listTools()
    expect(tools.map(({ name }) => name)).toEqual(TOOLS)
    for (const { description, inputSchema, outputSchema, annotations, _meta } of tools) {
      expect(description).toBeTruthy()
      expect(_meta).toMatchObject({ 'anthropic/searchHint': expect.any(String) })
      expect([inputSchema.type, outputSchema]).toEqual(['object', undefined])
      expect(annotations).toMatchObject({ openWorldHint: false })
    }
  })

  test('finds what the source says with its first call', async () => {
    const { call } = await open()
    expect(await call('MemorySearch', { query: 'friday' })).toContain('Never on a Friday.')
    expect(await call('MemorySearch', { query: 'night' })).toMatch(/^\[text\] .* file=ops\/pager\.md /)
  })

  test('writes, changes and takes back, and each answer names its snapshot', async () => {
    const { call } = await open()
    const first = await call('MemoryWrite', { payload: 'The customer prefers mail.' })
    expect(first).toMatch(/; snapshot 2$/)
    const id = writtenId(first)
    expect(await call('MemoryWrite', { id, payload: 'The customer prefers phone.' })).toBe(
      `wrote node ${id} (7 tokens); snapshot 3`,
    )
    expect(await call('MemoryFetch', { id: id })).toContain('phone')
    expect(await call('MemoryRollback', { snapshot_id: 2 })).toContain(
      'rolled back to snapshot 2 (new snapshot 4',
    )
    expect(await call('MemoryFetch', { id: id })).toContain('mail')
  })

  test('signs what it writes', async () => {
    const source = noteFolder(NOTES)
    const { call, close } = await connect({ args: ['--source', source], revision, name: 'a-careful-agent' })
    await call('MemoryWrite', { payload: 'Signed.' })
    await close()
    const { stdout } = remindb(['history', '--json'], { cwd: source })
    const { snapshots } = JSON.parse(stdout) as { snapshots: { author: string; operation: string }[] }
    expect(snapshots.map(({ author, operation }) => [operation, author])).toEqual([
      ['write', 'a-careful-agent/1.2.3'],
      ['compile', 'rescan'],
    ])
  })

  test('is told of its mistakes in the answer of a tool', async () => {
    const { client } = await open()
    const answers = await Promise.all([
      client.callTool({ name: 'MemoryFetch', arguments: { id: 'nothing' } }),
      client.callTool({ name: 'MemorySearch', arguments: { question: 'friday' } }),
      client.callTool({ name: 'MemoryCompile', arguments: { path: '/etc' } }),
    ])
    const texts = answers.map(({ isError, content }) => [isError, (content as { text: string }[])[0]?.text])
    expect(texts[0]).toEqual([true, expect.stringContaining('nothing not found')])
    expect(texts[1]).toEqual([true, expect.stringMatching(/^validating "arguments": .*query/)])
    expect(texts[2]).toEqual([true, expect.stringContaining('is not inside a folder that was named')])
  })

  test('a tool that is not there is an error of the protocol', async () => {
    const { client } = await open()
    await expect(client.callTool({ name: 'MemoryGuess', arguments: {} })).rejects.toMatchObject({
      code: -32602,
      message: expect.stringContaining('unknown tool "MemoryGuess"'),
    })
  })

  test('reads resources; what is none is not found', async () => {
    const { client, read } = await open()
    const { resources } = await client.listResources()
    expect(resources.map(({ uri }) => uri)).toContain('remindb://overview')
    expect(await read('remindb://overview')).toMatchObject({ db_bytes: expect.any(Number) })
    // In the old era the number says it, and the client keeps nothing else.
    const code = revision === '2026-07-28' ? { code: 'NOT_FOUND' } : {}
    await expect(read('remindb://nothing')).rejects.toMatchObject({
      data: { ...code, uri: 'remindb://nothing' },
    })
    await expect(read('memory://not/a/name')).rejects.toMatchObject({
      message: expect.stringContaining('memory://not/a/name'),
      data: { ...(code.code && { code: 'RESOURCE_NOT_FOUND' }), uri: 'memory://not/a/name' },
    })
    await expect(read('memory://%')).rejects.toMatchObject({ code: -32602, data: { code: 'INVALID_INPUT' } })
    await expect(read('remindb://tree/nothing')).rejects.toMatchObject({
      message: 'root node nothing not found',
      data: code,
    })
    await expect(read('remindb://snapshots?limit=0')).rejects.toMatchObject({ code: -32602 })
  })

  test('is given what is worth shortening by a prompt', async () => {
    const { client } = await open()
    const { prompts } = await client.listPrompts()
    expect(prompts.map(({ name }) => name)).toEqual(['summarize-cold'])
    const { messages } = await client.getPrompt({ name: 'summarize-cold' })
    expect(messages[0]?.content).toMatchObject({
      text: expect.stringContaining('No long node of the memory has been unread for a month'),
    })
    await expect(client.getPrompt({ name: 'guess' })).rejects.toThrow('unknown prompt "guess"')
  })

  test('is one entry of the sessions, with what it says of itself', async () => {
    const { call, read } = await open()
    await call('MemoryStats')
    const { sessions } = (await read('remindb://sessions')) as { sessions: object[] }
    expect(sessions).toEqual([
      {
        id: expect.stringMatching(/^[0-9A-Za-z]{11}$/),
        client_meta: {
          name: 'test-client',
          title: 'A client of tests',
          version: '1.2.3',
          protocol: revision,
        },
        transport: 'stdio',
        connected_at: expect.any(Number),
        last_activity: expect.any(Number),
        count_tool_calls: 1,
      },
    ])
  })
})

describe('what only one era has', () => {
  test('lists can be kept for a while, what is read cannot', async () => {
    const { client } = await connect({ args: ['--source', noteFolder(NOTES)], revision: '2026-07-28' })
    const tools = (await client.listTools()) as { ttlMs?: number; cacheScope?: string }
    expect([tools.ttlMs, tools.cacheScope]).toEqual([3_600_000, 'public'])
    const read = (await client.readResource({ uri: 'remindb://overview' })) as { ttlMs?: number }
    expect(read.ttlMs).toBe(0)
  })
})
