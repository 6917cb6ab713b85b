import { beforeAll, describe, expect, test } from 'vitest'
import { KEY_TOOLS } from '../../src/mcp/tools/keys/tools.ts'
import { ensureProgramIsBuilt, remindb } from '../support/cli.ts'
import { connect, ERAS, noteFolder } from '../support/mcp.ts'
import { begin, named, openWeb, send } from '../support/web.ts'

beforeAll(ensureProgramIsBuilt)

const NOTES = { 'a.md': '# Deploys\n\nNever on a Friday.\n' }
const ALL = ['--source', '.', '--tools', 'all']
/** A call of each door, whose toolset is told by the tool. */
const CALLS: [tool: string, args: Record<string, unknown>][] = [
  ['MemorySearch', { query: 'friday' }],
  ['MemoryWrite', { payload: 'Only after lunch.' }],
  ['get_memory_stats', {}],
  ['memory', { command: 'list', path: '/' }],
  ['remember', { key: 'plan', value: 'Ship it.' }],
  ['list_memories', {}],
]
const KEYS = ['remember', 'list_memories']

interface Reply {
  id: number
  result: {
    protocolVersion?: string
    tools?: { name: string; outputSchema?: object }[]
    content?: { text: string }[]
    structuredContent?: object
  }
}

/** What a client gets that speaks a certain revision, message by message. */
function speak(protocolVersion: string, args: string[] = []): Reply[] {
  const clientInfo = { name: 'raw', version: '1' }
  const messages = [
    { method: 'initialize', params: { protocolVersion, capabilities: {}, clientInfo } },
    { method: 'tools/list', params: {} },
    ...CALLS.map(([name, given]) => ({ method: 'tools/call', params: { name, arguments: given } })),
  ]
  const input = messages.map((one, id) => `${JSON.stringify({ jsonrpc: '2.0', id, ...one })}\n`).join('')
  const { stdout } = remindb(['serve', ...ALL, ...args], { cwd: noteFolder(NOTES), input })
  const replies: Reply[] = stdout
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line))
  return replies.filter(({ id }) => id !== undefined).sort((a, b) => a.id - b.id)
}

const withData = ([, listed, ...answers]: Reply[]) => ({
  listed: (listed?.result.tools ?? []).filter(({ outputSchema }) => outputSchema).map(({ name }) => name),
  answered: CALLS.map(([name]) => name).filter((_, at) => answers[at]?.result.structuredContent),
})

describe.each(ERAS)('a client of %s', (revision) => {
  test('gets texts, and data only of keys', async () => {
    const { client } = await connect({ args: ALL, revision, cwd: noteFolder(NOTES) })
    const { tools } = await client.listTools()
    expect(tools.filter(({ outputSchema }) => outputSchema).map(({ name }) => name)).toEqual(
      KEY_TOOLS.map(({ name }) => name),
    )
    for (const [name, args] of CALLS) {
      const answer = await client.callTool({ name, arguments: args })
      expect(answer.isError, name).toBeFalsy()
      expect((answer.content as { text: string }[])[0]?.text, name).not.toBe('')
      expect([name, 'structuredContent' in answer]).toEqual([name, KEYS.includes(name)])
    }
  })

  test.each([
    ['flag', ['--answers', 'both'], {}],
    ['environment', [], { REMINDB_SERVER_ANSWERS: 'both' }],
  ])('gets data of every tool where the operator wants it by %s', async (_, args, env) => {
    const { client } = await connect({ args: [...ALL, ...args], revision, env, cwd: noteFolder(NOTES) })
    const { tools } = await client.listTools()
    expect(tools.filter(({ outputSchema }) => !outputSchema)).toEqual([])
    for (const [name, given] of CALLS)
      expect(await client.callTool({ name, arguments: given }), name).toMatchObject({
        structuredContent: expect.any(Object),
      })
  })
})

describe('a client of an older revision', () => {
  test.each(['2024-11-05', '2025-03-26'])('%s gets no data, whatever the operator wants', (revision) => {
    const replies = speak(revision, ['--answers', 'both'])
    expect(replies[0]?.result.protocolVersion).toBe(revision)
    expect(replies).toHaveLength(CALLS.length + 2)
    expect(withData(replies)).toEqual({ listed: [], answered: [] })
    for (const { result } of replies.slice(2)) expect(result.content?.[0]?.text).toBeTruthy()
  })

  test('2025-06-18 is the first that gets data', () => {
    const { listed, answered } = withData(speak('2025-06-18'))
    expect(listed).toContain('recall')
    expect(listed).not.toContain('MemoryFetch')
    expect(answered).toEqual(KEYS)
  })
})

test.each([
  ['2025-03-26', false],
  ['2025-06-18', true],
])('a session over HTTP of %s gets data of keys: %s', async (revision, hasData) => {
  const web = await openWeb()
  const headers = named(await begin(web, revision), revision)
  const ask = async (id: number, method: string, params: object): Promise<string> => {
    const response = await send(web, { message: { jsonrpc: '2.0', id, method, params }, headers })
    return response.text()
  }
  expect((await ask(1, 'tools/list', {})).includes('"outputSchema"')).toBe(hasData)
  const called = await ask(2, 'tools/call', { name: 'list_tags', arguments: {} })
  expect(called).toContain('"content"')
  expect(called.includes('"structuredContent"')).toBe(hasData)
})
