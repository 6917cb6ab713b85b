import { Agent, get } from 'node:http'
import { setImmediate as nextRound } from 'node:timers/promises'
import { expect, test } from 'vitest'
import type { McpEndpoint } from '../../src/http/app.ts'
import { openEvents, openWire, POST, requestText, startHttp, statuses } from '../support/http.ts'
import { soon } from '../support/soon.ts'

const GET = requestText('GET /mcp', ['Accept: text/event-stream'])

/** Remembers over which connection each request came. */
function remembering() {
  const seen: object[] = []
  const mcp: McpEndpoint = async (request, connection) => {
    await request.text()
    seen.push(connection)
    return Response.json({})
  }
  return { seen, mcp }
}

test('a connection has one object of its own, until it is closed', async () => {
  const { seen, mcp } = remembering()
  const server = await startHttp(mcp)
  const [first, second] = [openWire(server.port), openWire(server.port)]
  first.send(POST)
  await first.until(/200 OK/)
  second.send(POST)
  await second.until(/200 OK/)
  first.send(POST)
  await soon(() => seen.length).toBe(3)
  expect(seen[2]).toBe(seen[0])
  expect(seen[1]).not.toBe(seen[0])
  expect(server.closed).toEqual([])

  first.socket.end()
  await first.ended
  await soon(() => server.closed.length).toBe(1)
  expect(server.closed[0]).toBe(seen[0])
  second.socket.resetAndDestroy()
  await soon(() => server.closed.length).toBe(2)
  expect(server.closed[1]).toBe(seen[1])
})

test('closing the server tells of every connection, also of one without a request', async () => {
  const { seen, mcp } = remembering()
  const server = await startHttp(mcp)
  const [used, silent] = [openWire(server.port), openWire(server.port)]
  used.send(POST)
  await used.until(/200 OK/)
  silent.send('GET /mcp HTTP/1.1\r\n')
  await server.close()
  expect(server.closed).toContain(seen[0])
  await Promise.all([used.ended, silent.ended])
})

test('a client that leaves aborts its request', async () => {
  const aborted = Promise.withResolvers<void>()
  const begun = Promise.withResolvers<void>()
  const server = await startHttp(async ({ signal }) => {
    signal.addEventListener('abort', () => aborted.resolve())
    begun.resolve()
    await aborted.promise
    throw new Error('aborted')
  })
  const wire = openWire(server.port)
  wire.send(POST)
  await begun.promise
  wire.socket.destroy()
  await aborted.promise
  await soon(() => server.closed.length).toBe(1)
  expect(server.errors).toEqual([])
})

test('a client that leaves cancels its stream, also one that comes too late for it', async () => {
  const early = openEvents()
  const late = openEvents()
  const begun = Promise.withResolvers<void>()
  const isGone = Promise.withResolvers<void>()
  const server = await startHttp(async (request) => {
    if (request.method === 'GET') return early.response
    begun.resolve()
    await isGone.promise
    return late.response
  })
  const streaming = openWire(server.port)
  streaming.send(GET)
  await streaming.until(/200 OK/)
  streaming.socket.destroy()
  await soon(early.isCancelled).toBe(true)

  const waiting = openWire(server.port)
  waiting.send(POST)
  await begun.promise
  waiting.socket.destroy()
  await soon(() => server.closed.length).toBe(2)
  isGone.resolve()
  await soon(late.isCancelled).toBe(true)
  expect(server.errors).toEqual([])
})

test('events arrive as they are said, after headers that arrive at once', async () => {
  const events = openEvents()
  const server = await startHttp(async () => events.response)
  const wire = openWire(server.port)
  wire.send(GET)
  expect(await wire.until(/\r\n\r\n/)).toMatch(/content-type: text\/event-stream/)
  events.say('one')
  await wire.until(/data: one/)
  events.say('two')
  await wire.until(/data: two/)
  events.end()
  await wire.until(/\r\n0\r\n\r\n$/)
  wire.send(requestText('GET /healthz'))
  await wire.until(/ok$/)
})

test('a stream that breaks is cut off, logged, and tells its client nothing', async () => {
  const events = openEvents()
  const server = await startHttp(async () => events.response)
  const wire = openWire(server.port)
  wire.send(GET)
  events.say('one')
  await wire.until(/data: one/)
  const error = new Error('a secret')
  events.break(error)
  const text = await wire.ended
  expect(text).not.toMatch(/secret|Error|\r\n0\r\n\r\n$/)
  expect(server.errors).toEqual([error])
})

test('a body that breaks before its first byte is not taken for an empty one', async () => {
  const error = new Error('a secret')
  const server = await startHttp(async () => {
    const events = openEvents()
    events.break(error)
    return new Response(events.response.body, { headers: { 'content-type': 'application/json' } })
  })
  const wire = openWire(server.port)
  wire.send(POST)
  expect(await wire.ended).toBe('')
  expect(server.errors).toEqual([error])
})

test('requests that do not wait for answers are answered in their order, one at a time', async () => {
  let active = 0
  const counts: number[] = []
  const server = await startHttp(async (request) => {
    counts.push(++active)
    const text = await request.text()
    await new Promise(setImmediate)
    active -= 1
    return Response.json({ text })
  })
  const wire = openWire(server.port)
  wire.send(['a', 'b', 'c'].map((body) => requestText('POST /mcp', [], body)).join(''))
  const text = await wire.until(/"c"/)
  expect([...text.matchAll(/"text":"(.)"/g)].map(([, body]) => body)).toEqual(['a', 'b', 'c'])
  expect(counts).toEqual([1, 1, 1])
})

test('a request behind an open stream waits, and is dropped with its connection', async () => {
  const events = openEvents()
  let asked = 0
  const server = await startHttp(async () => {
    asked += 1
    return events.response
  })
  const wire = openWire(server.port)
  wire.send(GET + GET + GET)
  await wire.until(/200 OK/)
  wire.socket.destroy()
  await soon(events.isCancelled).toBe(true)
  expect(asked).toBe(1)
})

test('a client that sends more than is read, and gets no answer in time, is cut off', async () => {
  const events = openEvents()
  const server = await startHttp(async () => events.response, { idleTimeoutMs: 200 })
  const wire = openWire(server.port)
  wire.send(GET.repeat(100))
  await wire.ended
  await soon(events.isCancelled).toBe(true)
})

test('large answers arrive whole, over one connection', async () => {
  const text = 'remember '.repeat(500_000)
  const server = await startHttp(async () => Response.json({ text }))
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  for (let round = 0; round < 3; round++) {
    const got = await new Promise<string>((resolve, reject) => {
      get(`${server.url}/mcp`, { agent }, (message) => {
        const chunks: Buffer[] = []
        message.on('data', (chunk) => chunks.push(chunk))
        message.on('end', () => resolve(Buffer.concat(chunks).toString()))
      }).on('error', reject)
    })
    expect(JSON.parse(got).text === text).toBe(true)
  }
  agent.destroy()
  await soon(() => server.closed.length).toBe(1)
})

test('a thousand requests sent without waiting are all answered, one after the other', async () => {
  let running = 0
  let most = 0
  const server = await startHttp(async (request) => {
    most = Math.max(most, ++running)
    const text = await request.text()
    await nextRound()
    running--
    return Response.json({ is: text })
  })
  const wire = openWire(server.port)
  const post = (at: number) => requestText('POST /mcp', ['Content-Type: application/json'], `"${at};"`)
  wire.send(Array.from({ length: 1000 }, (_, at) => post(at)).join(''))
  const text = await wire.until(/999;/)
  expect(statuses(text)).toEqual(Array(1000).fill(200))
  const bodies = [...text.matchAll(/(\d+);/g)].map(([, at]) => Number(at))
  expect(bodies).toEqual(Array.from({ length: 1000 }, (_, at) => at))
  expect(most).toBe(1)
})

test('requests beyond 32 are not read until one before them is answered', async () => {
  const MIB = 1024 * 1024
  const begun = Promise.withResolvers<void>()
  const goOn = Promise.withResolvers<void>()
  const server = await startHttp(async (request) => {
    const { length } = await request.text()
    begun.resolve()
    await goOn.promise
    return Response.json({ length })
  })
  const wire = openWire(server.port)
  const post = requestText('POST /mcp', ['Content-Type: application/json'], `"${'x'.repeat(MIB / 4)}"`)
  // 31 small ones, so that what is read of the large ones is the last that may wait.
  wire.send(POST.repeat(31) + post.repeat(256))
  await begun.promise
  for (let round = 0; round < 500; round++) await nextRound()
  // All but what the buffers of both sockets take.
  expect(wire.socket.writableLength).toBeGreaterThan(32 * MIB)
  goOn.resolve()
  await soon(() => statuses(wire.received()).length).toBe(31 + 256)
  expect(server.errors).toEqual([])
})
