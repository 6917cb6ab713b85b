import { expect, onTestFinished, test } from 'vitest'
import { openAccounts } from '../../src/runtime/spaces/accounts.ts'
import { ERAS } from '../support/mcp.ts'
import { ask, discover, EXAMPLE, requestsTo } from '../support/oauth-client.ts'
import { addPerson, formFor, openPeople, openPerson, type People, type Person } from '../support/people.ts'
import { soon } from '../support/soon.ts'
import { bearer, handMade, legacyRequest, listenTo, personWith } from '../support/team-requests.ts'

const PATH = '/s/team/mcp'

interface Situation {
  server: People
  person: Person
  client: Awaited<ReturnType<typeof discover>>
  token: string
}

async function connected(): Promise<Situation> {
  const server = await openPeople()
  await addPerson(server)
  const person = openPerson(server.url)
  const client = await discover(server, EXAMPLE)
  const { access_token: token } = await client.connect({ person })
  return { server, person, client, token }
}

const ENDS: Record<string, (situation: Situation) => Promise<unknown>> = {
  'its user disconnects it on the page': async ({ person }) => {
    const page = await person.go('/auth/clients')
    expect((await person.send(formFor(page, '/auth/clients'))).html).toContain('can no longer use')
  },
  'it revokes its own token': ({ client, token }) => client.revoke(token),
  'its user is disabled': ({ server }) => server.accounts.users.disable('ada'),
  'its user is deleted': ({ server }) => server.accounts.users.delete('ada'),
  'its user is no longer a member': ({ server }) =>
    server.accounts.members.remove({ user: 'ada', space: 'team' }),
  'the space is archived': ({ server }) => server.accounts.spaces.archive('team'),
  'the client is removed': ({ server, client }) => server.accounts.clients.remove(client.clientId),
}

test.each(ERAS.flatMap((revision) => Object.keys(ENDS).map((why) => [why, revision] as const)))(
  'streams and tokens of a client end when %s (%s)',
  async (why, revision) => {
    const situation = await connected()
    const { server, client, token } = situation
    const stream = await listenTo(requestsTo(server), { key: token, revision, path: PATH }, [
      'remindb://tree',
    ])
    expect(stream.status).toBe(200)
    await ENDS[why]?.(situation)
    expect((await ask(client.endpoint, token)).status).toBe(401)
    await soon(stream.isOver).toBe(true)
  },
)

test('a user who is disabled is no longer signed in', async () => {
  const { server, person } = await connected()
  expect((await person.go('/auth/clients')).url).toBe(`${server.url}/auth/clients`)
  await server.accounts.users.disable('ada')
  expect((await person.go('/auth/clients')).url).toBe(`${server.url}/auth/login`)
  await server.accounts.users.enable('ada')
  expect((await person.go('/auth/clients')).url).toBe(`${server.url}/auth/login`)
})

test('a user who becomes a reader takes writing from their clients, which go on reading', async () => {
  const { server, client, token } = await connected()
  const team = requestsTo(server)
  const { session } = await personWith(team, { key: token, revision: '2025-11-25', path: PATH })
  let id = 1
  const send = (method: string, params: Record<string, unknown> = {}) => {
    const { headers, message } = legacyRequest({ method, params, id: ++id }, session)
    return team.fetch(handMade({ path: PATH, message, headers: { ...headers, ...bearer(token) } }))
  }
  const write = () => send('tools/call', { name: 'remember', arguments: { key: 'a', value: 'b' } })
  expect((await write()).status).toBe(200)
  // As another process does: the server notices a moment later.
  const elsewhere = await openAccounts(server.dir)
  onTestFinished(elsewhere.close)
  await elsewhere.members.add({ user: 'ada', space: 'team', role: 'reader' })
  const refused = await write()
  expect(refused.status).toBe(403)
  expect(refused.headers.get('www-authenticate')).toContain('error="insufficient_scope"')
  expect((await send('tools/list')).status).toBe(200)
  expect((await ask(client.endpoint, token)).status).toBe(200)
})
