import { beforeAll, describe, expect, test } from 'vitest'
import { TREE_TOOLS } from '../../src/mcp/tools/tree/tools.ts'
import { ensureProgramIsBuilt } from '../support/cli.ts'
import { RESOURCE_ENTRIES } from '../support/listed.ts'
import { noteFolder, type Revision, textOf, writtenId } from '../support/mcp.ts'
import { connectHttp, type HttpClient, type Serving, serve } from '../support/serving.ts'
import { soon } from '../support/soon.ts'

beforeAll(ensureProgramIsBuilt)

const OLD: Revision = '2025-11-25'
const NEW: Revision = '2026-07-28'
const NOTES = {
  'a.md': '# Deploys\n\nNever on a Friday.\n',
  // Windows as short as they can be: tests wait for what comes, not for time.
  '.remindb/config.json': '{"server":{"resources":{"debounce":"10ms"}}}',
}
const ROUNDS = 100

interface Session {
  client_meta: { name: string; protocol: string }
  transport: string
  listen: string
  count_tool_calls: number
}

function start(): Promise<Serving> {
  return serve({ cwd: noteFolder(NOTES) })
}

async function sessionsOf({ read }: HttpClient, name: string): Promise<Session[]> {
  const { sessions } = (await read('remindb://sessions')) as { sessions: Session[] }
  return sessions.filter(({ client_meta }) => client_meta.name === name)
}

/** One round of what an agent does; the answer names everything that was not meant for it. */
async function round({ client, call, read }: HttpClient, name: string, index: number): Promise<string[]> {
  const mine = `${name}-${index}.`
  const written = await client.callTool({
    name: 'MemoryWrite',
    arguments: { payload: `Only for ${mine}` },
  })
  const node_id = writtenId(textOf(written))
  const [note, missing, node, nothing, tools, resources] = await Promise.all([
    call('MemoryFetch', { id: node_id }),
    call('MemoryFetch', { id: mine }),
    read(`remindb://tree/${node_id}`).then(JSON.stringify),
    read(`remindb://tree/${mine}`).catch((error: Error) => error.message),
    client.listTools().then((list) => list.tools.length),
    client.listResources().then((list) => list.resources.length),
  ])
  const isComplete = tools === TREE_TOOLS.length && resources === RESOURCE_ENTRIES.length
  const foreign = [note, missing, node, nothing].filter((answer) => !String(answer).includes(mine))
  return [...foreign, ...(isComplete ? [] : [`lists of ${tools} and ${resources}`])]
}

describe('two clients of one server', () => {
  test('of both eras, at the same time: no answer reaches the other', async () => {
    const { url } = await start()
    const [ada, bob] = await Promise.all([connectHttp(url, OLD, 'ada'), connectHttp(url, NEW, 'bob')])
    const rounds = Array.from({ length: ROUNDS }, (_, index) => index)
    const foreign = await Promise.all(
      rounds.flatMap((index) => [round(ada, 'ada', index), round(bob, 'bob', index)]),
    )
    expect(foreign.flat()).toEqual([])

    const [own, ...none] = await sessionsOf(bob, 'ada')
    expect(none).toEqual([])
    expect(own).toMatchObject({ client_meta: { protocol: OLD }, count_tool_calls: 3 * ROUNDS })
    const bobs = await sessionsOf(ada, 'bob')
    expect(new Set(bobs.map(({ client_meta }) => client_meta.protocol))).toEqual(new Set([NEW]))
    // As it was configured.
    const places = [own, ...bobs].map((session) => [session?.transport, session?.listen])
    expect(places).toEqual(places.map(() => ['http', '127.0.0.1:0']))
  })

  test('hear of what they subscribed to, and of nothing else', async () => {
    const { url } = await start()
    const subscribed = [
      { name: 'ada', revision: OLD, uri: 'remindb://tree' },
      { name: 'bob', revision: NEW, uri: 'remindb://snapshots' },
      { name: 'cyd', revision: OLD, uri: 'remindb://graph' },
      { name: 'dan', revision: NEW, uri: 'remindb://tree' },
    ]
    const heard = new Map<string, string[]>()
    const clients = await Promise.all(
      subscribed.map(async ({ name, revision, uri }) => {
        const connected = await connectHttp(url, revision, name)
        heard.set(name, [])
        connected.client.setNotificationHandler('notifications/resources/updated', ({ params }) => {
          heard.get(name)?.push(params.uri)
        })
        // What the server's own start changes is over.
        await connected.call('MemoryStats')
        await subscribe(connected, revision, uri)
        return connected
      }),
    )
    for (const [index, { call }] of clients.entries()) {
      for (const uris of heard.values()) uris.length = 0
      await call('MemoryWrite', { payload: `News ${index} for all.` })
      await soon(() => [...heard.values()].every(({ length }) => length > 0)).toBe(true)
      for (const { name, uri } of subscribed) expect(new Set(heard.get(name))).toEqual(new Set([uri]))
    }
  })

  test('one ends its session, and the others go on', async () => {
    const { url } = await start()
    const [ada, bob, cyd] = await Promise.all([
      connectHttp(url, OLD, 'ada'),
      connectHttp(url, NEW, 'bob'),
      connectHttp(url, OLD, 'cyd'),
    ])
    const heard: string[] = []
    for (const { client } of [bob, cyd])
      client.setNotificationHandler('notifications/resources/updated', ({ params }) => {
        heard.push(params.uri)
      })
    await subscribe(bob, NEW, 'remindb://snapshots')
    await subscribe(cyd, OLD, 'remindb://tree')
    expect(await sessionsOf(bob, 'ada')).toHaveLength(1)
    const id = String(ada.transport.sessionId)
    await ada.transport.terminateSession()
    expect(await sessionsOf(bob, 'ada')).toEqual([])
    expect(await sessionsOf(cyd, 'cyd')).toHaveLength(1)
    const again = await fetch(url, { method: 'DELETE', headers: { 'mcp-session-id': id } })
    expect(again.status).toBe(404)
    expect(await bob.call('MemoryWrite', { payload: 'Still here.' })).toContain('wrote node')
    expect(await cyd.call('MemorySearch', { query: 'still here' })).toContain('Still here.')
    await soon(() => [...new Set(heard)].sort()).toEqual(['remindb://snapshots', 'remindb://tree'])
  })
})

/** Subscribes as clients of its era do; from now on it hears. */
async function subscribe({ client, streamOpened }: HttpClient, revision: Revision, uri: string) {
  if (revision === NEW) return void (await client.listen({ resourceSubscriptions: [uri] }))
  await client.subscribeResource({ uri })
  await streamOpened
}
