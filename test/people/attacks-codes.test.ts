import { expect, test } from 'vitest'
import {
  ask,
  callMcp,
  DOCUMENT,
  documentOf,
  getCode,
  openTarget,
  redeem,
  refresh,
  statusOf,
} from '../support/attacker.ts'
import { createVerifier, openPerson } from '../support/people.ts'

const OTHER = 'https://other.example/metadata'

test('of twenty redemptions of one code at once, one succeeds; a later one revokes what it got', async () => {
  const clock = { now: Date.now() }
  const server = await openTarget({ now: () => clock.now })
  const { code, verifier } = await getCode(server)
  const answers = await Promise.all(Array.from({ length: 20 }, () => redeem(server.url, { code, verifier })))
  const [won, ...others] = answers.filter(({ status }) => status === 200)
  expect(others).toEqual([])
  for (const { status, body } of answers.filter((answer) => answer !== won)) {
    expect(status).toBe(400)
    expect(body.error).toBe('invalid_grant')
  }
  expect(await statusOf(callMcp(server.url, won?.body.access_token))).toBe(200)

  clock.now += 6000
  expect((await redeem(server.url, { code, verifier })).body.error).toBe('invalid_grant')
  expect(await statusOf(callMcp(server.url, won?.body.access_token))).toBe(401)
  expect((await refresh(server.url, won?.body.refresh_token)).body.error).toBe('invalid_grant')
  expect(await server.accounts.grants.list()).toEqual([])
})

test('a code is redeemed only with its verifier, redirect and client', async () => {
  const server = await openTarget({
    documents: { [DOCUMENT]: documentOf(), [OTHER]: documentOf({ client_id: OTHER }) },
  })
  const good = await getCode(server)
  const wrong = [
    { code_verifier: createVerifier().verifier },
    { code_verifier: '' },
    { code_verifier: 'a'.repeat(500) },
    { redirect_uri: 'http://localhost:58136/callback' },
    { redirect_uri: 'https://evil.example/callback' },
    { client_id: OTHER },
    { client_id: 'https://unknown.example/metadata' },
    { code: `${good.code}x` },
    { grant_type: 'password' },
    { grant_type: 'client_credentials' },
    { grant_type: 'implicit' },
    { grant_type: 'urn:ietf:params:oauth:grant-type:device_code' },
    { grant_type: 'urn:ietf:params:oauth:grant-type:token-exchange' },
    { resource: `${server.url}/s/other/mcp` },
    { resource: 'https://evil.example/mcp' },
  ]
  for (const changes of wrong) {
    const { status, body } = await redeem(server.url, good, changes)
    expect([changes, status >= 400 && status < 500, typeof body.error]).toEqual([changes, true, 'string'])
    expect(body).not.toHaveProperty('access_token')
  }
})

test('a code expires within a minute', async () => {
  let late = 0
  const server = await openTarget({ now: () => Date.now() + late })
  const good = await getCode(server)
  late = 61_000
  expect((await redeem(server.url, good)).body.error).toBe('invalid_grant')
})

const DOWNGRADES: [string, Record<string, string | undefined>][] = [
  ['no challenge', { code_challenge: undefined, code_challenge_method: undefined }],
  ['a method without a challenge', { code_challenge: undefined }],
  ['the plain method', { code_challenge_method: 'plain' }],
  ['no method, which means plain', { code_challenge_method: undefined }],
  ['an unknown method', { code_challenge_method: 'S512' }],
  ['an empty challenge', { code_challenge: '' }],
  ['a short challenge', { code_challenge: 'abc' }],
]

test.each(DOWNGRADES)('PKCE cannot be weakened: %s', async (_, changes) => {
  const server = await openTarget()
  const back = new URL((await openPerson(server.url).go(ask(server.url, changes).href)).url)
  expect(back.origin).toBe('http://localhost:58135')
  expect(back.searchParams.get('error')).toBe('invalid_request')
  expect(back.searchParams.get('iss')).toBe(server.url)
  expect(back.searchParams.has('code')).toBe(false)
})

test('every answer to a client says who gives it, so that it is not taken for that of another server', async () => {
  const server = await openTarget()
  const person = openPerson(server.url)
  const agreed = await person.agree(ask(server.url).href)
  const denied = await person.agree(ask(server.url, { prompt: 'consent' }).href, {
    changes: { decision: 'deny' },
  })
  const wrong = new URL((await person.go(ask(server.url, { prompt: 'none' }).href)).url)
  for (const back of [agreed, denied, wrong]) {
    expect(back.searchParams.get('iss')).toBe(server.url)
    expect(back.searchParams.get('state')).toBe('abc')
  }
  expect(agreed.searchParams.has('code')).toBe(true)
  expect(denied.searchParams.get('error')).toBe('access_denied')
  expect(wrong.searchParams.get('error')).toBe('login_required')
  const metadata = await (await fetch(`${server.url}/.well-known/oauth-authorization-server`)).json()
  expect(metadata).toMatchObject({
    issuer: server.url,
    authorization_response_iss_parameter_supported: true,
    code_challenge_methods_supported: ['S256'],
  })
})
