import { describe, expect, test } from 'vitest'
import { createApp } from '../../src/http/app.ts'
import { createGuard } from '../../src/http/guard.ts'
import { ERAS } from '../support/mcp.ts'
import { soon } from '../support/soon.ts'
import { connectTeam, keyFor, openTeam, PUBLIC_URL, type Team } from '../support/team.ts'
import {
  bearer,
  beginSession,
  handMade,
  listenTo,
  modernRequest,
  personWith,
  textIn,
} from '../support/team-requests.ts'

const TREE = 'remindb://tree'

async function two(team: Team) {
  return [await keyFor(team), await keyFor(team, { user: 'bob', space: 'blue' })] as const
}

describe.each(ERAS)('over %s', (revision) => {
  test('ids of another space are as ids that nothing has', async () => {
    const team = await openTeam()
    const [ada, bob] = await two(team)
    const [red, blue] = [
      await personWith(team, { ...ada, revision }),
      await personWith(team, { ...bob, revision }),
    ]
    await red.call('MemoryWrite', { payload: '# Plans\n\nThe zebra leaves at noon.' })
    const { id: record } = JSON.parse(
      textIn(await red.call('store_memory', { type: 'core', content: 'zebra' })),
    )
    const tree = JSON.parse(textIn(await red.read(TREE)))
    const node: string = tree.roots[0].id
    const asked = async (id: string, other: string) => [
      await blue.call('MemoryFetch', { id }),
      await blue.call('MemoryFetchBatch', { ids: [id] }),
      await blue.call('MemoryTree', { id }),
      await blue.call('MemoryHistory', { id }),
      await blue.call('MemoryRelated', { id }),
      await blue.call('MemoryForget', { id }),
      await blue.call('MemoryPin', { id }),
      await blue.call('MemoryWrite', { payload: 'Mine.', id }),
      await blue.call('query_memories', { id: other }),
      await blue.call('update_memory', { id: other, content: 'Mine.' }),
      await blue.call('delete_memory', { id: other, permanent: true }),
      await blue.read(`remindb://tree/${id}`),
    ]
    const [never, neverRecord] = ['ZZZZZZZZZZZ', '00000000-0000-4000-8000-000000000000']
    const others = await asked(node, record)
    const nobodys = await asked(never, neverRecord)
    const told = JSON.stringify(nobodys).replaceAll(never, node).replaceAll(neverRecord, record)
    expect(JSON.stringify(others)).toBe(told)
    expect(JSON.stringify(others)).not.toMatch(/zebra|still being answered/)
    expect(JSON.parse(textIn(await red.read(TREE)))).toEqual(tree)
  })

  test('counts and searches of a space know of that space only', async () => {
    const team = await openTeam()
    const [ada, bob] = await two(team)
    const [red, blue] = [
      await personWith(team, { ...ada, revision }),
      await personWith(team, { ...bob, revision }),
    ]
    const shown = async () => [
      textIn(await blue.call('MemorySearch', { query: 'zebra' })),
      textIn(await blue.call('search_memories', { query: 'zebra' })),
      textIn(await blue.call('get_memory_stats')),
      textIn(await blue.call('list_tags')),
      textIn(await blue.call('MemoryDelta')),
      textIn(await blue.read('remindb://snapshots')),
      textIn(await blue.read('remindb://temperature')),
      textIn(await blue.read('remindb://search?q=zebra')),
      textIn(
        await blue.ask('prompts/get', { name: 'what-do-you-know-about', arguments: { query: 'zebra' } }),
      ),
    ]
    const before = await shown()
    for (let count = 0; count < 5; count++)
      await red.call('remember', { key: `zebra-${count}`, value: 'A zebra.', tags: [`zebra-tag-${count}`] })
    expect(await shown()).toEqual(before)
  })
})

test('an admin sees the sessions, ledger and logs of one space', async () => {
  const settings = { 'server.logging.level': 'debug', 'server.logging.output_path': 'log.txt' } as const
  const team = await openTeam({ settings })
  const [ada] = await two(team)
  const zebra = await connectTeam(team, { ...ada, name: 'zebra-client', revision: '2025-11-25' })
  await zebra.call('remember', { key: 'zebra', value: 'zebra' })
  const uris = ['sessions', 'sessions/history', 'sessions/logs', 'logs', 'doctor', 'rescan', 'overview']
  const shownIn = async (space: string): Promise<string> => {
    const admin = await keyFor(team, { user: 'eve', space, scopes: ['memories:admin'] })
    const { read } = await personWith(team, { ...admin, revision: '2026-07-28' })
    const shown = await Promise.all(uris.map(async (uri) => textIn(await read(`remindb://${uri}`))))
    return shown.join('\n')
  }
  const { id } = (await team.accounts.spaces.find('red')) ?? { id: '' }
  expect(await shownIn('red')).toMatch(/zebra-client/)
  const blue = await shownIn('blue')
  for (const secret of ['zebra', id, ada.id]) expect(blue).not.toContain(secret)
})

test('no client uses up the sessions and streams of another, of the same space or not', async () => {
  const team = await openTeam({ settings: { 'server.http.max_sessions': 2, 'server.http.max_streams': 1 } })
  const [ada, bob] = await two(team)
  const eve = await keyFor(team, { user: 'eve' })
  await Promise.all([beginSession(team, ada.key), beginSession(team, ada.key)])
  expect(await beginSession(team, ada.key)).toBe('')
  expect((await listenTo(team, { ...ada, revision: '2026-07-28' }, [TREE])).status).toBe(200)
  expect((await listenTo(team, { ...ada, revision: '2026-07-28' }, [TREE])).status).toBe(503)
  for (const { key } of [bob, eve]) {
    expect(await beginSession(team, key)).not.toBe('')
    expect((await listenTo(team, { key, revision: '2026-07-28' }, [TREE])).status).toBe(200)
  }
})

describe('a request whose body comes late', () => {
  /** A write that has begun, and what sends the rest of it. */
  function slowWrite({ fetch }: Team, key: string) {
    const { headers, message } = modernRequest({
      method: 'tools/call',
      params: { name: 'remember', arguments: { key: 'late', value: 'Too late.' } },
    })
    const { writable, readable } = new TransformStream<Uint8Array>()
    const writer = writable.getWriter()
    const request = new Request(`${PUBLIC_URL}/mcp`, {
      method: 'POST',
      headers: {
        ...{ host: 'localhost', 'content-type': 'application/json' },
        ...{ accept: 'application/json, text/event-stream', ...headers, ...bearer(key) },
      },
      body: readable,
      duplex: 'half',
    } as RequestInit)
    const response = fetch(request)
    return async (): Promise<number> => {
      await writer.write(new TextEncoder().encode(JSON.stringify(message)))
      await writer.close()
      return (await response).status
    }
  }

  test('is not carried out when its key was revoked meanwhile', async () => {
    const team = await openTeam()
    const [ada, eve] = [await keyFor(team), await keyFor(team, { user: 'eve' })]
    const listening = await listenTo(team, { ...eve, revision: '2026-07-28' }, [TREE])
    const finish = slowWrite(team, eve.key)
    await team.accounts.keys.revoke(eve.id)
    await soon(listening.isOver).toBe(true)
    expect(await finish()).toBe(503)
    const client = await personWith(team, { ...ada, revision: '2026-07-28' })
    expect(textIn(await client.call('recall', { key: 'late' }))).toContain('No memory found')
  })

  test('is not carried out when its role was lowered meanwhile', async () => {
    const team = await openTeam()
    const eve = await keyFor(team, { user: 'eve' })
    const client = await personWith(team, { ...eve, revision: '2026-07-28' })
    await client.call('ping')
    const finish = slowWrite(team, eve.key)
    await team.accounts.members.add({ user: 'eve', space: 'red', role: 'reader' })
    await client.call('ping')
    expect(await finish()).toBe(403)
    expect(textIn(await client.call('recall', { key: 'late' }))).toContain('No memory found')
  })
})

test('a web page that may use the server learns how to get a token, before it has one', async () => {
  const { team } = await openTeam()
  const origin = 'https://board.example'
  const app = createApp({
    ...{ mcp: team.mcp, routes: team.routes },
    guard: createGuard({ listenHost: 'localhost', allowedOrigins: [origin] }),
  })
  const send = async (made: Parameters<typeof handMade>[0]) =>
    app.fetch(handMade({ ...made, headers: { ...made.headers, origin } }), { connection: { address: '' } })
  for (const path of [
    '/mcp',
    '/s/red/mcp',
    '/s/red/keys',
    '/.well-known/oauth-protected-resource/s/red/mcp',
  ]) {
    const preflight = await send({
      ...{ method: 'OPTIONS', path },
      headers: { 'access-control-request-method': 'POST', 'access-control-request-headers': 'authorization' },
    })
    expect([preflight.status, preflight.headers.get('access-control-allow-headers')], path).toEqual([
      204,
      expect.stringContaining('authorization'),
    ])
  }
  const refused = await send(modernRequest({ method: 'tools/list' }))
  expect(refused.status).toBe(401)
  expect(refused.headers.get('access-control-allow-origin')).toBe(origin)
  expect(refused.headers.get('access-control-expose-headers')).toContain('www-authenticate')
})

test('without accounts there are no keys to make, and no document about tokens', async () => {
  const team = await openTeam({ auth: 'off', spaces: ['red'] })
  for (const path of ['/s/red/keys', '/.well-known/oauth-protected-resource', '/s/nowhere/mcp'])
    expect((await team.fetch(handMade({ method: 'GET', path }))).status, path).toBe(404)
})
