import { expect, test } from 'vitest'
import { ask, openTarget, send } from '../support/attacker.ts'
import { openPerson } from '../support/people.ts'

const PUBLIC = 'https://memory.example'
const HOST = { host: 'memory.example' }

const FORGED: Record<string, string>[] = [
  { 'x-forwarded-host': 'evil.example' },
  { 'x-forwarded-host': 'evil.example', 'x-forwarded-proto': 'http', 'x-forwarded-port': '81' },
  { forwarded: 'host=evil.example;proto=http;for=evil.example' },
  { 'x-host': 'evil.example', 'x-original-url': '/evil', 'x-rewrite-url': '/evil' },
  { 'x-forwarded-server': 'evil.example', 'x-http-host-override': 'evil.example' },
  { 'x-forwarded-prefix': '/evil', 'x-forwarded-for': 'evil.example' },
]

test('nothing that a request says of the name of the server is repeated', async () => {
  const server = await openTarget({ publicUrl: PUBLIC })
  const query = new URL(ask(PUBLIC).href).search
  const paths = [
    '/.well-known/oauth-authorization-server',
    '/.well-known/oauth-protected-resource',
    '/.well-known/oauth-protected-resource/s/team/mcp',
    `/oauth/authorize${query}`,
    `/oauth/authorize?client_id=x`,
    '/oauth/authorize/x',
    '/auth/login',
    '/auth/clients',
    '/auth/setup',
    '/s/team/mcp',
    '/mcp',
  ]
  for (const path of paths) {
    const plain = await send(server.url, path, { headers: HOST })
    for (const forged of FORGED) {
      const answer = await send(server.url, path, { headers: { ...HOST, ...forged } })
      const said = JSON.stringify([answer.headers, answer.text])
      expect([path, forged, said.includes('evil')]).toEqual([path, forged, false])
      expect([path, forged, answer.status]).toEqual([path, forged, plain.status])
    }
    for (const host of [
      'evil.example',
      'memory.example.evil.example',
      'memory.example@evil.example',
      'evil.example#memory.example',
    ]) {
      const answer = await send(server.url, path, { headers: { host } })
      expect([path, host, [400, 403].includes(answer.status)]).toEqual([path, host, true])
      expect(answer.headers.location).toBeUndefined()
    }
  }
})

test('what the server says of itself is its public URL, whatever it was called by', async () => {
  const server = await openTarget({ publicUrl: PUBLIC })
  for (const host of ['memory.example', '127.0.0.1', 'localhost']) {
    const metadata = JSON.parse(
      (await send(server.url, '/.well-known/oauth-authorization-server', { headers: { host } })).text,
    )
    expect(metadata.issuer).toBe(PUBLIC)
    for (const [name, value] of Object.entries(metadata))
      if (name.endsWith('_endpoint'))
        expect([name, String(value).startsWith(`${PUBLIC}/`)]).toEqual([name, true])
    const wrong = new URL(ask(PUBLIC, { prompt: 'none' }).href)
    const back = await send(server.url, `${wrong.pathname}${wrong.search}`, { headers: { host } })
    expect(new URL(String(back.headers.location)).searchParams.get('iss')).toBe(PUBLIC)
    const challenge = await send(server.url, '/s/team/mcp', { headers: { host } })
    expect(challenge.headers['www-authenticate']).toContain(`resource_metadata="${PUBLIC}/.well-known/`)
  }
})

test('a whole URL in the request line is no way around', async () => {
  const server = await openTarget({ publicUrl: PUBLIC })
  for (const target of ['http://evil.example/auth/login', 'http://evil.example/oauth/authorize?client_id=x'])
    expect((await send(server.url, target, { headers: HOST })).status).toBe(400)
  const token = await send(server.url, 'http://memory.example/oauth/token', {
    ...{ method: 'POST', headers: { ...HOST, 'content-type': 'application/x-www-form-urlencoded' } },
    body: 'grant_type=authorization_code',
  })
  expect([token.status, token.text.includes('evil')]).toEqual([400, false])
})

/** Of cookies that are set: name and attributes. */
function cookiesIn(
  headers: Record<string, string | string[] | undefined>,
): { name: string; attributes: string[] }[] {
  return [headers['set-cookie'] ?? []].flat().map((line) => {
    const [pair = '', ...attributes] = line.split(/; */)
    return { name: pair.split('=')[0] ?? '', attributes: attributes.map((one) => one.toLowerCase()) }
  })
}

test('cookies of a server with TLS are for this host, over TLS, and not for scripts', async () => {
  const server = await openTarget({ publicUrl: PUBLIC })
  const query = new URL(ask(PUBLIC).href).search
  const login = await send(server.url, '/auth/login', { headers: HOST })
  const asked = await send(server.url, `/oauth/authorize${query}`, { headers: HOST })
  const [visitor = ''] = [login.headers['set-cookie'] ?? []].flat().map((line) => line.split(';')[0])
  const csrf = /name="csrf" value="([^"]+)"/.exec(login.text)?.[1] ?? ''
  const signedIn = await send(server.url, '/auth/login', {
    ...{
      method: 'POST',
      body: new URLSearchParams({ csrf, name: 'ada', password: 'correct horse battery staple' }).toString(),
    },
    headers: {
      ...HOST,
      cookie: visitor,
      'content-type': 'application/x-www-form-urlencoded',
      origin: PUBLIC,
    },
  })
  expect(signedIn.status).toBe(303)
  const own = [...cookiesIn(login.headers), ...cookiesIn(signedIn.headers)]
  expect(own.map(({ name }) => name)).toEqual(['__Host-remindb_visitor', '__Host-remindb_login'])
  const all = [...own, ...cookiesIn(asked.headers)]
  expect(all.length).toBeGreaterThan(3)
  for (const { name, attributes } of all) {
    expect([name, attributes]).toEqual([name, expect.arrayContaining(['httponly', 'samesite=lax', 'secure'])])
    expect([name, attributes.some((one) => one.startsWith('domain'))]).toEqual([name, false])
  }
  for (const { attributes } of own) expect(attributes).toContain('path=/')
  // Without the prefix it could have been set by another host of the same site.
  const value = cookieValue(signedIn.headers, '__Host-remindb_login')
  const plain = await send(server.url, '/auth/clients', {
    headers: { ...HOST, cookie: `remindb_login=${value}` },
  })
  expect(plain.headers.location).toBe('/auth/login')
})

function cookieValue(
  headers: Record<string, string | string[] | undefined>,
  name: string,
): string | undefined {
  const line = [headers['set-cookie'] ?? []].flat().find((one) => one.startsWith(`${name}=`))
  return line?.slice(name.length + 1).split(';')[0]
}

test('cookies on loopback are not for scripts or other sites either', async () => {
  const server = await openTarget()
  const asked = await send(
    server.url,
    new URL(ask(server.url).href).pathname + new URL(ask(server.url).href).search,
  )
  const login = await send(server.url, '/auth/login')
  for (const { name, attributes } of [...cookiesIn(asked.headers), ...cookiesIn(login.headers)]) {
    expect([name, attributes]).toEqual([name, expect.arrayContaining(['httponly', 'samesite=lax'])])
    expect(attributes).not.toContain('secure')
  }
})

test('no page can be put into a frame, kept, or added to', async () => {
  const server = await openTarget()
  await server.accounts.setup.begin()
  const { url } = server
  const person = openPerson(url)
  const pages = [
    await person.go('/auth/login'),
    await person.go(ask(url).href),
    await person.go('/auth/consent/unknown'),
    await person.go('/oauth/authorize?client_id=x'),
    await person.go('/oauth/authorize/unknown'),
    await person.go('/auth/setup'),
    await person.signIn(await person.go(ask(url).href)),
    await person.go('/auth/clients'),
    await person.signIn(await openPerson(url).go('/auth/login'), 'nobody'),
  ]
  expect(new Set(pages.map(({ url: at }) => new URL(at).pathname.split('/')[2])).size).toBeGreaterThan(3)
  for (const { url: at, headers } of pages) {
    const policy = headers.get('content-security-policy') ?? ''
    expect([at, policy]).toEqual([at, expect.stringContaining("frame-ancestors 'none'")])
    expect([at, policy]).toEqual([at, expect.stringContaining("default-src 'none'")])
    expect([at, policy]).toEqual([at, expect.stringContaining("base-uri 'none'")])
    expect([at, policy.includes('unsafe')]).toEqual([at, false])
    expect([at, headers.get('x-frame-options')]).toEqual([at, 'DENY'])
    expect([at, headers.get('x-content-type-options')]).toEqual([at, 'nosniff'])
    expect([at, headers.get('cache-control')]).toEqual([at, expect.stringContaining('no-store')])
    expect([at, headers.get('referrer-policy')]).toEqual([at, 'same-origin'])
  }
})
