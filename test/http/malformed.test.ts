import { expect, test } from 'vitest'
import { openWire, POST, requestText, startHttp, statuses } from '../support/http.ts'

const headers = (count: number) => Array.from({ length: count }, (_, at) => `X-${at}: ${at}`)
const line = (text: string, ...more: string[]) => `${[text, ...more].join('\r\n')}\r\n\r\n`

/** What is sent, and the status of each answer to it before the connection closes or goes quiet. */
const CASES: [name: string, sent: string, expected: number[]][] = [
  ['garbage', '\x00\x01\x02 what is this\r\n\r\n', [400]],
  ['the greeting of TLS', '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03', [400]],
  ['a request of HTTP/2', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n', [400]],
  ['an unknown method', line('BREW /mcp HTTP/1.1', 'Host: localhost'), [400]],
  ['no Host', line('GET /healthz HTTP/1.1', 'Connection: close'), [400]],
  ['an empty Host', line('GET /healthz HTTP/1.1', 'Host:', 'Connection: close'), [400]],
  ['two Hosts', line('GET /healthz HTTP/1.1', 'Host: localhost', 'Host: evil', 'Connection: close'), [400]],
  ['a foreign Host', line('GET /healthz HTTP/1.1', 'Host: other.example', 'Connection: close'), [403]],
  ['a Host that is a path', line('GET / HTTP/1.1', 'Host: localhost/../evil', 'Connection: close'), [400]],
  ['HTTP/1.0 without Host', line('GET /healthz HTTP/1.0'), [400]],
  ['HTTP/1.0', line('GET /healthz HTTP/1.0', 'Host: localhost'), [200]],
  ['two Content-Lengths', requestText('POST /mcp', ['Content-Length: 3', 'Content-Length: 4'], 'abc'), [400]],
  [
    'a length and chunks at once',
    requestText('POST /mcp', ['Transfer-Encoding: chunked'], '0\r\n\r\n'),
    [400],
  ],
  ['a line that is folded', requestText('GET /healthz', ['X-A: 1', ' folded', 'Connection: close']), [400]],
  ['a header with a null', requestText('GET /healthz', ['X-A: \0', 'Connection: close']), [400]],
  ['a bare line feed', 'GET /healthz HTTP/1.1\nHost: localhost\n\n', [400]],
  ['1 MB of header', requestText('GET /healthz', [`X-Long: ${'x'.repeat(1 << 20)}`]), [431]],
  ['10,000 headers', requestText('GET /healthz', headers(10_000)), [431]],
  ['101 headers', requestText('GET /healthz', [...headers(99), 'Connection: close']), [431]],
  ['100 headers', requestText('GET /healthz', [...headers(98), 'Connection: close']), [200]],
  ['a long path', requestText(`GET /${'x'.repeat(1 << 20)}`), [431]],
  ['OPTIONS *', requestText('OPTIONS *', ['Connection: close']), [400]],
  ['a URL of our own', requestText('GET http://localhost/healthz', ['Connection: close']), [200]],
  ['a URL of others', requestText('GET http://evil.example/healthz', ['Connection: close']), [400]],
  ['a URL of no web', requestText('GET ftp://localhost/healthz', ['Connection: close']), [400]],
  ['a path without a slash', requestText('GET healthz', ['Connection: close']), [400]],
  ['a path with a backslash', requestText('GET /..\\healthz', ['Connection: close']), [400]],
  ['dots', requestText('GET /x/../healthz', ['Connection: close']), [404]],
  ['dots behind our URL', requestText('GET http://localhost/./healthz', ['Connection: close']), [404]],
  ['dots in disguise', requestText('POST /x/%2e%2e/mcp', ['Connection: close'], '{}'), [404]],
  ['a fragment', requestText('POST /mcp#x', ['Connection: close'], '{}'), [404]],
  ['a query', requestText('GET /healthz?a=/../b', ['Connection: close']), [200]],
  ['our URL without a path', requestText('GET http://localhost', ['Connection: close']), [405]],
  [
    'a URL with a password',
    requestText('GET http://evil:evil@localhost/healthz', ['Connection: close']),
    [400],
  ],
  ['dots that lead out', requestText('GET /../../etc/passwd', ['Connection: close']), [404]],
  ['two slashes', requestText('GET //mcp', ['Connection: close']), [404]],
  ['two slashes and a host', requestText('GET //evil.example/healthz', ['Connection: close']), [404]],
  ['a broken percent', requestText('GET /%zz', ['Connection: close']), [404]],
  ['CONNECT', requestText('CONNECT evil.example:443'), []],
  ['TRACE', requestText('TRACE /mcp', ['Cookie: secret', 'Connection: close']), [405]],
  [
    'an upgrade to a socket',
    requestText('GET /healthz', ['Connection: upgrade, close', 'Upgrade: websocket']),
    [200],
  ],
  [
    'an upgrade to HTTP/2',
    requestText('GET /healthz', ['Connection: upgrade, close', 'Upgrade: h2c']),
    [200],
  ],
  [
    'an expectation nobody meets',
    requestText('GET /healthz', ['Expect: coffee', 'Connection: close']),
    [417],
  ],
]

test.each(CASES)('%s is answered or refused, and nothing else happens', async (_name, sent, expected) => {
  const asked: string[] = []
  const server = await startHttp(async (request) => {
    asked.push(request.url)
    await request.text()
    return Response.json({})
  })
  const wire = openWire(server.port)
  wire.send(sent)
  const text = await wire.ended
  // Who is still sending when it is refused may find the connection reset, and the refusal lost with it.
  const isLost = sent.length > 100_000 && text === ''
  if (!isLost) expect(statuses(text)).toEqual(expected)
  expect(text).not.toMatch(/node_modules|\bat \S+:\d+|evil|secret|x-powered-by|^server:/im)
  expect(asked).toEqual([])
  expect(server.errors).toEqual([])
  expect((await fetch(`${server.url}/healthz`)).status).toBe(200)
})

test.each([
  ['bad chunks', 'zz\r\nwhat\r\n'],
  ['a chunk of a size that nobody has', 'ffffffffffffffffff\r\n'],
])('%s end the connection, and the endpoint learns that its client is gone', async (_name, sent) => {
  const failed = Promise.withResolvers<unknown>()
  const server = await startHttp(async (request) => {
    await request.text().catch(failed.resolve)
    throw new Error('unfinished')
  })
  const wire = openWire(server.port)
  wire.send(line('POST /mcp HTTP/1.1', 'Host: localhost', 'Transfer-Encoding: chunked') + sent)
  expect(statuses(await wire.ended)).toEqual([400])
  expect(await failed.promise).toBeInstanceOf(Error)
  expect(server.errors).toEqual([])
})

test('a connection that garbage follows on is closed after its answer', async () => {
  const server = await startHttp()
  const wire = openWire(server.port)
  wire.send(POST)
  await wire.until(/"result"/)
  wire.send('garbage\r\n\r\n')
  expect(statuses(await wire.ended)).toEqual([200, 400])
})

test('a body that nobody reads does not spoil the next request', async () => {
  const server = await startHttp()
  const wire = openWire(server.port)
  wire.send(requestText('POST /nothing', [], 'x'.repeat(100_000)))
  await wire.until(/HTTP\/1\.1 404/)
  wire.send(POST)
  await wire.until(/"result"/)
  expect(statuses(wire.received())).toEqual([404, 200])
})

test('Content-Length that promises more than comes is cut off with the connection', async () => {
  const gone = Promise.withResolvers<boolean>()
  const server = await startHttp(async (request) => {
    request.signal.addEventListener('abort', () => gone.resolve(true))
    await request.text()
    return Response.json({})
  })
  const wire = openWire(server.port)
  wire.send(`${line('POST /mcp HTTP/1.1', 'Host: localhost', 'Content-Length: 100')}short`)
  wire.socket.end()
  expect(await gone.promise).toBe(true)
  expect(server.errors).toEqual([])
})
