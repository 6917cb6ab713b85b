import { expect, test } from 'vitest'
import { ask, callTool, discover, EXAMPLE } from '../support/oauth-client.ts'
import { addPerson, formFor, openPeople, openPerson, type Page } from '../support/people.ts'

const READ = 'memories:read'
const BOTH = 'memories:read memories:write'

function isAsked({ url }: Page): boolean {
  return new URL(url).pathname.startsWith('/auth/consent/')
}

/** Ada has let the client in. */
async function letIn(changes: Record<string, string> = {}) {
  const server = await openPeople({ spaces: ['team', 'other'] })
  await addPerson(server)
  const client = await discover(server, EXAMPLE)
  const person = openPerson(server.url)
  const tokens = await client.connect({ person, changes })
  return { server, client, person, tokens }
}

test('who agreed is not asked again by the same client for the same space', async () => {
  const { client, person } = await letIn()
  const page = await person.go(client.request().href)
  expect(new URL(page.url).searchParams.has('code')).toBe(true)
  expect(isAsked(await person.go(client.request({ prompt: 'consent' }).href))).toBe(true)
})

test('who agreed is asked again for another space, and by another client', async () => {
  const { server, person } = await letIn()
  await addPerson(server, { space: 'other' })
  const elsewhere = await discover(server, EXAMPLE, '/s/other/mcp')
  expect(isAsked(await person.go(elsewhere.request().href))).toBe(true)
  const another = await discover(server, {
    ...EXAMPLE,
    registration: { client_name: 'Another', redirect_uris: [EXAMPLE.redirectUri] },
  })
  expect(isAsked(await person.go(another.request().href))).toBe(true)
})

test('that one user agreed is nothing to another one', async () => {
  const { server, client } = await letIn()
  await addPerson(server, { name: 'bob' })
  const bob = openPerson(server.url)
  expect(isAsked(await bob.signIn(await bob.go(client.request().href), 'bob'))).toBe(true)
})

test('who agreed to reading alone is asked again for writing, and not for reading', async () => {
  const { client, person, tokens } = await letIn({ scope: READ })
  expect(tokens.scope).toBe(READ)
  expect((await ask(client.endpoint, tokens.access_token)).status).toBe(200)
  expect(isAsked(await person.go(client.request({ scope: READ }).href))).toBe(false)
  expect(isAsked(await person.go(client.request({ scope: BOTH }).href))).toBe(true)
})

test('who agrees to less takes the rest from the tokens that the client has', async () => {
  const { client, person, tokens } = await letIn()
  await client.connect({ person, changes: { scope: READ } }, { prompt: 'consent' })
  const call = { name: 'remember', arguments: { key: 'a', value: 'b' } }
  const refused = await ask(client.endpoint, tokens.access_token, 'tools/call', call)
  expect(refused.status).toBe(403)
  const challenge = refused.headers.get('www-authenticate')
  expect(challenge).toContain('error="insufficient_scope"')
  expect(challenge).toContain(`scope="${BOTH}"`)
  expect((await ask(client.endpoint, tokens.access_token)).status).toBe(200)
})

test('a reader is asked for reading alone, and once', async () => {
  const server = await openPeople()
  await addPerson(server, { role: 'reader' })
  const client = await discover(server, EXAMPLE)
  const person = openPerson(server.url)
  const page = await person.signIn(await person.go(client.request().href))
  const scopes = formFor(page, '/auth/consent/')?.fields.filter(([name]) => name === 'scope')
  expect(scopes).toEqual([['scope', READ]])
  expect((await client.connect({ person })).scope).toBe(READ)
  expect(isAsked(await person.go(client.request().href))).toBe(false)
})

test('who denies sends the client away without a code', async () => {
  const server = await openPeople()
  await addPerson(server)
  const client = await discover(server, EXAMPLE)
  const back = await openPerson(server.url).agree(client.request().href, { changes: { decision: 'deny' } })
  expect(Object.fromEntries(back.searchParams)).toMatchObject({
    error: 'access_denied',
    state: 'xyz',
    iss: server.url,
  })
  expect(back.searchParams.has('code')).toBe(false)
})

test('at the endpoint for all spaces a person chooses one, and the token is for that endpoint alone', async () => {
  const server = await openPeople({ spaces: ['team', 'other', 'closed'] })
  await addPerson(server)
  await addPerson(server, { space: 'other' })
  const client = await discover(server, EXAMPLE, '/mcp')
  const person = openPerson(server.url)
  const page = await person.signIn(await person.go(client.request().href))
  expect([...page.html.matchAll(/<option value="([\w-]+)">/g)].map(([, name]) => name)).toEqual(
    expect.arrayContaining(['team', 'other']),
  )
  expect(page.html).not.toContain('closed')
  const { access_token: token } = await client.connect({ person, changes: { space: 'other' } })
  await callTool(`${server.url}/mcp`, token, 'remember', { key: 'deploys', value: 'Never on a Friday.' })
  for (const path of ['/s/other/mcp', '/s/team/mcp'])
    expect((await ask(`${server.url}${path}`, token)).status).toBe(401)

  const there = await (await discover(server, EXAMPLE, '/s/other/mcp')).connect({ person })
  const found = await callTool(`${server.url}/s/other/mcp`, there.access_token, 'recall', { key: 'deploys' })
  expect(found.result.content[0].text).toContain('Friday')
})

test('a space that a person is no member of is not one they can choose', async () => {
  const server = await openPeople({ spaces: ['team', 'closed'] })
  await addPerson(server)
  const client = await discover(server, EXAMPLE, '/mcp')
  const person = openPerson(server.url)
  const page = await person.signIn(await person.go(client.request().href))
  const sent = { decision: 'allow', space: 'closed' }
  const again = await person.send(formFor(page, '/auth/consent/'), sent)
  expect(again.status).toBe(400)
  expect(isAsked(again)).toBe(true)
})

test.each(['closed', 'missing'])('a person learns nothing of the space "%s"', async (space) => {
  const server = await openPeople({ spaces: ['team', 'closed'] })
  await addPerson(server)
  const client = await discover(server, EXAMPLE, `/s/${space}/mcp`)
  const person = openPerson(server.url)
  const page = await person.signIn(await person.go(client.request().href))
  expect(page.status).toBe(403)
  expect(page.html).toContain(`There is no space “${space}” that you are a member of.`)
})
