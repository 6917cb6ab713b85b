import { expect, test } from 'vitest'
import { ask, DOCUMENT, documentOf, openTarget, post, register, send } from '../support/attacker.ts'
import { openPerson } from '../support/people.ts'

/** Where the browser is sent that opens a request for access. */
async function answerTo(url: string, changes: Record<string, string | string[] | undefined>): Promise<URL> {
  return new URL((await openPerson(url).go(ask(url, changes).href)).url)
}

test('a redirect that the client does not have is answered with a page, not with a redirect', async () => {
  const server = await openTarget({
    documents: {
      [DOCUMENT]: documentOf({
        redirect_uris: ['https://client.example/callback', 'http://127.0.0.1/callback'],
      }),
    },
  })
  const redirects = [
    undefined,
    '',
    'https://evil.example/callback',
    'https://client.example/callback/',
    'https://client.example/callback?x=1',
    'https://client.example/callback#x',
    'https://client.example/callback/../evil',
    'https://client.example:8443/callback',
    'https://client.example.evil.example/callback',
    'https://client.example@evil.example/callback',
    'https://CLIENT.example/callback',
    'http://client.example/callback',
    '//client.example/callback',
    'http://127.0.0.1:80@evil.example/callback',
    'http://127.0.0.1.evil.example/callback',
    'http://127.0.0.2/callback',
    'http://localhost/callback',
    'http://127.0.0.1:1/other',
    'https://127.0.0.1/callback',
    'http://127.0.0.1\\@evil.example/callback',
    'http://127.0.0.1:99999/callback',
    'javascript:alert(1)',
    'data:text/html,x',
    'https://client.example/callback\r\nset-cookie: a=b',
  ]
  for (const redirect of redirects) {
    const page = await openPerson(server.url).go(ask(server.url, { redirect_uri: redirect }).href)
    expect([redirect, page.status, page.headers.get('location')]).toEqual([redirect, 400, null])
    expect(page.headers.get('content-security-policy')).toContain("frame-ancestors 'none'")
  }
  const twice = await openPerson(server.url).go(
    ask(server.url, { redirect_uri: ['https://client.example/callback', 'https://evil.example/'] }).href,
  )
  expect([twice.status, twice.headers.get('location')]).toEqual([400, null])
})

const REFUSED: [string, Record<string, string | string[] | undefined>, string][] = [
  ['no response type', { response_type: undefined }, 'invalid_request'],
  ['a token in the redirect', { response_type: 'token' }, 'unsupported_response_type'],
  ['an identity token', { response_type: 'id_token' }, 'unsupported_response_type'],
  ['several response types', { response_type: 'code token' }, 'unsupported_response_type'],
  ['a form as an answer', { response_mode: 'form_post' }, 'unsupported_response_mode'],
  ['a fragment as an answer', { response_mode: 'fragment' }, 'unsupported_response_mode'],
  ['a message as an answer', { response_mode: 'web_message' }, 'unsupported_response_mode'],
  ['a signed answer', { response_mode: 'query.jwt' }, 'unsupported_response_mode'],
  ['two response modes', { response_mode: ['query', 'form_post'] }, 'invalid_request'],
  ['a request object', { request: 'e30.e30.' }, 'request_not_supported'],
  ['the URL of a request', { request_uri: 'https://evil.example/request' }, 'request_uri_not_supported'],
  ['another server', { resource: 'https://evil.example/mcp' }, 'invalid_target'],
  ['a path that is no endpoint', { resource: 'URL/oauth/token' }, 'invalid_target'],
  ['an endpoint with a query', { resource: 'URL/s/team/mcp?x' }, 'invalid_target'],
  ['an endpoint with a fragment', { resource: 'URL/s/team/mcp#x' }, 'invalid_target'],
  ['a name that is no name', { resource: 'URL/s/..%2fteam/mcp' }, 'invalid_target'],
  ['the state twice', { state: ['a', 'b'] }, 'invalid_request'],
  ['the challenge twice', { code_challenge: ['a'.repeat(43), 'b'.repeat(43)] }, 'invalid_request'],
  ['the scope twice', { scope: ['memories:read', 'memories:admin'] }, 'invalid_request'],
  ['no page for the user', { prompt: 'none' }, 'login_required'],
]

test.each(REFUSED)('a client cannot ask for %s', async (_, asked, error) => {
  const server = await openTarget()
  const changes = Object.fromEntries(
    Object.entries(asked).map(([name, value]) => [
      name,
      typeof value === 'string' ? value.replace('URL', server.url) : value,
    ]),
  )
  const back = await answerTo(server.url, changes)
  const answered = back.hash === '' ? back.searchParams : new URLSearchParams(back.hash.slice(1))
  expect(`${back.origin}${back.pathname}`).toBe('http://localhost:58135/callback')
  expect(answered.get('error')).toBe(error)
  expect(answered.get('iss')).toBe(server.url)
  expect(answered.has('code')).toBe(false)
  expect(server.records).toEqual([])
})

test('a client that is asked for twice, or is none, gets nothing', async () => {
  const server = await openTarget()
  const ids = [undefined, '', 'unknown', 'https://unknown.example/x', 'javascript:alert(1)', [DOCUMENT, 'x']]
  for (const id of ids) {
    const page = await openPerson(server.url).go(ask(server.url, { client_id: id }).href)
    expect([id, page.status >= 400 && page.status < 500, page.headers.get('location')]).toEqual([
      id,
      true,
      null,
    ])
  }
  expect(server.records).toEqual([])
})

test('what the library can do and this server does not is not there', async () => {
  const server = await openTarget()
  const paths = [
    ...[
      '/oauth/jwks',
      '/jwks',
      '/me',
      '/userinfo',
      '/oauth/userinfo',
      '/token/introspection',
      '/oauth/introspect',
    ],
    ...[
      '/request',
      '/oauth/par',
      '/device',
      '/device/auth',
      '/oauth/device',
      '/session/end',
      '/session/end/confirm',
    ],
    ...[
      '/reg',
      '/reg/x',
      '/auth',
      '/auth/x',
      '/oauth/register/x',
      '/backchannel',
      '/interaction/x',
      '/challenge',
    ],
    ...['/.well-known/openid-configuration', '/oauth/authorize/../jwks', '/oauth/%6awks', '/oauth/token/'],
    ...['/oauth/token%2f..%2fjwks', '//oauth/token', '/OAUTH/token', '/oauth/token;x'],
  ]
  for (const path of paths)
    for (const method of ['GET', 'POST']) {
      const { status } = await send(server.url, path, { method, headers: { 'content-length': '0' } })
      expect([path, method, status]).toEqual([path, method, 404])
    }
})

test('an endpoint takes its own method only', async () => {
  const server = await openTarget()
  const cases: [string, string, number][] = [
    ['POST', '/oauth/authorize', 405],
    ['HEAD', '/oauth/authorize', 405],
    ['PUT', '/oauth/authorize', 405],
    ['POST', '/oauth/authorize/abc', 405],
    ['GET', '/oauth/token', 405],
    ['GET', '/oauth/revoke', 405],
    ['GET', '/oauth/register', 405],
    ['DELETE', '/oauth/register', 405],
    ['PUT', '/oauth/token', 405],
    ['GET', '/auth/logout', 405],
    ['PUT', '/auth/login', 405],
    ['DELETE', '/auth/clients', 405],
  ]
  for (const [method, path, status] of cases) {
    const answer = await send(server.url, path, { method, headers: { 'content-length': '0' } })
    expect([method, path, answer.status]).toEqual([method, path, status])
    expect(answer.headers.allow).toBeTruthy()
  }
})

test('nothing that is too long or too strange makes the server fail', async () => {
  // So many requests take longer than a minute here: an address may not send them in one.
  let now = Date.now()
  const server = await openTarget({ now: () => (now += 500) })
  const long = 'x'.repeat(12_000)
  for (const name of [
    'state',
    'scope',
    'resource',
    'client_id',
    'redirect_uri',
    'code_challenge',
    'prompt',
    'claims',
    'acr_values',
    'login_hint',
    'id_token_hint',
    'max_age',
    'ui_locales',
  ])
    for (const value of [
      long,
      '\0',
      '\r\nset-cookie: x=y',
      '{"a":1}',
      '🜁',
      '-1',
      '%',
      '[object Object]',
      '__proto__',
    ]) {
      const { status } = await openPerson(server.url).go(ask(server.url, { [name]: value }).href)
      expect([name, value.slice(0, 20), status < 500]).toEqual([name, value.slice(0, 20), true])
    }
  for (const query of ['%', '%ff%fe', 'a=%00', '__proto__=x', 'client_id[]=x', '&&&===', 'constructor=x'])
    expect([query, (await send(server.url, `/oauth/authorize?${query}`)).status]).toEqual([query, 400])
  const bodies = ['', '%', 'a'.repeat(100_000), 'grant_type=x&grant_type=y', '__proto__=x', 'client_id=%00']
  for (const path of ['/oauth/token', '/oauth/revoke'])
    for (const body of bodies) {
      const { status } = await post(`${server.url}${path}`, new URLSearchParams(body))
      expect([path, body.slice(0, 20), status >= 400 && status < 500]).toEqual([
        path,
        body.slice(0, 20),
        true,
      ])
    }
  const texts = [
    '',
    '[]',
    'null',
    '"x"',
    '{',
    '{"redirect_uris":',
    '['.repeat(50_000),
    `{"a":"${'x'.repeat(100_000)}"}`,
  ]
  for (const text of texts) {
    const { status, body } = await register(server.url, text)
    expect([text.slice(0, 20), status, typeof body.error]).toEqual([text.slice(0, 20), 400, 'string'])
  }
  expect(server.records).toEqual([])
})

test('no answer tells of the inside of the server', async () => {
  const server = await openTarget()
  for (const path of [
    '/oauth/authorize',
    '/oauth/authorize/x',
    '/auth/consent/x',
    '/oauth/authorize?client_id=x',
  ]) {
    const { text, status, headers } = await send(server.url, path)
    expect([path, status]).toEqual([path, 400])
    expect(text).not.toMatch(/node_modules|\.js:\d|\bat \w+ \(|oidc-provider/)
    expect(headers['x-powered-by']).toBeUndefined()
  }
})
