import { expect, test } from 'vitest'
import { connectTeam, keyFor, openTeam } from '../support/team.ts'

const NOON = Date.UTC(2026, 0, 1, 12)

test.each(['2025-11-25', '2026-07-28'] as const)(
  'calls and reads are counted, and refused in the words of the contract, over %s',
  async (revision) => {
    const clock = { now: NOON }
    const team = await openTeam({ rate: { perMinute: 3 }, time: () => clock.now })
    const { key } = await keyFor(team)
    const ada = await connectTeam(team, { key, revision })
    // Lists do not count.
    await ada.client.listTools()
    const { _meta: meta } = await ada.client.callTool({ name: 'ping', arguments: {} })
    expect(meta?.hive).toMatchObject({
      rate_limit: { per_minute_limit: 3, per_minute_used: 1, per_minute_remaining: 2, per_day_limit: null },
    })
    await ada.read('memory://_index')
    await ada.call('MemoryTree')
    const refused = await ada.client.callTool({ name: 'ping', arguments: {} })
    expect(refused).toMatchObject({
      isError: true,
      content: [{ type: 'text', text: 'Rate limit exceeded. Retry after 60s.' }],
    })
    await expect(ada.read('memory://_index')).rejects.toThrow('Rate limit exceeded. Retry after 60s.')
    // Another client of the same user has its own.
    const other = await connectTeam(team, { ...(await keyFor(team)), revision })
    expect(await other.call('ping')).toBe('ok')
    clock.now += 60_000
    expect(await ada.call('ping')).toBe('ok')
  },
)

test('a key that a key made has no calls of its own', async () => {
  const team = await openTeam({ rate: { perMinute: 2 }, time: () => NOON })
  const { id, key } = await keyFor(team)
  const child = await team.accounts.keys.createChild(id, { scopes: ['memories:read'] })
  const [parents, childs] = [await connectTeam(team, { key }), await connectTeam(team, { key: child.key })]
  expect([await parents.call('ping'), await childs.call('ping')]).toEqual(['ok', 'ok'])
  expect(await childs.call('ping')).toMatch(/^Rate limit exceeded/)
})

test('a client that goes on after its refusals gets 429 before its body is read', async () => {
  const team = await openTeam({ rate: { perMinute: 2 }, time: () => NOON })
  const { key } = await keyFor(team)
  const ask = (): Promise<Response> => {
    const message = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'ping', arguments: {} } }
    const body = JSON.stringify({
      ...message,
      params: {
        ...message.params,
        _meta: {
          'io.modelcontextprotocol/protocolVersion': '2026-07-28',
          'io.modelcontextprotocol/clientInfo': { name: 'curl', version: '1' },
          'io.modelcontextprotocol/clientCapabilities': {},
        },
      },
    })
    const headers = {
      authorization: `Bearer ${key}`,
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      'mcp-protocol-version': '2026-07-28',
      'mcp-method': 'tools/call',
      'mcp-name': 'ping',
    }
    return team.fetch(new Request('http://localhost/mcp', { method: 'POST', headers, body }))
  }
  const statuses = []
  for (let calls = 0; calls < 6; calls++) statuses.push((await ask()).status)
  expect(statuses).toEqual([200, 200, 200, 200, 429, 429])
  const { headers } = await ask()
  expect(headers.get('retry-after')).toBe('60')
})
