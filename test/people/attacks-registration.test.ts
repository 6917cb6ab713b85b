import { expect, test } from 'vitest'
import { ask, DOCUMENT, getCode, openTarget, post, redeem, register } from '../support/attacker.ts'
import { addPerson, openPerson } from '../support/people.ts'

const BAD_METADATA: [string, Record<string, unknown>][] = [
  ['a password grant', { redirect_uris: ['https://a.example/'], grant_types: ['password'] }],
  ['a redirect to a script', { redirect_uris: ['javascript:alert(1)'] }],
  ['a script in capitals', { redirect_uris: ['JaVaScRiPt:alert(1)'] }],
  ['a script after a space', { redirect_uris: [' javascript:alert(1)'] }],
  ['a script in lines', { redirect_uris: ['java\nscript:alert(1)'] }],
  ['a redirect to data', { redirect_uris: ['data:text/html,<script>alert(1)</script>'] }],
  ['a redirect to a blob', { redirect_uris: ['blob:https://a.example/x'] }],
  ['a redirect to a file', { redirect_uris: ['file:///etc/passwd'] }],
  ['a redirect without TLS', { redirect_uris: ['http://a.example/callback'] }],
  ['a redirect with a fragment', { redirect_uris: ['https://a.example/callback#x'] }],
  ['a redirect that is a path', { redirect_uris: ['/callback'] }],
  ['a long redirect', { redirect_uris: [`https://a.example/${'x'.repeat(3000)}`] }],
  ['many redirects', { redirect_uris: Array.from({ length: 30 }, (_, at) => `https://a.example/${at}`) }],
  ['no redirects', { redirect_uris: [] }],
  ['redirects that are no list', { redirect_uris: 'https://a.example/' }],
  ['no redirect at all', {}],
  [
    'the implicit grant',
    { redirect_uris: ['https://a.example/'], response_types: ['token'], grant_types: ['implicit'] },
  ],
  [
    'a method that there is not',
    { redirect_uris: ['https://a.example/'], token_endpoint_auth_method: 'private_key_jwt' },
  ],
  ['a name that is no text', { redirect_uris: ['https://a.example/'], client_name: ['x'] }],
]

test('a client is not registered with metadata that could do harm', async () => {
  const server = await openTarget()
  for (const [name, metadata] of BAD_METADATA) {
    const { status, body } = await register(server.url, metadata)
    expect([name, status, typeof body.error]).toEqual([name, 400, 'string'])
  }
  expect(await server.accounts.clients.list()).toEqual([])
  expect(server.records).toEqual([])
})

test('a client that registers itself does not choose its id, its secret or its owner', async () => {
  const server = await openTarget()
  const redirect_uris = ['https://a.example/callback']
  const chosen = { client_id: DOCUMENT, client_secret: 'known', userId: 'x', registration_access_token: 'x' }
  const open = await register(server.url, { redirect_uris, ...chosen })
  expect(open.status).toBe(201)
  expect(open.body.client_id).toMatch(/^client_[0-9a-f]{32}$/)
  expect(open.body).not.toHaveProperty('client_secret')
  const confidential = await register(server.url, {
    ...{ redirect_uris, ...chosen, token_endpoint_auth_method: 'client_secret_post' },
  })
  expect(confidential.body.client_secret).not.toBe('known')
  const polluting = await register(
    server.url,
    `{"redirect_uris":["https://a.example/"],"__proto__":{"token_endpoint_auth_method":"client_secret_post","client_id":"x"}}`,
  )
  expect([polluting.status, polluting.body.client_id]).not.toEqual([201, 'x'])
  expect((await server.accounts.clients.list()).map(({ userId }) => userId)).not.toContain('x')
  expect(({} as Record<string, unknown>).client_id).toBeUndefined()
})

test('what a client registers with gives it nothing that there is not', async () => {
  const server = await openTarget()
  const { body } = await register(server.url, {
    ...{ redirect_uris: ['https://a.example/'], scope: 'memories:admin', logo_uri: 'javascript:alert(1)' },
    ...{
      grant_types: ['password', 'client_credentials', 'authorization_code'],
      jwks_uri: 'http://10.0.0.1/',
    },
  })
  expect(body.grant_types).toEqual(['authorization_code'])
  expect(JSON.stringify(body)).not.toMatch(/admin|javascript|10\.0\.0\.1/)
  const client = { client_id: String(body.client_id) }
  for (const grant of ['password', 'client_credentials', 'implicit'])
    expect((await post(`${server.url}/oauth/token`, { grant_type: grant, ...client })).body.error).toBe(
      'unsupported_grant_type',
    )
})

test('one address registers so many clients in an hour, and the same one is one', async () => {
  let now = Date.now()
  const server = await openTarget({ now: () => now })
  const metadata = (name: string) => ({ redirect_uris: ['https://a.example/'], client_name: name })
  for (let at = 0; at < 30; at++) expect((await register(server.url, metadata('same'))).status).toBe(201)
  expect(await server.accounts.clients.list()).toHaveLength(1)
  for (let at = 0; at < 30; at++) expect((await register(server.url, metadata(`no ${at}`))).status).toBe(201)
  const refused = await register(server.url, metadata('one more'))
  expect([refused.status, refused.body.error]).toEqual([429, 'temporarily_unavailable'])
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
  expect(await server.accounts.clients.list()).toHaveLength(31)
  now += 3_600_000
  expect((await register(server.url, metadata('one more'))).status).toBe(201)
})

test('one address makes so many requests for access in a minute', async () => {
  const now = Date.now()
  const server = await openTarget({ now: () => now })
  const pages = await Promise.all(
    Array.from({ length: 70 }, () => openPerson(server.url).go(ask(server.url, { prompt: 'none' }).href)),
  )
  const refused = pages.filter(({ status }) => status === 429)
  expect(refused).toHaveLength(10)
  for (const { headers } of refused) {
    expect(Number(headers.get('retry-after'))).toBeGreaterThan(0)
    expect(headers.get('content-security-policy')).toContain("frame-ancestors 'none'")
  }
})

test('a client with a secret is of its first user, and of nobody without the secret', async () => {
  const server = await openTarget()
  await addPerson(server, { name: 'bob' })
  const { url } = server
  const redirect = 'https://a.example/callback'
  const { body } = await register(url, {
    ...{ redirect_uris: [redirect], token_endpoint_auth_method: 'client_secret_post' },
  })
  const changes = { client_id: String(body.client_id), redirect_uri: redirect }
  const code = await getCode(server, { changes })
  for (const client_secret of [undefined, '', 'x', String(body.client_secret).slice(1)]) {
    const given = client_secret === undefined ? {} : { client_secret }
    expect((await redeem(url, code, { ...changes, ...given })).body.error).toBe('invalid_client')
  }
  const stored = (await server.accounts.clients.list()).map(({ metadata }) => metadata).join()
  expect(stored).not.toContain(body.client_secret)
  const hash = String(JSON.parse(stored).client_secret)
  expect((await redeem(url, code, { ...changes, client_secret: hash })).body.error).toBe('invalid_client')
  const right = await redeem(url, code, { ...changes, client_secret: String(body.client_secret) })
  expect(right.status).toBe(200)
  const bob = openPerson(url)
  const page = await bob.signIn(await bob.go(ask(url, changes).href), 'bob')
  expect([page.status, page.html.includes('already associated with a different user account')]).toEqual([
    403,
    true,
  ])
})
