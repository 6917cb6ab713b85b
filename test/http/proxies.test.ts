import { expect, test } from 'vitest'
import type { McpEndpoint } from '../../src/http/app.ts'
import { createClientAddress } from '../../src/http/client-address.ts'
import type { HttpConnection } from '../../src/http/connection.ts'
import { openWire, requestText, startHttp, statuses } from '../support/http.ts'

/** A server, the connections that its requests name, and one that sends requests to it. */
async function start(trustedProxies: readonly string[]) {
  const seen: HttpConnection[] = []
  const mcp: McpEndpoint = async (request, connection) => {
    await request.text()
    seen.push(connection)
    return Response.json({ url: request.url })
  }
  const server = await startHttp(mcp, {}, {}, { clientAddress: createClientAddress(trustedProxies) })
  const wire = openWire(server.port)
  let sent = 0
  const send = async (...headers: string[]) => {
    sent += 1
    wire.send(requestText('POST /mcp', headers, '{}'))
    const text = await wire.until(new RegExp(`(?:HTTP/1.1 \\d{3}[\\s\\S]*?\\}){${sent}}`))
    expect(statuses(text)).toHaveLength(sent)
    return text
  }
  return { ...server, seen, send }
}

test('one connection of a trusted proxy carries requests of many clients', async () => {
  const { send, seen } = await start(['127.0.0.1'])
  await send('X-Forwarded-For: 203.0.113.1')
  await send('X-Forwarded-For: 203.0.113.2')
  await send()
  await send('x-forwarded-for: 1.1.1.1', 'X-Forwarded-For: 203.0.113.3')
  await send('X-Forwarded-For: nobody')
  expect(seen.map(({ address }) => address)).toEqual([
    '203.0.113.1',
    '203.0.113.2',
    '127.0.0.1',
    '203.0.113.3',
    '127.0.0.1',
  ])
})

test('anybody else is where the connection comes from, whatever is sent', async () => {
  const { send, seen } = await start(['10.0.0.0/8'])
  await send('X-Forwarded-For: 203.0.113.1')
  await send('Forwarded: for=203.0.113.1', 'X-Real-IP: 203.0.113.1')
  expect(seen.map(({ address }) => address)).toEqual(['127.0.0.1', '127.0.0.1'])
  expect(seen[1]).toBe(seen[0])
})

test('what a proxy says of scheme and host changes no URL', async () => {
  const { send } = await start(['127.0.0.1'])
  const text = await send(
    'X-Forwarded-For: 203.0.113.1',
    'X-Forwarded-Host: evil.example',
    'X-Forwarded-Proto: https',
    'Forwarded: host=evil.example;proto=https',
  )
  expect(text).toContain('"url":"http://localhost/mcp"')
})
