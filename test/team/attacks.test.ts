import { describe, expect, test } from 'vitest'
import { SCOPES } from '../../src/core/access/scopes.ts'
import { createSpace } from '../../src/runtime/spaces/create-space.ts'
import { deleteSpace } from '../../src/runtime/spaces/delete-space.ts'
import { ERAS } from '../support/mcp.ts'
import { keyFor, openTeam, type Team } from '../support/team.ts'
import {
  answerOf,
  bearer,
  beginSession,
  type HandMade,
  handMade,
  INITIALIZE,
  legacyRequest,
  modernRequest,
  personWith,
  sessionHeaders,
  textIn,
} from '../support/team-requests.ts'

const PING = { method: 'ping' }

async function inSession(
  team: Team,
  key: string,
  session: string,
  made: HandMade = legacyRequest(PING, session),
) {
  const headers = { ...made.headers, ...sessionHeaders(session), ...bearer(key) }
  const response = await team.fetch(handMade({ ...made, headers }))
  if (response.ok && made.method === 'GET') await response.body?.cancel()
  return { status: response.status, body: response.ok ? '' : await response.text() }
}

describe('a session id is no authority', () => {
  const REQUESTS: [string, HandMade | undefined][] = [
    ['a request', undefined],
    ['its stream', { method: 'GET' }],
    ['its end', { method: 'DELETE' }],
  ]

  test.each(REQUESTS)('of another client it is as one that never was: %s', async (_, made) => {
    const team = await openTeam()
    const [ada, bob, child] = await threeKeys(team)
    const session = await beginSession(team, ada.key)
    for (const other of [bob, child]) {
      const answer = await inSession(team, other.key, session, made)
      expect(answer).toEqual(await inSession(team, other.key, 'never', made))
      expect(answer.status).toBe(404)
    }
    expect((await inSession(team, ada.key, session)).status).toBe(200)
  })

  test('of another space it is as one that never was', async () => {
    const team = await openTeam()
    const ada = await keyFor(team)
    const bob = await keyFor(team, { user: 'bob', space: 'blue' })
    const session = await beginSession(team, ada.key)
    expect(await inSession(team, bob.key, session)).toEqual(await inSession(team, bob.key, 'never'))
  })

  test('without a key it gives nothing, and after a rotation the new secret begins anew', async () => {
    let time = 1_000_000
    const team = await openTeam({ time: () => time })
    const { id, key } = await keyFor(team)
    const session = await beginSession(team, key)
    const next = await team.accounts.keys.rotate(id, { graceMs: 1000 })
    expect((await inSession(team, key, session)).status).toBe(200)
    expect(await inSession(team, next.key, session)).toEqual(await inSession(team, next.key, 'never'))
    time += 1000
    expect((await inSession(team, key, session)).status).toBe(401)
    expect((await inSession(team, next.key, session)).status).toBe(404)
    const refused = await team.fetch(handMade(legacyRequest(PING, session)))
    expect(refused.status).toBe(401)
  })

  test('and neither is the id of an event', async () => {
    const team = await openTeam()
    const [ada, bob] = await threeKeys(team)
    const session = await beginSession(team, ada.key)
    const asked = legacyRequest(
      { method: 'tools/call', params: { name: 'MemoryStats', arguments: {} } },
      session,
    )
    const response = await team.fetch(
      handMade({ ...asked, headers: { ...asked.headers, ...bearer(ada.key) } }),
    )
    const event = /^id: (.+)$/m.exec(await response.text())?.[1] ?? ''
    expect(event).not.toBe('')
    const own = await beginSession(team, bob.key)
    const replay = { method: 'GET', headers: { 'last-event-id': event } }
    expect((await inSession(team, bob.key, own, replay)).status).toBe(400)
    expect((await inSession(team, ada.key, session, replay)).status).toBe(200)
  })
})

/** Of two users in one space, and one that the first made. */
async function threeKeys(team: Team) {
  const ada = await keyFor(team)
  const child = await team.accounts.keys.createChild(ada.id, { scopes: ['memories:read'] })
  return [ada, await keyFor(team, { user: 'bob' }), child] as const
}

describe.each(ERAS)('over %s', (revision) => {
  test('author and owner are who has the key, whatever a client says of itself', async () => {
    const team = await openTeam()
    const [ada, bob] = await threeKeys(team)
    const claimed = { name: `ada/${ada.id}`, version: '1' }
    const call = async (tool: string, args: object): Promise<string> => {
      const params = { name: tool, arguments: args, _meta: { author: claimed.name, owner: claimed.name } }
      const asked =
        revision === '2025-11-25'
          ? legacyRequest({ method: 'tools/call', params }, await claimingSession(team, bob.key, claimed))
          : modernRequest({
              method: 'tools/call',
              params: {
                ...params,
                _meta: { ...params._meta, 'io.modelcontextprotocol/clientInfo': claimed },
              },
            })
      const response = await team.fetch(
        handMade({ ...asked, headers: { ...asked.headers, ...bearer(bob.key) } }),
      )
      return textIn(await answerOf(response))
    }
    await call('remember', { key: 'plan', value: 'Ship it.' })
    const listed = await call('list_memories', {})
    expect(listed).toContain(`bob/${bob.id}`)
    expect(listed).not.toContain(ada.id)
    const asAda = await personWith(team, { ...ada, revision })
    expect(textIn(await asAda.read('memory://_index'))).toBe('')
  })

  test('a thread is found by the client that named it, and by no other', async () => {
    const team = await openTeam({
      settings: { 'files.memories': [{ id: 'memory', scope: 'perThread' }] },
    })
    const [ada, bob, child] = await threeKeys(team)
    const thread = { 'remindb/threadId': 't1' }
    const asAda = await personWith(team, { ...ada, revision })
    await asAda.call('memory', { command: 'append', path: '/plan', content: 'zebra' }, thread)
    const read = { command: 'read', path: '/plan' }
    expect(textIn(await asAda.call('memory', read, thread))).toContain('zebra')
    for (const other of [bob, child]) {
      const client = await personWith(team, { ...other, revision })
      expect(textIn(await client.call('memory', read, thread))).toBe(
        textIn(await client.call('memory', read, { 'remindb/threadId': 'never' })),
      )
      expect(textIn(await client.call('memory', { command: 'list', path: '/' }, thread))).not.toContain(
        'plan',
      )
    }
  })

  test('what is listed is what a client may use, and nobody else may cache it', async () => {
    const team = await openTeam()
    const lists = { tools: 'tools/list', resources: 'resources/list', prompts: 'prompts/list' }
    const namesOf = async (scopes: typeof SCOPES extends readonly (infer S)[] ? S[] : never) => {
      const client = await personWith(team, { ...(await keyFor(team, { user: 'ada', scopes })), revision })
      const listed: Record<string, string[]> = {}
      for (const [name, method] of Object.entries(lists)) {
        const { result } = await client.ask(method)
        listed[name] = result[name].map((one: { uri?: string; name: string }) => one.uri ?? one.name)
        if (revision === '2026-07-28') expect(result.cacheScope, method).toBe('private')
      }
      return listed
    }
    const reader = await namesOf(['memories:read'])
    const writer = await namesOf(['memories:write'])
    const admin = await namesOf(['memories:admin'])
    expect(reader.tools).not.toContain('remember')
    expect(reader.prompts).not.toContain('remember-this')
    expect(writer.tools).toContain('remember')
    expect(writer.resources).toEqual(reader.resources)
    const adminOnly = ['doctor', 'logs', 'sessions', 'sessions/history', 'sessions/logs', 'rescan', 'audit']
    expect(admin.resources?.filter((uri) => !writer.resources?.includes(uri))).toEqual(
      adminOnly.map((name) => `remindb://${name}`),
    )
    for (const { tools } of [reader, writer, admin]) expect(tools).not.toContain('MemoryCompile')
  })

  test('to compile a folder of the host is no tool, also for an admin', async () => {
    const team = await openTeam()
    const admin = await personWith(team, { ...(await keyFor(team, { scopes: SCOPES })), revision })
    const { error } = await admin.call('MemoryCompile', { path: team.dir })
    const unknown = await admin.call('NoSuchTool', { path: team.dir })
    expect(error).toEqual(JSON.parse(JSON.stringify(unknown.error).replaceAll('NoSuchTool', 'MemoryCompile')))
    expect(error.message).not.toMatch(/there are .*MemoryCompile/)
  })

  test('a role that is lowered holds for the next call of a session that is open', async () => {
    const team = await openTeam()
    const eve = await keyFor(team, { user: 'eve', scopes: SCOPES })
    const client = await personWith(team, { ...eve, revision })
    await client.call('remember', { key: 'plan', value: 'Ship it.' })
    await team.accounts.members.add({ user: 'eve', space: 'red', role: 'reader' })
    const write = { method: 'tools/call', params: { name: 'forget', arguments: { key: 'plan' } } }
    expect((await client.send(write)).status).toBe(403)
    expect(textIn(await client.call('recall', { key: 'plan' }))).toBe('Ship it.')
  })
})

async function claimingSession(team: Team, key: string, clientInfo: object): Promise<string> {
  const asked = legacyRequest({ ...INITIALIZE, params: { ...INITIALIZE.params, clientInfo } }, undefined)
  const response = await team.fetch(handMade({ ...asked, headers: bearer(key) }))
  await response.text()
  return response.headers.get('mcp-session-id') ?? ''
}

describe('a name that is used again gives nothing of what it was', () => {
  const list = { ...modernRequest({ method: 'tools/list' }) }
  const status = async (team: Team, key: string, path: string) =>
    (await team.fetch(handMade({ ...list, path, headers: { ...list.headers, ...bearer(key) } }))).status

  test('a renamed space keeps its keys, and who takes its name gets none', async () => {
    const team = await openTeam()
    const { key } = await keyFor(team)
    const ada = await personWith(team, { key, revision: '2026-07-28' })
    await ada.call('remember', { key: 'plan', value: 'Ship it.' })
    await team.accounts.spaces.rename('red', 'crimson')
    await createSpace(team, { name: 'red' })
    expect(await status(team, key, '/s/red/mcp')).toBe(404)
    expect(await status(team, key, '/s/crimson/mcp')).toBe(200)
    expect(textIn(await ada.call('recall', { key: 'plan' }))).toBe('Ship it.')
    const bob = await keyFor(team, { user: 'bob', space: 'red' })
    const other = await personWith(team, { ...bob, revision: '2026-07-28' })
    expect(textIn(await other.call('recall', { key: 'plan' }))).toContain('No memory found')
    expect(JSON.parse(textIn(await ada.read('remindb://overview'))).db_path).toBe('space:crimson')
  })

  test('keys of a deleted space are gone, and a new one of that name is empty', async () => {
    const team = await openTeam()
    const { key } = await keyFor(team)
    await (await personWith(team, { key, revision: '2026-07-28' })).call('remember', {
      key: 'plan',
      value: 'x',
    })
    await deleteSpace(team, 'red')
    await createSpace(team, { name: 'red' })
    expect(await status(team, key, '/mcp')).toBe(401)
    expect(await status(team, key, '/s/red/mcp')).toBe(401)
    const next = await personWith(team, { ...(await keyFor(team)), revision: '2026-07-28' })
    expect(textIn(await next.call('recall', { key: 'plan' }))).toContain('No memory found')
  })

  test('keys of a deleted user are gone, and who has the name next owns nothing of theirs', async () => {
    const team = await openTeam()
    const { key } = await keyFor(team)
    await (await personWith(team, { key, revision: '2026-07-28' })).call('remember', {
      key: 'plan',
      value: 'x',
    })
    await team.accounts.users.delete('ada')
    const next = await personWith(team, { ...(await keyFor(team)), revision: '2026-07-28' })
    expect(await status(team, key, '/mcp')).toBe(401)
    expect(textIn(await next.read('memory://_index'))).toBe('')
    expect((await next.read('memory://plan')).error.message).toBe("Memory not found: 'plan'")
  })

  test('a member who is added again gets no old key back', async () => {
    const team = await openTeam()
    const { key } = await keyFor(team)
    await team.accounts.members.remove({ user: 'ada', space: 'red' })
    await team.accounts.members.add({ user: 'ada', space: 'red', role: 'owner' })
    expect(await status(team, key, '/mcp')).toBe(401)
  })
})
