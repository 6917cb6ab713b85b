import { describe, expect, test } from 'vitest'
import { createApp, type McpEndpoint } from './app.ts'
import { createGuard } from './guard.ts'

const BOARD = 'https://board.example'
const CONNECTION = { name: 'the connection' }

function start(mcp: McpEndpoint = async () => Response.json({ jsonrpc: '2.0', id: 1, result: {} })) {
  const errors: unknown[] = []
  const calls: [Request, object][] = []
  const app = createApp({
    guard: createGuard({ listenHost: '127.0.0.1', allowedOrigins: [BOARD] }),
    mcp: (request, connection) => {
      calls.push([request, connection])
      return mcp(request, connection)
    },
    onError: (error) => errors.push(error),
  })
  const send = (method: string, path: string, headers: Record<string, string> = {}) =>
    app.request(
      `http://localhost:7474${path}`,
      { method, headers: { host: 'localhost:7474', ...headers } },
      { connection: CONNECTION },
    )
  return { app, send, calls, errors }
}

const accessHeaders = (response: Response) =>
  Object.fromEntries([...response.headers].filter(([name]) => name.startsWith('access-control')))

describe('the MCP endpoint', () => {
  test.each([
    ['POST', '/mcp'],
    ['GET', '/mcp'],
    ['DELETE', '/mcp'],
    ['POST', '/'],
    ['POST', '/mcp?session=1'],
  ])('is asked for %s %s, with the connection', async (method, path) => {
    const { send, calls } = start()
    const response = await send(method, path)
    expect(response.status).toBe(200)
    expect(await response.json()).toMatchObject({ result: {} })
    expect(calls.map(([request, connection]) => [request.method, connection])).toEqual([[method, CONNECTION]])
  })

  test.each([
    ['HEAD', '/mcp', 'POST, GET, DELETE, OPTIONS'],
    ['PUT', '/mcp', 'POST, GET, DELETE, OPTIONS'],
    ['PATCH', '/mcp', 'POST, GET, DELETE, OPTIONS'],
    ['constructor', '/mcp', 'POST, GET, DELETE, OPTIONS'],
    ['GET', '/', 'POST, OPTIONS'],
    ['DELETE', '/', 'POST, OPTIONS'],
    ['POST', '/healthz', 'GET, HEAD, OPTIONS'],
  ])('is not asked for %s %s', async (method, path, allow) => {
    const { send, calls } = start()
    const response = await send(method, path)
    expect(response.status).toBe(405)
    expect(response.headers.get('allow')).toBe(allow)
    expect(calls).toEqual([])
  })

  test.each([
    '//mcp',
    '/mcp/',
    '/MCP',
    '/%6dcp',
    '/mcp%2f',
    '/mcp/x',
    '/mcp;x',
    '/x/mcp',
    '/healthz/',
    '/.env',
  ])('is not at %s, and the answer names the right path', async (path) => {
    const { send, calls } = start()
    for (const method of ['GET', 'POST', 'OPTIONS']) {
      const response = await send(method, path)
      expect(response.status).toBe(404)
      expect(JSON.stringify(await response.json())).toContain('the MCP endpoint is /mcp')
    }
    expect(calls).toEqual([])
  })

  test.each([new Error('a secret'), 'a secret', undefined])(
    'may throw %s without disclosing it',
    async (thrown) => {
      const { send, errors } = start(() => Promise.reject(thrown))
      const response = await send('POST', '/mcp')
      const text = await response.text()
      expect(response.status).toBe(500)
      expect(JSON.parse(text)).toMatchObject({ jsonrpc: '2.0', error: { code: -32603 }, id: null })
      expect(text).not.toContain('secret')
      expect(errors).toEqual([thrown])
    },
  )

  test('tells a browser on a page that a request failed, without the reason', async () => {
    const { send, errors } = start(() => Promise.reject(new Error('secret reason')))
    for (const method of ['GET', 'POST']) {
      const response = await send(method, '/mcp', { accept: 'text/html,application/xhtml+xml' })
      expect([response.status, response.headers.get('content-type')]).toEqual([
        500,
        'text/html; charset=utf-8',
      ])
      const text = await response.text()
      expect([text.includes('Something went wrong'), text.includes('secret')]).toEqual([true, false])
    }
    expect(errors).toHaveLength(2)
  })

  test('may throw before it returns a promise', async () => {
    const { send, errors } = start(() => {
      throw new RangeError('at once')
    })
    expect((await send('GET', '/mcp')).status).toBe(500)
    expect(errors).toHaveLength(1)
  })
})

describe('/healthz', () => {
  test('says only ok', async () => {
    const response = await start().send('GET', '/healthz')
    expect(response.status).toBe(200)
    expect(response.headers.get('content-type')).toMatch(/^text\/plain/)
    expect(await response.text()).toBe('ok')
  })

  test('says nothing to HEAD', async () => {
    const response = await start().send('HEAD', '/healthz')
    expect(response.status).toBe(200)
    expect(await response.text()).toBe('')
  })
})

describe('every route', () => {
  const { app, send, calls } = start()
  const paths = [...new Set(app.routes.map(({ path }) => path))]
  const methods = ['GET', 'HEAD', 'POST', 'PUT', 'DELETE', 'OPTIONS', 'PATCH']
  const asked = paths.flatMap((path) => methods.map((method) => [method, path.replace('*', 'x')] as const))

  test('is known to this test', () => {
    expect(paths.toSorted()).toEqual(['/', '/*', '/healthz', '/mcp'])
  })

  test('comes after the guard', () => {
    expect(app.routes[0]).toMatchObject({ path: '/*', method: 'ALL' })
  })

  test.each(asked)('%s %s is behind the guard', async (method, path) => {
    const foreignHost = await app.request(`http://evil.example${path}`, {
      method,
      headers: { host: 'evil.example' },
    })
    expect(foreignHost.status).toBe(403)
    const foreignOrigin = await send(method, path, { origin: 'https://evil.example' })
    expect(foreignOrigin.status).toBe(403)
    expect(accessHeaders(foreignOrigin)).toEqual({})
    expect(calls).toEqual([])
  })

  test.each(asked)('%s %s has no headers that disclose or permit too much', async (method, path) => {
    const { headers } = await send(method, path)
    expect(headers.get('x-content-type-options')).toBe('nosniff')
    expect(headers.get('cache-control')).toBe('no-store')
    expect(
      [...headers.keys()].filter((name) => /^(server|x-powered-by|access-control-.*)$/.test(name)),
    ).toEqual([])
    calls.length = 0
  })
})

describe('CORS', () => {
  const preflight = { 'access-control-request-method': 'POST', 'access-control-request-headers': 'x-any' }

  test('has no CORS headers for same-origin pages, which need none', async () => {
    const response = await start().send('OPTIONS', '/mcp', { origin: 'http://localhost:7474', ...preflight })
    expect(response.status).toBe(204)
    expect(accessHeaders(response)).toEqual({})
  })

  test('sends a configured origin the permitted methods and headers', async () => {
    const { send, calls } = start()
    const response = await send('OPTIONS', '/mcp', { origin: BOARD, ...preflight })
    expect(response.status).toBe(204)
    expect(accessHeaders(response)).toEqual({
      'access-control-allow-origin': BOARD,
      'access-control-allow-methods': 'POST, GET, DELETE, OPTIONS',
      'access-control-allow-headers':
        'authorization, content-type, last-event-id, mcp-method, mcp-name, mcp-protocol-version, mcp-session-id',
      'access-control-expose-headers': 'mcp-session-id, retry-after, www-authenticate',
      'access-control-max-age': '600',
    })
    expect(calls).toEqual([])
  })

  test.each([
    ['POST', '/mcp', 200],
    ['GET', '/nothing', 404],
    ['PUT', '/mcp', 405],
  ])('lets a configured origin read the answer to %s %s', async (method, path, status) => {
    const response = await start().send(method, path, { origin: BOARD })
    expect(response.status).toBe(status)
    expect(accessHeaders(response)).toEqual({
      'access-control-allow-origin': BOARD,
      'access-control-expose-headers': 'mcp-session-id, retry-after, www-authenticate',
    })
    expect(response.headers.get('vary')).toBe('origin')
  })

  test('lets it read failures too', async () => {
    const { send } = start(() => Promise.reject(new Error('no')))
    const response = await send('POST', '/mcp', { origin: BOARD })
    expect(response.status).toBe(500)
    expect(response.headers.get('access-control-allow-origin')).toBe(BOARD)
  })
})

test('a stream keeps the word on caching that it came with', async () => {
  const headers = { 'content-type': 'text/event-stream', 'cache-control': 'no-cache, no-transform' }
  const response = await start(async () => new Response('data: 1\n\n', { headers })).send('GET', '/mcp')
  expect(response.headers.get('cache-control')).toBe('no-cache, no-transform')
  expect(response.headers.get('x-content-type-options')).toBe('nosniff')
})

describe('a browser', () => {
  const HTML = 'text/html,application/xhtml+xml,*/*;q=0.8'
  const startWithPage = () => {
    const app = createApp({
      guard: createGuard({ listenHost: '127.0.0.1', allowedOrigins: [] }),
      mcp: async () => Response.json({ result: {} }),
      page: async () => ({ html: '<!doctype html><title>x</title>', style: 'p { margin: 0 }' }),
    })
    return (path: string, headers: Record<string, string>) =>
      app.request(
        `http://localhost:7474${path}`,
        { headers: { host: 'localhost:7474', ...headers } },
        { connection: CONNECTION },
      )
  }

  test('gets a page at the top that can load and run nothing', async () => {
    const response = await startWithPage()('/', { accept: HTML })
    expect(response.status).toBe(200)
    expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8')
    expect(response.headers.get('content-security-policy')).toMatch(
      /^default-src 'none'; style-src 'sha256-[\w+/]{43}='; img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'$/,
    )
    expect(response.headers.get('x-content-type-options')).toBe('nosniff')
    expect(await response.text()).toMatch(/^<!doctype html>/)
  })

  test('is sent from the MCP address to the page', async () => {
    const response = await startWithPage()('/mcp', { accept: HTML })
    expect([response.status, response.headers.get('location')]).toEqual([303, '/'])
  })

  test.each(['application/json', 'text/event-stream', 'text/event-stream, text/html', ''])(
    'is not taken for a client that accepts %j',
    async (accept) => {
      const send = startWithPage()
      expect((await send('/', { accept })).status).toBe(405)
      expect(await (await send('/mcp', { accept })).json()).toEqual({ result: {} })
    },
  )

  test('with a name of another host gets no page', async () => {
    const response = await startWithPage()('/', { accept: HTML, host: 'evil.example' })
    expect(response.status).toBe(403)
  })
})
