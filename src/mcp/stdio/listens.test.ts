import type { JSONRPCMessage } from '@modelcontextprotocol/server'
import { expect, test } from 'vitest'
import { createAudience } from '../subscriptions/audience.ts'
import { createListens } from './listens.ts'

const listen = (id: number, ...resourceSubscriptions: string[]): JSONRPCMessage => ({
  jsonrpc: '2.0',
  id,
  method: 'subscriptions/listen',
  params: { notifications: { resourceSubscriptions } },
})
const cancel = (requestId: number): JSONRPCMessage => ({
  jsonrpc: '2.0',
  method: 'notifications/cancelled',
  params: { requestId },
})

function listening(stampOf: () => Promise<string> = async () => '1') {
  const delivered: JSONRPCMessage[] = []
  const audience = createAudience({ stampOf })
  const listens = createListens({
    watches: audience.watches,
    canSubscribe: audience.canSubscribe,
    deliver: (message) => delivered.push(message),
  })
  return { delivered, listens, size: audience.watches.size }
}

test('a request that needs no lookup is delivered immediately, without resources that cannot be subscribed to', () => {
  const { listens } = listening()
  expect(listens.received(listen(1, 'remindb://tree', 'remindb://overview', 'memory://a/b'))).toEqual(
    listen(1, 'remindb://tree'),
  )
  const other: JSONRPCMessage = { jsonrpc: '2.0', id: 2, method: 'ping' }
  expect(listens.received(other)).toBe(other)
})

test('a key is acknowledged once its kind is known', async () => {
  const looked = Promise.withResolvers<string>()
  const { delivered, listens, size } = listening(() => looked.promise)
  expect(listens.received(listen(1, 'memory://a', 'remindb://tree'))).toBeUndefined()
  expect([delivered, size()]).toEqual([[], 1])
  looked.resolve('1')
  await expect.poll(() => delivered).toEqual([listen(1, 'memory://a', 'remindb://tree')])
})

test.each([
  ['is cancelled', cancel(1), undefined],
  ['is refused', undefined, { jsonrpc: '2.0', id: 1, error: { code: -32603, message: 'no' } }],
  ['ends', undefined, { jsonrpc: '2.0', id: 1, result: {} }],
  ['starts over', listen(1), undefined],
] as const)('nothing is held of a stream that %s', async (_, received, sent) => {
  const { delivered, listens, size } = listening()
  listens.received(listen(1, 'memory://a'))
  listens.received(listen(2, 'memory://a'))
  await expect.poll(() => delivered.length).toBe(2)
  if (received) listens.received(received as JSONRPCMessage)
  if (sent) listens.sent(sent as JSONRPCMessage)
  expect(size()).toBe(1)
  listens.received(cancel(2))
  expect(size()).toBe(0)
})

test('a request cancelled before it was acknowledged never is', async () => {
  const looked = Promise.withResolvers<string>()
  const { delivered, listens } = listening(() => looked.promise)
  listens.received(listen(1, 'memory://a'))
  listens.received(cancel(1))
  looked.resolve('1')
  listens.received(listen(2, 'memory://a'))
  await expect.poll(() => delivered).toEqual([listen(2, 'memory://a')])
})

test('a connection that closes leaves nothing', () => {
  const { listens, size } = listening()
  listens.received(listen(1, 'memory://a', 'memory://b'))
  listens.close()
  expect(size()).toBe(0)
})
