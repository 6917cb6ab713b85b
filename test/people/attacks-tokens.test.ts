import { expect, test } from 'vitest'
import {
  ask,
  callMcp,
  DOCUMENT,
  documentOf,
  getCode,
  getTokens,
  openTarget,
  post,
  refresh,
  send,
  statusOf,
} from '../support/attacker.ts'
import { addPerson, formFor, openPerson } from '../support/people.ts'

const OTHER = 'https://other.example/metadata'

test('a token is for the endpoint that it was asked for, and for no other', async () => {
  const server = await openTarget({ spaces: ['team', 'other'] })
  await addPerson(server, { space: 'other' })
  const { url } = server
  const person = openPerson(url)
  const team = await getTokens(server, { person })
  const any = await getTokens(server, {
    person,
    changes: { resource: `${url}/mcp` },
    choose: { space: 'other' },
  })
  for (const path of ['/s/other/mcp', '/mcp', '/s/nothing/mcp'])
    expect([path, await statusOf(callMcp(url, team.access_token, path))]).toEqual([path, 401])
  for (const path of ['/s/team/mcp', '/s/other/mcp'])
    expect([path, await statusOf(callMcp(url, any.access_token, path))]).toEqual([path, 401])
  expect(await statusOf(callMcp(url, any.access_token, '/mcp'))).toBe(200)
  expect(await statusOf(callMcp(url, team.access_token))).toBe(200)
  for (const path of ['/s/other/keys', '/s/team/keys/x'])
    expect([
      path,
      (await send(url, path, { headers: { authorization: `Bearer ${any.access_token}` } })).status < 500,
    ]).toEqual([path, true])
})

test('a client that names two endpoints gets what the person was shown', async () => {
  const server = await openTarget({ spaces: ['team', 'secret'] })
  await addPerson(server, { space: 'secret' })
  const { url } = server
  const both = [`${url}/s/team/mcp`, `${url}/s/secret/mcp`]
  const code = await getCode(server, { changes: { resource: both } })
  const secret = await post(`${url}/oauth/token`, {
    ...{
      grant_type: 'authorization_code',
      client_id: DOCUMENT,
      redirect_uri: 'http://localhost:58135/callback',
    },
    ...{ code: code.code, code_verifier: code.verifier, resource: `${url}/s/secret/mcp` },
  })
  if (secret.status === 200)
    expect(await statusOf(callMcp(url, secret.body.access_token, '/s/secret/mcp'))).toBeGreaterThanOrEqual(
      400,
    )
  expect((await server.accounts.grants.list()).map(({ space }) => space)).toEqual(['team'])
})

test('a refresh gives no more than was agreed', async () => {
  const server = await openTarget({ spaces: ['team', 'other'] })
  await addPerson(server, { space: 'other' })
  await addPerson(server, { role: 'admin' })
  const { url } = server
  const tokens = await getTokens(server, { changes: { scope: 'memories:read' } })
  expect(tokens.scope).toBe('memories:read')
  const asked = [
    { scope: 'memories:read memories:write' },
    { scope: 'memories:admin' },
    { scope: 'openid' },
    { resource: `${url}/s/other/mcp` },
    { resource: `${url}/mcp` },
    { resource: 'https://evil.example/' },
    { client_id: 'https://unknown.example/x' },
  ]
  for (const changes of asked) {
    const { status, body } = await refresh(url, tokens.refresh_token, changes)
    expect([changes, status >= 400 && status < 500, typeof body.error]).toEqual([changes, true, 'string'])
  }
  const again = await refresh(url, tokens.refresh_token)
  expect(again.body.scope).toBe('memories:read')
})

test('administering is not for clients, whoever agrees', async () => {
  const server = await openTarget()
  await addPerson(server, { role: 'admin' })
  const person = openPerson(server.url)
  const asking = ask(server.url, { scope: 'memories:admin memories:read' })
  const login = await person.go(asking.href)
  const consent = await person.signIn(login)
  expect(consent.html).not.toContain('memories:admin')
  const back = await person.send(formFor(consent, '/auth/consent/'), {
    decision: 'allow',
    scope: ['memories:read', 'memories:admin', 'operator'],
  })
  expect(new URL(back.url).searchParams.get('code')).toBeTruthy()
  const [grant] = await server.accounts.grants.list()
  expect(grant?.scopes).toEqual(['memories:read'])
})

test('only an access token is a bearer token', async () => {
  const server = await openTarget()
  const person = openPerson(server.url)
  const { code } = await getCode(server, { person })
  const tokens = await getTokens(server, { person })
  const cookies = [...person.cookies.values()].map(({ value }) => value)
  expect(cookies.length).toBeGreaterThan(0)
  const [grant] = await server.accounts.grants.list()
  const wrong = [
    tokens.refresh_token,
    code,
    ...cookies,
    grant?.id,
    DOCUMENT,
    'undefined',
    'null',
    '__proto__',
    'x'.repeat(5000),
  ]
  for (const token of wrong) {
    const answer = await callMcp(server.url, token)
    expect([token, answer.status]).toEqual([token, 401])
    expect(answer.headers.get('www-authenticate')).toMatch(/^Bearer error="invalid_token"/)
  }
})

test('a token is taken from the header only', async () => {
  const server = await openTarget()
  const { access_token: token = '' } = await getTokens(server)
  const target = `/s/team/mcp?access_token=${token}&token=${token}&authorization=Bearer%20${token}`
  const inQuery = await callMcp(server.url, undefined, target)
  expect(inQuery.status).toBe(401)
  const inForm = await post(`${server.url}/s/team/mcp`, { access_token: token })
  expect(inForm.status).toBe(401)
  for (const headers of [
    { cookie: `access_token=${token}; remindb_login=${token}` },
    { authorization: `Basic ${Buffer.from(`x:${token}`).toString('base64')}` },
    { authorization: token },
    { authorization: `Bearer ${token}, Bearer ${token}` },
    { authorization: `Bearer ${token} x` },
    { 'x-api-key': token },
  ])
    expect((await send(server.url, '/s/team/mcp', { method: 'POST', headers })).status).toBe(401)
})

test('a client cannot revoke what another one has', async () => {
  const server = await openTarget({
    documents: { [DOCUMENT]: documentOf(), [OTHER]: documentOf({ client_id: OTHER }) },
  })
  const { access_token: token = '', refresh_token: other = '' } = await getTokens(server)
  for (const given of [token, other]) {
    const answer = await post(`${server.url}/oauth/revoke`, { token: given, client_id: OTHER })
    expect(answer.status).toBeLessThan(500)
  }
  expect(await statusOf(callMcp(server.url, token))).toBe(200)
  expect((await post(`${server.url}/oauth/revoke`, { token, client_id: DOCUMENT })).status).toBe(200)
  expect(await statusOf(callMcp(server.url, token))).toBe(401)
  expect((await post(`${server.url}/oauth/revoke`, { token: 'unknown', client_id: DOCUMENT })).status).toBe(
    200,
  )
})

test('a refresh token that was used long ago ends all tokens', async () => {
  const clock = { now: Date.now() }
  const server = await openTarget({ now: () => clock.now })
  const tokens = await getTokens(server)
  const next = await refresh(server.url, tokens.refresh_token)
  expect(next.body.refresh_token).not.toBe(tokens.refresh_token)
  clock.now += 31_000
  expect((await refresh(server.url, tokens.refresh_token)).body.error).toBe('invalid_grant')
  expect(await statusOf(callMcp(server.url, next.body.access_token))).toBe(401)
  expect((await refresh(server.url, next.body.refresh_token)).body.error).toBe('invalid_grant')
})
