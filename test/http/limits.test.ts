import { expect, test } from 'vitest'
import { openEvents, openWire, POST, requestText, startHttp, statuses } from '../support/http.ts'
import { soon } from '../support/soon.ts'

const SHORT_MS = 200

/** Sends a byte now and then, so that the connection is never quiet, until the other side has had enough. */
function drip(wire: ReturnType<typeof openWire>, byte: string): Promise<string> {
  const timer = setInterval(() => wire.send(byte), 20)
  return wire.ended.finally(() => clearInterval(timer))
}

test('a client that drips its headers is cut off', async () => {
  const server = await startHttp(undefined, { requestTimeoutMs: SHORT_MS })
  const wire = openWire(server.port)
  wire.send('GET /mcp HTTP/1.1\r\nHost: localhost\r\nX-Slow: ')
  expect(statuses(await drip(wire, 'x'))).toEqual([408])
})

test('a client that drips its body is cut off, and the endpoint learns of it', async () => {
  const failed = Promise.withResolvers<unknown>()
  const server = await startHttp(
    async (request) => {
      await request.text().catch(failed.resolve)
      return Response.json({})
    },
    { requestTimeoutMs: SHORT_MS },
  )
  const wire = openWire(server.port)
  wire.send('POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1000000\r\n\r\n')
  expect(statuses(await drip(wire, 'x'))).toEqual([408])
  expect(await failed.promise).toBeInstanceOf(Error)
  expect(server.errors).toEqual([])
})

test('a connection that never sends anything is closed', async () => {
  const server = await startHttp(undefined, { requestTimeoutMs: SHORT_MS })
  const wire = openWire(server.port)
  expect(statuses(await wire.ended)).toEqual([408])
})

test('a connection without a further request is closed', async () => {
  const server = await startHttp(undefined, { idleTimeoutMs: SHORT_MS })
  const wire = openWire(server.port)
  wire.send(POST)
  expect(statuses(await wire.ended)).toEqual([200])
})

test('a stream stays open longer than any of the timeouts', async () => {
  const events = openEvents()
  const limits = { requestTimeoutMs: SHORT_MS, idleTimeoutMs: SHORT_MS }
  const server = await startHttp(async () => events.response, limits)
  const stream = openWire(server.port)
  stream.send(requestText('GET /mcp'))
  await stream.until(/200 OK/)
  // Others come and go by the timeouts meanwhile, each later than the stream.
  for (let round = 0; round < 5; round++) await openWire(server.port).ended
  events.say('still here')
  await stream.until(/still here/)
})

test('a client that does not read its stream is cut off', async () => {
  const piece = new Uint8Array(256 * 1024)
  const cancelled = Promise.withResolvers<void>()
  const body = new ReadableStream({
    pull: (controller) => controller.enqueue(piece),
    cancel: () => cancelled.resolve(),
  })
  const headers = { 'content-type': 'text/event-stream' }
  const server = await startHttp(async () => new Response(body, { headers }), { idleTimeoutMs: SHORT_MS })
  const wire = openWire(server.port)
  wire.socket.pause()
  wire.send(requestText('GET /mcp'))
  await cancelled.promise
  await soon(() => server.closed.length).toBe(1)
})

test('a client that does not read a large answer is cut off', async () => {
  const text = 'x'.repeat(64 * 1024 * 1024)
  const server = await startHttp(async () => new Response(text), { idleTimeoutMs: SHORT_MS })
  const wire = openWire(server.port)
  wire.socket.pause()
  wire.send(requestText('GET /mcp'))
  await soon(() => server.closed.length).toBe(1)
})

test('one connection too many is told so, and there is room again when another one ends', async () => {
  const server = await startHttp(undefined, { maxConnections: 2 })
  const [first, second] = [openWire(server.port), openWire(server.port)]
  first.send(POST)
  second.send(POST)
  await Promise.all([first.until(/200 OK/), second.until(/200 OK/)])

  const third = openWire(server.port)
  const refused = await third.ended
  expect(statuses(refused)).toEqual([503])
  expect(refused).toMatch(/retry-after: \d+\r\n/)
  expect(refused).toContain('too many connections')
  // It was never one of ours.
  expect(server.closed).toEqual([])

  first.send(POST)
  await first.until(/200 OK[\s\S]*200 OK/)
  first.socket.end()
  await soon(() => server.closed.length).toBe(1)
  const fourth = openWire(server.port)
  fourth.send(POST)
  await fourth.until(/200 OK/)
})

test('what a refused connection sends is not looked at', async () => {
  let asked = 0
  const server = await startHttp(
    async () => {
      asked += 1
      return Response.json({})
    },
    { maxConnections: 1 },
  )
  const first = openWire(server.port)
  first.send(POST)
  await first.until(/200 OK/)
  const others = Array.from({ length: 20 }, () => openWire(server.port))
  for (const wire of others) wire.send(POST)
  await Promise.all(others.map((wire) => wire.ended))
  expect(asked).toBe(1)
})

test('500 idle connections are held, and a client among them is answered', async () => {
  const server = await startHttp()
  const wires = Array.from({ length: 500 }, () => openWire(server.port))
  for (const wire of wires) wire.send(POST)
  await Promise.all(wires.map((wire) => wire.until(/"result"/)))
  expect((await fetch(`${server.url}/healthz`)).status).toBe(200)
  expect(server.closed).toEqual([])
  for (const wire of wires) wire.send(POST)
  await Promise.all(wires.map((wire) => wire.until(/"result"[\s\S]*"result"/)))
  await server.close()
  expect(server.closed.length).toBeGreaterThanOrEqual(500)
  await Promise.all(wires.map((wire) => wire.ended))
})
