import { expect, onTestFinished, test } from 'vitest'
import { rotateKeys } from '../../src/runtime/spaces/server-keys.ts'
import { temporaryFolder } from '../support/engine.ts'
import { ERAS } from '../support/mcp.ts'
import { ask, discover, EXAMPLE, requestsTo, tokensIn } from '../support/oauth-client.ts'
import { addPerson, formFor, openPeople, openPerson, type People, startPeople } from '../support/people.ts'
import { lastingPort } from '../support/ports.ts'
import { soon } from '../support/soon.ts'
import { bearer, handMade, legacyRequest, listenTo } from '../support/team-requests.ts'

const SECOND = 1000
const HOUR = 3600 * SECOND
const DAY = 24 * HOUR

/** Ada has let a client in; `pass` lets time go by. */
async function connected(changes: Record<string, string> = {}) {
  let passed = 0
  const server = await openPeople({ now: () => Date.now() + passed, spaces: ['team', 'other'] })
  await addPerson(server)
  await addPerson(server, { space: 'other' })
  const client = await discover(server, EXAMPLE)
  const tokens = await client.connect({ changes })
  const pass = (ms: number): void => {
    passed += ms
  }
  return { server, client, tokens, pass }
}

test('a token for one space is refused at another, with the way to get one', async () => {
  const { server, tokens } = await connected()
  const refused = await ask(`${server.url}/s/other/mcp`, tokens.access_token)
  expect(refused.status).toBe(401)
  expect(refused.headers.get('www-authenticate')).toContain('/oauth-protected-resource/s/other/mcp"')
  expect(await refused.text()).toContain('Unauthorized: Token not found')
})

test('two processes that refresh at once both go on', async () => {
  const { client, tokens } = await connected()
  const answers = await Promise.all([1, 2].map(() => client.refresh(tokens.refresh_token)))
  for (const answer of answers) {
    const { access_token: token, refresh_token: next } = await tokensIn(answer)
    expect((await ask(client.endpoint, token)).status).toBe(200)
    expect((await client.refresh(next)).status).toBe(200)
  }
})

test('a client that lost the answer to a refresh may repeat it for half a minute', async () => {
  const { client, tokens, pass } = await connected()
  const first = await tokensIn(await client.refresh(tokens.refresh_token))
  pass(29 * SECOND)
  const second = await tokensIn(await client.refresh(tokens.refresh_token))
  pass(2 * SECOND)
  const refused = await client.refresh(tokens.refresh_token)
  expect(refused.status).toBe(400)
  expect(await refused.json()).toMatchObject({ error: 'invalid_grant' })
  // Somebody has a token that is not theirs: all of them end.
  for (const { access_token: token, refresh_token: next } of [first, second]) {
    expect((await ask(client.endpoint, token)).status).toBe(401)
    expect((await client.refresh(next)).status).toBe(400)
  }
})

test('a client goes on for as long as it refreshes, until the time that its user chose', async () => {
  const { client, tokens, pass } = await connected({ expires: '90d' })
  let newest = tokens
  for (let days = 0; days < 87; days += 29) {
    pass(29 * DAY)
    newest = await tokensIn(await client.refresh(newest.refresh_token))
    expect((await ask(client.endpoint, newest.access_token)).status).toBe(200)
  }
  pass(3 * DAY - HOUR / 2)
  newest = await tokensIn(await client.refresh(newest.refresh_token))
  expect((await ask(client.endpoint, newest.access_token)).status).toBe(200)
  pass(HOUR / 2)
  const refused = await ask(client.endpoint, newest.access_token)
  expect(refused.status).toBe(401)
  expect(await refused.text()).toContain('Unauthorized: Token has been revoked or has expired')
  expect((await client.refresh(newest.refresh_token)).status).toBe(400)
})

test('a client that has not refreshed for 30 days is forgotten', async () => {
  const { client, tokens, pass } = await connected({ expires: 'never' })
  pass(30 * DAY)
  expect((await client.refresh(tokens.refresh_token)).status).toBe(400)
})

test.each(ERAS)(
  'a stream ends with its token, and its session goes on with the next one (%s)',
  async (revision) => {
    const { server, client, tokens, pass } = await connected()
    const team = requestsTo(server)
    const listen = (key: string) => listenTo(team, { key, revision, path: '/s/team/mcp' }, ['remindb://tree'])
    const stream = await listen(tokens.access_token)
    expect(stream.status).toBe(200)
    pass(HOUR)
    await soon(stream.isOver).toBe(true)
    const { access_token: token } = await tokensIn(await client.refresh(tokens.refresh_token))
    expect((await listen(token)).status).toBe(200)
    if (stream.session === undefined) return
    const { headers, message } = legacyRequest({ method: 'tools/list' }, stream.session)
    const answer = await team.fetch(
      handMade({ path: '/s/team/mcp', message, headers: { ...headers, ...bearer(token) } }),
    )
    expect(answer.status).toBe(200)
  },
)

/** A server that can be started again where it was. */
async function restartable() {
  const [dir, port] = [temporaryFolder(), await lastingPort()]
  let server = await startPeople(dir, { port })
  onTestFinished(() => server.close())
  await addPerson(server)
  return {
    server,
    async restart(): Promise<void> {
      await server.close()
      server = await startPeople(dir, { port, spaces: [] })
    },
  }
}

test('a server that starts again knows its tokens, clients and who is signed in', async () => {
  const { server, restart } = await restartable()
  const client = await discover(server, EXAMPLE)
  const person = openPerson(server.url)
  const tokens = await client.connect({ person })
  await restart()
  expect((await ask(client.endpoint, tokens.access_token)).status).toBe(200)
  expect((await client.refresh(tokens.refresh_token)).status).toBe(200)
  const back = new URL((await person.go(client.request().href)).url)
  expect(back.searchParams.has('code')).toBe(true)
})

/** A person looks at the page on which they decide about a client. */
async function deciding(server: People) {
  const client = await discover(server, EXAMPLE)
  const person = openPerson(server.url)
  const { href, verifier } = client.request()
  const page = await person.signIn(await person.go(href))
  const allow = () => person.send(formFor(page, '/auth/consent/'), { decision: 'allow' })
  return { client, person, verifier, allow }
}

test('a person who decides while keys are rotated notices nothing', async () => {
  const server = await openPeople()
  await addPerson(server)
  const { client, verifier, allow } = await deciding(server)
  const noticed = Promise.withResolvers<void>()
  onTestFinished(server.accounts.watch(noticed.resolve))
  await rotateKeys(server.accounts)
  await noticed.promise
  const answered = await allow()
  const { access_token: token } = await tokensIn(await client.exchange(new URL(answered.url), verifier))
  expect((await ask(client.endpoint, token)).status).toBe(200)
})

test('a person who decides while the server starts again is told to begin again, signed in', async () => {
  const { server, restart } = await restartable()
  const { client, person, allow } = await deciding(server)
  await rotateKeys(server.accounts)
  await restart()
  const answered = await allow()
  expect([answered.status, answered.html]).toEqual([400, expect.stringContaining('connect again')])
  const page = await person.go(client.request().href)
  expect(new URL(page.url).pathname).toMatch('/auth/consent/')
})
