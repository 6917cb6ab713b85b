import { IncomingMessage, ServerResponse } from 'node:http'
import { Socket } from 'node:net'
import { expect, test } from 'vitest'
import { respond } from './respond.ts'

type Piece = { chunk: Buffer | string }

/** A detached response, and what it hands to the system: one text for each time. */
function openResponse(method = 'POST') {
  const written: string[] = []
  const first = Promise.withResolvers<void>()
  const take = (pieces: Piece[], done: () => void): void => {
    written.push(pieces.map(({ chunk }) => chunk.toString()).join(''))
    first.resolve()
    done()
  }
  const socket = new Socket()
  socket._write = (chunk, _encoding, done) => take([{ chunk }], done)
  socket._writev = take
  const incoming = new IncomingMessage(socket)
  Object.assign(incoming, { method, httpVersionMajor: 1, httpVersionMinor: 1 })
  const outgoing = new ServerResponse(incoming)
  outgoing.assignSocket(socket)
  // As the server of Node does it.
  socket.on('drain', () => outgoing.emit('drain'))
  return { outgoing, written, first: first.promise }
}

function eventStream(start: (controller: ReadableStreamDefaultController<Uint8Array>) => void): Response {
  return new Response(new ReadableStream({ start }), { headers: { 'content-type': 'text/event-stream' } })
}
const event = (text: string): Uint8Array => new TextEncoder().encode(`data: ${text}\n\n`)
const OPTIONS = { stallTimeoutMs: 60_000, isLast: false }

test('an event stream that ends soon is sent in one piece', async () => {
  const { outgoing, written } = openResponse()
  const response = eventStream((controller) => {
    controller.enqueue(event('first'))
    queueMicrotask(() => {
      controller.enqueue(event('second'))
      controller.close()
    })
  })
  await respond(response, outgoing, OPTIONS)
  expect(written).toHaveLength(1)
  expect(written[0]).toMatch(/^HTTP\/1.1 200 OK\r\n.*data: first\n\n.*data: second\n\n.*0\r\n\r\n$/s)
})

test.each(['GET', 'POST'])(
  'a stream that %s opens sends its header before the first event',
  async (method) => {
    const { outgoing, written, first } = openResponse(method)
    const { promise, resolve } = Promise.withResolvers<ReadableStreamDefaultController<Uint8Array>>()
    const responding = respond(eventStream(resolve), outgoing, OPTIONS)
    await first
    expect(written).toEqual([expect.stringMatching(/^HTTP\/1.1 200 OK\r\n.*\r\n\r\n$/s)])
    const controller = await promise
    controller.enqueue(event('late'))
    controller.close()
    await responding
    expect(written.join('')).toMatch(/data: late\n\n.*0\r\n\r\n$/s)
  },
)

test('more events than a client can buffer do not wait for the end', async () => {
  const { outgoing, written, first } = openResponse()
  const { promise, resolve } = Promise.withResolvers<ReadableStreamDefaultController<Uint8Array>>()
  const responding = respond(eventStream(resolve), outgoing, OPTIONS)
  const controller = await promise
  controller.enqueue(event('x'.repeat(1_000_000)))
  await first
  expect(written[0]?.length).toBeGreaterThan(1_000_000)
  controller.close()
  await responding
})

test('a complete answer is sent in one piece', async () => {
  const { outgoing, written } = openResponse()
  await respond(Response.json({ done: true }), outgoing, OPTIONS)
  expect(written).toEqual([expect.stringMatching(/content-length: 13\r\n.*\{"done":true\}$/s)])
})

test('every cookie has a line of its own', async () => {
  const { outgoing, written } = openResponse()
  const headers = new Headers([
    ['set-cookie', 'a=1; Path=/'],
    ['set-cookie', 'b=2'],
  ])
  await respond(new Response('x', { headers }), outgoing, OPTIONS)
  expect(written.join('')).toMatch(/set-cookie: a=1; Path=\/\r\nset-cookie: b=2\r\n/)
})
