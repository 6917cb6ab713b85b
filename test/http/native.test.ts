import { Agent, type IncomingMessage, request, type ServerResponse } from 'node:http'
import { expect, test } from 'vitest'
import type { NativeHandler } from '../../src/http/native.ts'
import { answerWhole, openWire, POST, requestText, startHttp, statuses } from '../support/http.ts'
import { soon } from '../support/soon.ts'

const LONG_MS = 600_000

async function startNative(
  native: NativeHandler,
  limits: { drainTimeoutMs?: number; idleTimeoutMs?: number } = {},
) {
  const routes = [
    { path: '/native', native },
    { path: '/native/:uid', native },
  ]
  return startHttp(answerWhole, limits, { routes })
}

async function textOf(incoming: IncomingMessage): Promise<string> {
  let text = ''
  for await (const chunk of incoming) text += chunk
  return text
}

/** Says what it was sent. */
const echo: NativeHandler = async (incoming, outgoing) => {
  const body = await textOf(incoming)
  outgoing.setHeader('content-type', 'application/json')
  outgoing.end(JSON.stringify({ method: incoming.method, url: incoming.url, body }))
}

test.each([
  ['GET', '/native', undefined],
  ['POST', '/native', 'a=1&b=2'],
  ['PUT', '/native/abc?x=1', 'text'],
  ['DELETE', '/native/abc', undefined],
  ['OPTIONS', '/native', undefined],
])('a native route answers %s %s with the body still unread', async (method, path, body) => {
  const { url, errors } = await startNative(echo)
  const response = await fetch(`${url}${path}`, { method, ...(body && { body }) })
  expect(response.status).toBe(200)
  expect(await response.json()).toEqual({ method, url: path, body: body ?? '' })
  expect(errors).toEqual([])
})

test('HEAD has headers and no body', async () => {
  const { url } = await startNative(echo)
  const response = await fetch(`${url}/native`, { method: 'HEAD' })
  expect([response.status, response.headers.get('content-type')]).toEqual([200, 'application/json'])
})

test.each(['/native/', '/native/a/b', '/NATIVE', '/nativ'])('there is nothing native at %s', async (path) => {
  const { url } = await startNative(echo)
  expect((await fetch(`${url}${path}`)).status).toBe(404)
})

test('the handler gets the connection, and its answer has the headers of every response', async () => {
  const { url } = await startNative((_incoming, outgoing, { address }) => {
    outgoing.setHeader('set-cookie', ['a=1', 'b=2'])
    outgoing.setHeader('cache-control', 'no-cache')
    outgoing.end(address)
  })
  const response = await fetch(`${url}/native`)
  expect(await response.text()).toBe('127.0.0.1')
  expect(response.headers.getSetCookie()).toEqual(['a=1', 'b=2'])
  expect(response.headers.get('x-content-type-options')).toBe('nosniff')
  expect(response.headers.get('cache-control')).toBe('no-cache')
})

/** What a framework could take for the name of the server or of the client. */
const naming: NativeHandler = ({ headers }, outgoing) => {
  const found = Object.entries(headers).filter(([name]) => /^host$|forwarded|real/.test(name))
  outgoing.end(JSON.stringify(Object.fromEntries(found)))
}

const FORGED = {
  forwarded: 'host=evil.example',
  'x-forwarded-host': 'evil.example',
  'x-forwarded-for': '203.0.113.1',
  'x-forwarded-port': '1',
  'x-real-ip': '203.0.113.1',
}

test('no handler sees headers by which a client could rename the server or itself', async () => {
  const { url, port } = await startNative(naming)
  const response = await fetch(`${url}/native`, { headers: FORGED })
  expect(await response.json()).toEqual({ host: `127.0.0.1:${port}` })
})

test('the guard comes first', async () => {
  const { port } = await startNative(echo)
  const wire = openWire(port)
  wire.send('GET /native HTTP/1.1\r\nHost: evil.example\r\n\r\n')
  await wire.until(/403 Forbidden/)
  wire.send(requestText('GET /native', ['Origin: https://evil.example']))
  expect(statuses(await wire.until(/403 Forbidden[\s\S]*403 Forbidden/))).toEqual([403, 403])
})

test('one connection serves native and other requests in turn', async () => {
  const { port, closed } = await startNative(echo)
  const wire = openWire(port)
  wire.send(requestText('POST /native', [], 'one') + POST + requestText('POST /native', [], 'two'))
  const text = await wire.until(/"body":"two"/)
  expect(statuses(text)).toEqual([200, 200, 200])
  expect(text).toContain('"body":"one"')
  expect(closed).toEqual([])
})

test('a body that the handler leaves unread does not disturb the next request', async () => {
  const { url, errors } = await startNative((_incoming, outgoing) => void outgoing.end('no'))
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  for (let round = 0; round < 3; round++)
    expect(await send(agent, `${url}/native`, 'x'.repeat(200_000))).toBe('no')
  agent.destroy()
  expect(errors).toEqual([])
})

test.each([new Error('a secret'), 'a secret'])(
  'a handler may throw %s without disclosing it',
  async (thrown) => {
    const { url, errors } = await startNative((_incoming, outgoing) => {
      outgoing.setHeader('set-cookie', 'half=done')
      outgoing.setHeader('content-length', '3')
      throw thrown
    })
    const response = await fetch(`${url}/native`, { method: 'POST', body: 'x' })
    const text = await response.text()
    expect(response.status).toBe(500)
    expect(JSON.parse(text)).toMatchObject({ jsonrpc: '2.0', error: { code: -32603 } })
    expect(text).not.toContain('secret')
    expect(response.headers.getSetCookie()).toEqual([])
    expect(response.headers.get('x-content-type-options')).toBe('nosniff')
    expect(errors).toEqual([thrown])
  },
)

test('an answer that breaks off is cut, so that nobody takes it for whole', async () => {
  const failure = new Error('broken')
  const { port, errors } = await startNative(async (_incoming, outgoing) => {
    outgoing.write('half')
    throw failure
  })
  const wire = openWire(port)
  wire.send(requestText('GET /native'))
  expect(await wire.ended).not.toMatch(/\r\n0\r\n\r\n$/)
  expect(errors).toEqual([failure])
})

test('a client that leaves in the middle of its body is no failure', async () => {
  const ended = Promise.withResolvers<unknown>()
  const begun = Promise.withResolvers<void>()
  const { port, errors, closed } = await startNative(async (incoming) => {
    begun.resolve()
    await textOf(incoming).catch((error) => {
      ended.resolve(error)
      throw error
    })
  })
  const wire = openWire(port)
  wire.send(`${requestText('POST /native', ['Content-Length: 100'])}half`)
  await begun.promise
  wire.socket.resetAndDestroy()
  expect(await ended.promise).toMatchObject({ code: 'ECONNRESET' })
  await soon(() => closed.length).toBe(1)
  expect(errors).toEqual([])
})

test('a client that leaves before the answer does not hold up closing', async () => {
  const left = Promise.withResolvers<void>()
  const begun = Promise.withResolvers<void>()
  const server = await startNative(
    (_incoming, outgoing) => {
      begun.resolve()
      return new Promise((resolve) =>
        outgoing.once('close', () => {
          left.resolve()
          resolve()
        }),
      )
    },
    { drainTimeoutMs: LONG_MS },
  )
  const wire = openWire(server.port)
  wire.send(requestText('GET /native'))
  await begun.promise
  wire.socket.resetAndDestroy()
  await left.promise
  await server.close()
  expect(server.errors).toEqual([])
})

test('closing lets a native answer end that was begun, and then the connection', async () => {
  const begun = Promise.withResolvers<ServerResponse>()
  const server = await startNative((_incoming, outgoing) => begun.resolve(outgoing), {
    drainTimeoutMs: LONG_MS,
  })
  const wire = openWire(server.port)
  wire.send(requestText('GET /native'))
  const outgoing = await begun.promise
  const closing = server.close()
  outgoing.end('late')
  expect(await wire.ended).toContain('late')
  await closing
})

test('a handler that never answers is cut off', async () => {
  const { port } = await startNative(() => undefined, { idleTimeoutMs: 20 })
  const wire = openWire(port)
  wire.send(requestText('GET /native'))
  expect(await wire.ended).toBe('')
})

function send(agent: Agent, url: string, body: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const sent = request(url, { agent, method: 'POST' }, (response) => textOf(response).then(resolve, reject))
    sent.on('error', reject)
    sent.end(body)
  })
}
