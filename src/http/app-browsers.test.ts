import { describe, expect, test } from 'vitest'
import { createApp } from './app.ts'
import { createGuard } from './guard.ts'

const BOARD = 'https://board.example'
const CONNECTION = { address: '127.0.0.1' }

const accessHeaders = (response: Response) =>
  Object.fromEntries([...response.headers].filter(([name]) => name.startsWith('access-control')))

describe('paths for pages of any origin', () => {
  const preflight = {
    'access-control-request-method': 'POST',
    'access-control-request-headers': 'authorization',
  }
  const FOREIGN = 'https://anything.example'
  const done = { POST: () => Response.json({}) }
  const app = createApp({
    guard: createGuard({ listenHost: '127.0.0.1', allowedOrigins: [BOARD] }),
    mcp: async () => new Response(null, { status: 401, headers: { 'www-authenticate': 'Bearer' } }),
    mcpCors: 'any',
    routes: [
      { path: '/s/:space/mcp', methods: done, cors: 'any' },
      { path: '/oauth/token', native: () => undefined, cors: 'any' },
      { path: '/oauth/authorize', native: () => undefined },
      { path: '/auth/login', methods: done },
    ],
  })
  const send = (method: string, path: string, headers: Record<string, string> = {}, host = 'localhost') =>
    app.request(
      `http://${host}${path}`,
      { method, headers: { host, ...headers } },
      { connection: CONNECTION },
    )

  test.each(['/mcp', '/s/red/mcp', '/oauth/token'])('%s answers the preflight of any page', async (path) => {
    for (const origin of [FOREIGN, BOARD, 'null', 'http://localhost']) {
      const response = await send('OPTIONS', path, { origin, ...preflight })
      expect(response.status).toBe(204)
      expect(accessHeaders(response)).toEqual({
        'access-control-allow-origin': '*',
        'access-control-allow-methods': expect.stringContaining('POST'),
        'access-control-allow-headers': expect.stringContaining('authorization'),
        'access-control-expose-headers': 'mcp-session-id, retry-after, www-authenticate',
        'access-control-max-age': '600',
      })
    }
  })

  test.each(['/mcp', '/s/red/mcp', '/oauth/token'])('%s lets any page read the answer', async (path) => {
    const response = await send('POST', path, { origin: FOREIGN })
    expect(accessHeaders(response)).toEqual({
      'access-control-allow-origin': '*',
      'access-control-expose-headers': 'mcp-session-id, retry-after, www-authenticate',
    })
  })

  test.each(['/oauth/authorize', '/auth/login', '/', '/mcp/', '/s/red/keys', '/nothing'])(
    '%s is only for our own pages',
    async (path) => {
      for (const method of ['POST', 'GET', 'OPTIONS']) {
        const response = await send(method, path, { origin: FOREIGN, ...preflight })
        expect(response.status).toBe(403)
        expect(accessHeaders(response)).toEqual({})
      }
    },
  )

  test('say nothing of origins to who is no page', async () => {
    expect(accessHeaders(await send('POST', '/mcp'))).toEqual({})
  })

  test('are no way around the check of the host', async () => {
    expect((await send('POST', '/mcp', { origin: FOREIGN }, 'evil.example')).status).toBe(403)
  })

  test('are only where they were asked for', async () => {
    const strict = createApp({
      guard: createGuard({ listenHost: '127.0.0.1' }),
      mcp: async () => Response.json({}),
    })
    const headers = { host: 'localhost', origin: FOREIGN }
    expect((await strict.request('http://localhost/mcp', { method: 'POST', headers })).status).toBe(403)
  })
})

describe('headers for browsers', () => {
  const html = (headers: Record<string, string> = {}) =>
    new Response('<p>', { headers: { 'content-type': 'text/html; charset=utf-8', ...headers } })
  const open = (isStrictTransport: boolean) => {
    const app = createApp({
      guard: createGuard({ listenHost: '127.0.0.1' }),
      mcp: async () => Response.json({}),
      isStrictTransport,
      routes: [
        { path: '/page', methods: { GET: () => html() } },
        {
          path: '/own',
          methods: {
            GET: () =>
              html({ 'content-security-policy': "img-src 'self'", 'referrer-policy': 'no-referrer' }),
          },
        },
        { path: '/native', native: () => undefined },
      ],
    })
    return async (path: string, headers: Record<string, string> = { host: 'localhost' }) => {
      const init = { method: path === '/mcp' ? 'POST' : 'GET', headers }
      return (await app.request(`http://localhost${path}`, init, { connection: CONNECTION })).headers
    }
  }

  test('a page cannot be framed, and says by itself what it may load', async () => {
    const get = open(false)
    for (const path of ['/page', '/native']) {
      const headers = await get(path)
      expect(headers.get('x-frame-options')).toBe('DENY')
      expect(headers.get('content-security-policy')).toBe("default-src 'none'; frame-ancestors 'none'")
      expect(headers.get('referrer-policy')).toBe('same-origin')
    }
    const own = await get('/own')
    expect(own.get('content-security-policy')).toBe("img-src 'self'")
    expect(own.get('referrer-policy')).toBe('no-referrer')
  })

  test('an answer for agents has only those that concern it', async () => {
    const headers = await open(false)('/mcp')
    expect(headers.get('referrer-policy')).toBe('same-origin')
    expect(headers.has('content-security-policy')).toBe(false)
    expect(headers.has('x-frame-options')).toBe(false)
  })

  test('with an https public URL every response sends HSTS, refusals included', async () => {
    const get = open(true)
    const refused = { host: 'evil.example' }
    for (const headers of [
      await get('/mcp'),
      await get('/page'),
      await get('/nothing'),
      await get('/mcp', refused),
    ])
      expect(headers.get('strict-transport-security')).toBe('max-age=31536000')
    expect((await open(false)('/mcp')).has('strict-transport-security')).toBe(false)
  })
})
