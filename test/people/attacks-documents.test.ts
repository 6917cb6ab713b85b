import { expect, test } from 'vitest'
import { fetchDocument } from '../../src/runtime/oauth/fetch-document.ts'
import {
  ask,
  callMcp,
  DOCUMENT,
  documentOf,
  getTokens,
  openTarget,
  refresh,
  register,
  statusOf,
} from '../support/attacker.ts'
import { openPerson, type PeopleOptions } from '../support/people.ts'

type Fetch = NonNullable<PeopleOptions['fetchDocument']>

/** A server that is sent to clients whose documents a test makes up; time goes by, so that there may be many. */
async function openDocuments(fetched: Fetch) {
  let now = Date.now()
  const server = await openTarget({ fetchDocument: fetched, now: () => (now += 1000) })
  return async (changes: Record<string, string> = {}) => {
    const { status, headers, html } = await openPerson(server.url).go(ask(server.url, changes).href)
    expect(server.records).toEqual([])
    expect(headers.get('content-security-policy')).toContain("default-src 'none'")
    return { html, isRefused: status >= 400 && status < 500 && headers.get('location') === null }
  }
}

const WRONG: [string, Record<string, unknown>][] = [
  ['the id of another client', { client_id: 'https://other.example/metadata' }],
  ['no id', { client_id: undefined }],
  ['a secret', { client_secret: 'secret' }],
  ['the end of a secret', { client_secret_expires_at: 0 }],
  ['a secret to log in with', { token_endpoint_auth_method: 'client_secret_basic' }],
  ['a key to log in with', { token_endpoint_auth_method: 'private_key_jwt', jwks_uri: 'https://a.example/' }],
  ['no redirects', { redirect_uris: undefined }],
  ['an empty list of redirects', { redirect_uris: [] }],
  ['a redirect that is no text', { redirect_uris: [1] }],
  ['a redirect to a script', { redirect_uris: ['javascript:alert(1)'] }],
  ['a redirect to data', { redirect_uris: ['data:text/html,x'] }],
  ['a redirect to a file', { redirect_uris: ['file:///etc/passwd'] }],
  ['a redirect without TLS', { redirect_uris: ['http://client.example/'] }],
  [
    'a script beside a good redirect',
    { redirect_uris: ['http://localhost/callback', 'javascript:alert(1)'] },
  ],
  ['too many redirects', { redirect_uris: Array.from({ length: 30 }, (_, at) => `http://localhost/${at}`) }],
  ['a page of its own without TLS', { client_uri: 'javascript:alert(1)' }],
  ['a name that is no text', { client_name: { toString: 'x' } }],
  ['other grants', { grant_types: ['implicit'] }],
]

test('a document is refused that does not describe a client', async () => {
  const ids = WRONG.map((_, at) => `${DOCUMENT}/${at}`)
  const open = await openDocuments(async (url) =>
    Response.json(documentOf({ client_id: url, ...WRONG[ids.indexOf(url)]?.[1] })),
  )
  for (const [at, [name]] of WRONG.entries())
    expect([name, (await open({ client_id: ids[at] ?? '' })).isRefused]).toEqual([name, true])
  expect((await open({ client_id: `${DOCUMENT}/good` })).isRefused).toBe(false)
})

const UNREADABLE: [string, () => Response][] = [
  ['a page', () => new Response('<html>', { headers: { 'content-type': 'text/html' } })],
  ['half of it', () => new Response('{"client_id":')],
  ['a list', () => Response.json([])],
  ['nothing', () => new Response('')],
  ['bytes', () => new Response(new Uint8Array([0x1f, 0x8b, 0xff, 0x00]))],
  ['too much', () => Response.json(documentOf({ client_uri: `https://a.example/${'x'.repeat(10_000)}` }))],
  [
    'much too deep',
    () => new Response(`{"client_id":"${DOCUMENT}","x":${'['.repeat(2000)}${']'.repeat(2000)}}`),
  ],
  ['a redirect', () => new Response(null, { status: 302, headers: { location: 'http://127.0.0.1/' } })],
  ['an error', () => new Response('x', { status: 500 })],
  ['partial content', () => Response.json(documentOf(), { status: 206 })],
]

test('a document is refused that cannot be read', async () => {
  let answer = (): Response => new Response()
  const open = await openDocuments(async () => answer())
  for (const [name, response] of UNREADABLE) {
    answer = response
    expect([name, (await open()).isRefused]).toEqual([name, true])
  }
})

const IDS = [
  'https://127.0.0.1/x',
  'https://[::1]/x',
  'https://169.254.169.254/latest/meta-data/',
  'https://10.1.2.3/x',
  'https://[::ffff:10.0.0.1]/x',
  'https://2130706433/x',
  'https://0x7f000001/x',
  'https://0177.0.0.1/x',
  'https://[64:ff9b::7f00:1]/x',
  'https://localhost/x',
  'http://client.example/x',
  'https://user:secret@client.example/x',
  'https://client.example:22/x',
  'https://client.example/../x',
  'https://client.example/x#y',
  'file:///etc/passwd',
  'ftp://client.example/x',
]

test('the server does not look for a client on a private network', async () => {
  const open = await openDocuments(fetchDocument)
  for (const id of IDS) {
    const { isRefused, html } = await open({ client_id: id })
    expect([id, isRefused]).toEqual([id, true])
    expect(html).not.toMatch(/ECONN|not public|timeout/i)
  }
})

test('a document names nothing else that the server asks for', async () => {
  const asked: string[] = []
  const more = {
    ...{
      sector_identifier_uri: 'https://a.example/s',
      jwks_uri: 'https://a.example/j',
      subject_type: 'public',
    },
    ...{ logo_uri: 'https://a.example/l', client_uri: 'https://a.example/c', tos_uri: 'https://a.example/t' },
  }
  const server = await openTarget({
    fetchDocument: async (url) => {
      asked.push(url)
      return Response.json(documentOf(more))
    },
  })
  await getTokens(server)
  await register(server.url, { redirect_uris: ['https://a.example/callback'], ...more })
  expect(new Set(asked)).toEqual(new Set([DOCUMENT]))
})

test('one address cannot make the server ask for many documents, and connected clients go on', async () => {
  let now = Date.now()
  const asked: string[] = []
  const server = await openTarget({
    now: () => now,
    fetchDocument: async (url) => {
      asked.push(url)
      return url === DOCUMENT ? Response.json(documentOf()) : new Response(null, { status: 404 })
    },
  })
  const tokens = await getTokens(server)
  now += 60_000
  asked.length = 0
  for (let at = 0; at < 40; at++)
    await openPerson(server.url).go(ask(server.url, { client_id: `https://client${at}.example/x` }).href)
  expect(asked.length).toBe(20)
  const page = await openPerson(server.url).go(ask(server.url, { client_id: 'https://one.example/x' }).href)
  expect([page.status, page.html.includes('try again')]).toEqual([400, true])
  const { status, body } = await refresh(server.url, tokens.refresh_token)
  expect([status, await statusOf(callMcp(server.url, body.access_token))]).toEqual([200, 200])
})

test('a document that is gone when the person agrees leads to a page, not to a failure', async () => {
  let isThere = true
  const server = await openTarget({
    fetchDocument: async () => (isThere ? Response.json(documentOf()) : new Response(null, { status: 404 })),
  })
  const person = openPerson(server.url)
  const page = await person.go(ask(server.url).href)
  isThere = false
  await server.accounts.secrets.rotate('cookies', () => 'another key')
  await expect.poll(async () => (await person.go(page.url)).html.includes('Example')).toBe(false)
  expect((await person.go(page.url)).status).toBe(200)
  expect(server.records).toEqual([])
})
