import { once } from 'node:events'
import { PassThrough, type Readable } from 'node:stream'
import { setImmediate as turn } from 'node:timers/promises'
import type { JSONRPCMessage } from '@modelcontextprotocol/server'
import { describe, expect, test } from 'vitest'
import { createStdioTransport, type StdioOptions } from './transport.ts'

const ping = (id: unknown, more: object = {}) => ({ jsonrpc: '2.0', id, method: 'ping', ...more })
const line = (value: unknown): string => `${JSON.stringify(value)}\n`

async function start(options: Partial<StdioOptions> = {}) {
  const input = new PassThrough()
  const output = new PassThrough()
  const received: JSONRPCMessage[] = []
  const errors: Error[] = []
  const transport = createStdioTransport({ input, output, ...options })
  const closed = new Promise<void>((resolve) => {
    transport.onclose = resolve
  })
  transport.onmessage = (message) => void received.push(message)
  transport.onerror = (error) => void errors.push(error)
  await transport.start()
  const answer = (id: string | number) => transport.send({ jsonrpc: '2.0', id, result: {} })
  return { input, output, received, errors, transport, closed, answer }
}

function written(output: Readable): unknown[] {
  const text = String(output.read() ?? '')
  return text
    .split('\n')
    .filter(Boolean)
    .map((one) => JSON.parse(one))
}

describe('an invalid message', () => {
  test.each([
    ['an id that is not an integer', ping(1.5), [1.5]],
    ['parameters that are a list', ping(7, { params: [1] }), [7]],
    ['parameters that are null', ping('seven', { params: null }), ['seven']],
    ['another version', { ...ping(8), jsonrpc: '1.0' }, [8]],
    ['no method', { jsonrpc: '2.0', id: 9 }, [9]],
    ['a batch', [ping(1), { jsonrpc: '2.0', method: 'x' }, ping('b')], [1, 'b']],
  ])('%s is refused, so that no client waits for an answer', async (_name, message, ids) => {
    const { input, output, received, errors } = await start()
    input.write(line(message))
    await turn()
    const refusals = written(output) as { id: unknown; error: { code: number } }[]
    expect(refusals.map(({ id, error }) => [id, error.code])).toEqual(ids.map((id) => [id, -32600]))
    expect([received.length, errors.length]).toEqual([0, 1])
  })

  test.each([
    ['no JSON', 'nonsense\n'],
    ['no object', '7\n'],
    ['null', 'null\n'],
    ['an answer of no shape', line({ id: 4, error: 'x' })],
    ['an id of no kind', line(ping({ a: 1 }))],
  ])('%s is a problem, and not answered', async (_name, text) => {
    const { input, output, received, errors } = await start()
    input.write(text)
    input.write(`\n  \r\n${line(ping(1))}`)
    await turn()
    expect([written(output), errors.length, received.length]).toEqual([[], 1, 1])
  })
})

describe('many requests', () => {
  test('wait in the stream until others are answered, in their order', async () => {
    const { input, output, received, answer, closed } = await start()
    output.resume()
    input.end(Array.from({ length: 500 }, (_, id) => line(ping(id))).join(''))
    await turn()
    expect(received.length).toBe(32)
    const ids: unknown[] = []
    for (let next = received.shift(); next; next = received.shift()) {
      const { id } = next as { id: number }
      ids.push(id)
      await answer(id)
      await turn()
    }
    expect(ids).toEqual(Array.from({ length: 500 }, (_, id) => id))
    await closed
  })

  test('are not read while their answers are not', async () => {
    const { input, output, received, transport } = await start()
    transport.onmessage = (message) => {
      received.push(message)
      const { id } = message as { id: number }
      void transport.send({ jsonrpc: '2.0', id, result: { text: 'x'.repeat(1000) } })
    }
    const requests = Array.from({ length: 2000 }, () => line(ping('same'))).join('')
    input.write(requests)
    await turn()
    const before = received.length
    expect(before).toBeLessThan(200)
    output.resume()
    input.end()
    await once(input, 'close')
    await transport.drain()
    expect(received.length).toBe(2000)
  })

  test('that have the same id count each', async () => {
    const { input, received, answer } = await start()
    for (let count = 0; count < 40; count++) input.write(line(ping('same')))
    await turn()
    expect(received).toHaveLength(32)
    await answer('same')
    await turn()
    expect(received).toHaveLength(33)
  })

  test('are not read without end while others run', async () => {
    const { input, received } = await start()
    const waiting = Array.from({ length: 1000 }, (_, id) =>
      line(ping(id, { params: { text: 'x'.repeat(1000) } })),
    )
    input.write(waiting.join(''))
    await turn()
    expect([received.length, input.isPaused()]).toEqual([32, true])
  })

  test('that are cancelled make room, also when others wait before the cancellation', async () => {
    const { input, received } = await start()
    const cancel = (requestId: number) => ({
      jsonrpc: '2.0',
      method: 'notifications/cancelled',
      params: { requestId },
    })
    for (let id = 0; id < 60; id++) input.write(line(ping(id)))
    await turn()
    expect(received).toHaveLength(32)
    input.write(line(cancel(0)))
    // It waits, and never begins.
    input.write(line(cancel(59)))
    await turn()
    expect(received.slice(32)).toEqual([cancel(0), ping(32)])
    for (let id = 1; id < 60; id++) input.write(line(cancel(id)))
    for (let id = 60; id < 80; id++) input.write(line(ping(id)))
    await turn()
    expect(received.slice(-20)).toEqual(Array.from({ length: 20 }, (_, at) => ping(60 + at)))
    expect(received).not.toContainEqual(ping(59))
  })

  test('to listen do not count, and are read while others run', async () => {
    const { input, received } = await start()
    const listen = (id: string) => ({ jsonrpc: '2.0', id, method: 'subscriptions/listen', params: {} })
    for (let id = 0; id < 40; id++) input.write(line(listen(`listen ${id}`)))
    for (let id = 0; id < 40; id++) input.write(line(ping(id)))
    input.write(line(listen('last')))
    await turn()
    expect(received).toHaveLength(40 + 32 + 1)
    expect(received.at(-1)).toEqual(listen('last'))
  })
})

describe('a message that is too long', () => {
  const text = 'x'.repeat(5000)
  const refusal = (id: string | number) => ({
    id,
    error: {
      code: -32600,
      message: expect.stringMatching(/^the message has 5\d{3} bytes, and it may have 1000;/),
    },
  })

  test.each([
    ['first', 7, { jsonrpc: '2.0', id: 7, method: 'x', params: { id: 1, text } }],
    ['after its method', 'a"b', { method: 'x', jsonrpc: '2.0', id: 'a"b', params: { text, id: 1 } }],
    ['last', 8, { method: 'x', params: { id: 1, text }, jsonrpc: '2.0', id: 8 }],
    ['before its version', 9, { method: 'x', params: { text, id: 1 }, id: 9, jsonrpc: '2.0' }],
  ])('is refused when its id comes %s, and the next one is answered', async (_name, id, message) => {
    const { input, output, received, errors } = await start({ maxMessageBytes: 1000 })
    input.write(line(message))
    input.write(line(ping(2)))
    await turn()
    expect([received, errors.length]).toMatchObject([[{ id: 2 }], 1])
    expect(written(output)).toMatchObject([refusal(id)])
  })

  test.each([
    ['an answer', { jsonrpc: '2.0', id: 7, result: { text } }],
    ['a notification', { jsonrpc: '2.0', method: 'x', params: { text, id: 1 } }],
    ['no message', text],
  ])('is passed over when it is %s', async (_name, message) => {
    const { input, output, received, errors } = await start({ maxMessageBytes: 1000 })
    input.write(line(message))
    input.write(line(ping(2)))
    await turn()
    expect([received.length, errors.length, written(output)]).toEqual([1, 1, []])
  })
})

test('a cancellation of nothing in particular changes nothing', async () => {
  const { input, received, errors } = await start()
  input.write(line({ jsonrpc: '2.0', method: 'notifications/cancelled' }))
  input.write(line({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 77 } }))
  await turn()
  expect([received.length, errors.length]).toEqual([2, 0])
})
