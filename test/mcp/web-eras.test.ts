import { describe, expect, test } from 'vitest'
import { sessionName } from '../../src/mcp/web/session.ts'
import { ERAS } from '../support/mcp.ts'
import { soon } from '../support/soon.ts'
import { begin, connectWeb, eventsOf, named, openWeb, send } from '../support/web.ts'

describe.each(ERAS)('a client of %s', (revision) => {
  test('is told what this is, and finds what the source says', async () => {
    const web = await openWeb()
    const { client, call } = await connectWeb(web, revision)
    expect(client.getServerVersion()).toMatchObject({ name: 'remindb' })
    const { tools } = await client.listTools()
    expect(tools.map(({ name }) => name)).toEqual(web.served.tools.map(({ name }) => name))
    expect(await call('MemorySearch', { query: 'friday' })).toContain('Never on a Friday.')
  })

  test('signs what it writes', async () => {
    const web = await openWeb()
    const { call } = await connectWeb(web, revision, { name: 'a-careful-agent' })
    await call('MemoryWrite', { payload: 'Signed.' })
    expect(web.authors).toEqual(['a-careful-agent/1.2.3'])
  })

  test('is one session of the registry, with what it says of itself', async () => {
    const { call, read } = await connectWeb(await openWeb(), revision)
    await call('MemoryStats')
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
        transport: 'http',
        listen: '127.0.0.1:7474',
        connected_at: expect.any(Number),
        last_activity: expect.any(Number),
        count_tool_calls: 2,
      },
    ])
  })

  test('is told of its mistakes, in the words of its era', async () => {
    const { client, read } = await connectWeb(await openWeb(), revision)
    await expect(client.callTool({ name: 'MemoryGuess', arguments: {} })).rejects.toMatchObject({
      code: -32602,
      message: expect.stringContaining('unknown tool "MemoryGuess"'),
    })
    await expect(read('remindb://nothing')).rejects.toMatchObject({ data: { uri: 'remindb://nothing' } })
  })
})

describe('what the registry knows', () => {
  test('a client of the new era is one session for each identity and address', async () => {
    const web = await openWeb()
    const { call } = await connectWeb(web, '2026-07-28', { name: 'one' })
    const { call: same } = await connectWeb(web, '2026-07-28', { name: 'one' })
    const { call: other } = await connectWeb(web, '2026-07-28', { name: 'other' })
    const { call: elsewhere } = await connectWeb(web, '2026-07-28', { name: 'one', address: '127.0.0.2' })
    for (const ask of [call, same, other, elsewhere]) await ask('MemoryStats')
    expect(namesOf(web.registry.list())).toEqual(['one', 'one', 'other'])
    expect(web.registry.list().map((session) => session.count_tool_calls)).toEqual(
      expect.arrayContaining([2, 1, 1]),
    )
  })

  test('a client of the new era is there as long as its stream is open', async () => {
    const web = await openWeb({ idleExpiryMs: 1 })
    const { client } = await connectWeb(web, '2026-07-28', { name: 'one' })
    const stream = await client.listen({ resourceSubscriptions: ['remindb://tree'] })
    const opened = Date.now()
    await soon(() => Date.now() - opened).toBeGreaterThan(5)
    expect(namesOf(web.registry.list())).toEqual(['one'])
    await stream.close()
    await soon(web.registry.list).toEqual([])
  })

  test('who only asks what this is has not come to stay', async () => {
    const web = await openWeb()
    await connectWeb(web, '2026-07-28')
    expect(web.registry.list()).toEqual([])
  })

  test('a session of the old era is not its connection', async () => {
    const web = await openWeb()
    const { call } = await connectWeb(web, '2025-11-25')
    web.registry.close('127.0.0.1')
    await call('MemoryStats')
    expect(web.registry.list()).toMatchObject([{ count_tool_calls: 1 }])
  })

  test('the id that opens a session is shown nowhere', async () => {
    const web = await openWeb()
    const { transport, call, read } = await connectWeb(web, '2025-11-25')
    await call('MemoryStats')
    const secret = String(transport.sessionId)
    expect(Buffer.from(secret, 'base64url')).toHaveLength(24)
    const shown = await Promise.all(['sessions', 'logs'].map((name) => read(`remindb://${name}`)))
    expect(JSON.stringify(shown)).not.toContain(secret)
    expect(JSON.stringify(shown)).toContain(sessionName(secret))
    expect(web.registry.list()).toMatchObject([{ id: sessionName(secret) }])
  })
})

describe('the words of the old era', () => {
  test('a resource that is not there has a number of its own', async () => {
    const web = await openWeb()
    const message = {
      jsonrpc: '2.0',
      id: 1,
      method: 'resources/read',
      params: { uri: 'remindb://nothing' },
    }
    const response = await send(web, { message, headers: named(await begin(web)) })
    const [{ value }] = [await eventsOf(response).next()]
    expect(value?.message).toMatchObject({ id: 1, error: { code: -32002 } })
  })
})

function namesOf(sessions: { client_meta: { name: string } }[]): string[] {
  return sessions.map(({ client_meta }) => client_meta.name).sort()
}
