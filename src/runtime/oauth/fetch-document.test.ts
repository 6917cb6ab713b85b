import { readFileSync } from 'node:fs'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { gzipSync } from 'node:zlib'
import { expect, onTestFinished, test } from 'vitest'
import { makeCertificate } from '../../../test/support/certificates.ts'
import { temporaryFolder } from '../../../test/support/engine.ts'
import { createFetchDocument, type FetchParts, fetchDocument, isPublicAddress } from './fetch-document.ts'

const PRIVATE = [
  ...['0.0.0.0', '10.0.0.1', '100.64.0.1', '127.0.0.1', '127.255.255.254', '169.254.169.254', '172.16.0.1'],
  ...['172.31.255.255', '192.0.0.8', '192.0.2.1', '192.168.1.1', '198.18.0.1', '198.51.100.1', '203.0.113.1'],
  ...['224.0.0.1', '240.0.0.1', '255.255.255.255', '192.88.99.1'],
  ...[
    '::',
    '::1',
    '::ffff:127.0.0.1',
    '::ffff:7f00:1',
    '::ffff:a9fe:a9fe',
    '::127.0.0.1',
    'fe80::1',
    'fe80::1%lo',
  ],
  ...['fc00::1', 'fd00:ec2::254', 'ff02::1', '64:ff9b::7f00:1', '64:ff9b::169.254.169.254', '64:ff9b:1::1'],
  ...[
    '2001::1',
    '2001:db8::1',
    '2002:7f00:1::',
    '2002:a9fe:a9fe::',
    '3fff::1',
    '5f00::1',
    '100::1',
    'fec0::1',
  ],
  ...['', 'localhost', '127.1', '0x7f.1', '2130706433', '127.0.0.1.', '[::1]'],
]

test.each(PRIVATE)('%s is not a public address', (address) => {
  expect(isPublicAddress(address)).toBe(false)
})

test.each(['1.1.1.1', '8.8.8.8', '172.32.0.1', '100.128.0.1', '2606:4700::1111', '2a00:1450:4001::200e'])(
  '%s is a public address',
  (address) => {
    expect(isPublicAddress(address)).toBe(true)
  },
)

const REFUSED = [
  'https://127.0.0.1/x',
  'https://127.1/x',
  'https://2130706433/x',
  'https://0x7f000001/x',
  'https://0x7f.0.0.1/x',
  'https://0177.0.0.1/x',
  'https://017700000001/x',
  'https://127.0.0.1./x',
  'https://①②⑦.0.0.1/x',
  'https://localhost/x',
  'https://[::1]/x',
  'https://[::ffff:127.0.0.1]/x',
  'https://[::ffff:7f00:1]/x',
  'https://[64:ff9b::7f00:1]/x',
  'https://[fd00:ec2::254]/latest/meta-data/',
  'https://169.254.169.254/latest/meta-data/',
  'https://10.0.0.1/x',
  'https://0.0.0.0/x',
  'https://0/x',
  'http://1.1.1.1/x',
  'ftp://1.1.1.1/x',
  'file:///etc/passwd',
  'https://1.1.1.1:22/x',
  'https://user:secret@1.1.1.1/x',
]

test.each(REFUSED)('%s is never asked for', async (url) => {
  await expect(fetchDocument(url)).rejects.toThrow(/not public|not one of a public document/)
})

/** A web server that counts who connects, and one way to ask it. */
async function openWeb(
  handle: (request: IncomingMessage, response: ServerResponse) => void,
  parts: FetchParts = {},
) {
  const { cert, key } = makeCertificate(temporaryFolder())
  const ca = readFileSync(cert, 'utf8')
  const server = createServer({ cert: ca, key: readFileSync(key) }, handle)
  const seen = { connections: 0 }
  server.on('connection', () => seen.connections++)
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  const { port } = server.address() as AddressInfo
  const get = createFetchDocument({ ca, isAllowed: () => true, ...parts })
  return { get, seen, url: (host = 'localhost', path = '/x') => `https://${host}:${port}${path}` }
}

type Resolve = NonNullable<FetchParts['resolve']>

/** A resolver that gives the next of these answers each time. */
function resolver(...answers: string[][]) {
  const asked: string[] = []
  const resolve = ((name: string, _options: object, done: (error: null, found: object[]) => void) => {
    asked.push(name)
    const found = answers[Math.min(asked.length, answers.length) - 1] ?? []
    done(
      null,
      found.map((address) => ({ address, family: address.includes(':') ? 6 : 4 })),
    )
  }) as unknown as Resolve
  return { resolve, asked }
}

test('a document is read', async () => {
  const { get, url } = await openWeb((_, response) =>
    response.setHeader('content-type', 'application/json').end('{"a":1}'),
  )
  const response = await get(url())
  expect([response.status, await response.json()]).toEqual([200, { a: 1 }])
})

test('a name with a private address is not connected to, also beside public ones', async () => {
  for (const answer of [['127.0.0.1'], ['1.1.1.1', '127.0.0.1'], ['::1'], ['::ffff:127.0.0.1'], []]) {
    const { resolve } = resolver(answer)
    const { get, url, seen } = await openWeb((_, response) => response.end('secret'), {
      resolve,
      isAllowed: isPublicAddress,
    })
    await expect(get(url('internal.example'))).rejects.toThrow('not public')
    expect(seen.connections).toBe(0)
  }
})

test('a name that changes its address after it was checked does not matter: it is asked for once', async () => {
  const { resolve, asked } = resolver(['127.0.0.2'], ['127.0.0.1'])
  const { get, url, seen } = await openWeb((_, response) => response.end('secret'), {
    resolve,
    isAllowed: (address) => address === '127.0.0.2',
  })
  await expect(get(url('rebinding.example'))).rejects.toThrow()
  expect(asked).toEqual(['rebinding.example'])
  expect(seen.connections).toBe(0)
})

test('a certificate of somebody else is refused', async () => {
  const { resolve } = resolver(['127.0.0.1'])
  const { get, url } = await openWeb((_, response) => response.end('{}'), { resolve })
  await expect(get(url('client.example'))).rejects.toThrow(/altnames/)
})

test('redirects are not followed', async () => {
  const { get, url, seen } = await openWeb((_, response) =>
    response.writeHead(302, { location: 'https://localhost/x' }).end('moved'),
  )
  const response = await get(url())
  expect([response.status, await response.text(), response.headers.get('location')]).toEqual([302, '', null])
  expect(seen.connections).toBe(1)
})

test('a document that is huge, or does not end, is given up', async () => {
  const { get, url } = await openWeb((_, response) => {
    const piece = Buffer.alloc(16 * 1024, 'x')
    const more = (): void => {
      while (!response.destroyed && response.write(piece)) {}
    }
    response.on('drain', more)
    more()
  })
  await expect(get(url())).rejects.toThrow('more than 65536 bytes')
})

test('a server that does not answer, or not to the end, is given up', async () => {
  const { get, url } = await openWeb((request, response) => {
    if (request.url === '/slow') response.write('{')
  })
  for (const path of ['/silent', '/slow']) {
    const gaveUp = new AbortController()
    const asked = get(url('localhost', path), gaveUp.signal)
    gaveUp.abort()
    await expect(asked).rejects.toThrow()
  }
  await expect(get(url('localhost', '/slow'))).rejects.toThrow()
})

test('what is compressed is not unpacked', async () => {
  const bomb = gzipSync(Buffer.alloc(50 * 1024 * 1024))
  expect(bomb.length).toBeLessThan(64 * 1024)
  const { get, url } = await openWeb((request, response) => {
    expect(request.headers['accept-encoding']).toBeUndefined()
    response.writeHead(200, { 'content-encoding': 'gzip', 'content-type': 'application/json' }).end(bomb)
  })
  const response = await get(url())
  expect((await response.arrayBuffer()).byteLength).toBe(bomb.length)
})

test('only headers that say how long a document may be kept are passed on', async () => {
  const { get, url } = await openWeb((_, response) =>
    response
      .writeHead(200, { 'set-cookie': 'a=b', 'cache-control': 'max-age=60', 'x-other': 'x', server: 'x' })
      .end('{}'),
  )
  expect([...(await get(url())).headers.keys()]).toEqual(['cache-control'])
})
