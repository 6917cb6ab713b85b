import { describe, expect, test } from 'vitest'
import { begin, INITIALIZE, named, openWeb, type Sent, send } from '../support/web.ts'

const LIST = { jsonrpc: '2.0', id: 7, method: 'tools/list' }
const META = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientInfo': { name: 'by-hand', version: '1' },
  'io.modelcontextprotocol/clientCapabilities': {},
}

async function refused(sent: Sent) {
  const web = await openWeb({ limits: { maxBodyBytes: 1000 } })
  const response = await send(web, sent)
  const { error, id } = (await response.json()) as { error: { code: number; message: string }; id: unknown }
  expect(web.registry.list()).toEqual([])
  expect(web.counts()).toEqual({ requests: 0, streams: 0, sessions: 0, events: 0, bytes: 0 })
  return { status: response.status, code: error.code, message: error.message, id, headers: response.headers }
}

describe('a request is refused that', () => {
  test.each([
    ['says no type', { body: '{}', headers: { 'content-type': '' } }],
    ['is plain text', { body: '{}', headers: { 'content-type': 'text/plain' } }],
  ])('%s', async (_what, sent) => {
    expect(await refused(sent)).toMatchObject({ status: 415, code: -32000, id: null })
  })

  test('is compressed', async () => {
    const sent = { message: INITIALIZE, headers: { 'content-encoding': 'gzip' } }
    expect(await refused(sent)).toMatchObject({ status: 415, code: -32000, id: null })
    const plain = await openWeb()
    const headers = { 'content-encoding': 'identity' }
    expect((await send(plain, { message: INITIALIZE, headers })).status).toBe(200)
  })

  test.each(['[', '{"a":'])('is nested deeper than anybody means: %s', async (open) => {
    const close = open === '[' ? ']' : '}'
    const deep = `${open.repeat(101)}1${close.repeat(101)}`
    const body = `{"jsonrpc":"2.0","id":7,"method":"initialize","params":{"capabilities":${deep}}}`
    expect(await refused({ body })).toMatchObject({
      status: 400,
      code: -32700,
      message: expect.stringContaining('deep'),
      id: null,
    })
  })

  test('has more parts than anybody means', async () => {
    const web = await openWeb()
    for (const many of [Array(10_001).fill(1), { ...LIST, params: { a: Array(10_001).fill(1) } }]) {
      const response = await send(web, { message: many })
      expect([response.status, await response.text()]).toEqual([400, expect.stringContaining('10000 parts')])
    }
  })

  test.each([
    ['is no JSON', '{"jsonrpc":'],
    ['has no body', ''],
  ])('%s', async (_what, body) => {
    expect(await refused({ body })).toMatchObject({ status: 400, code: -32700, id: null })
  })

  test.each([
    ['is no message', '{"hello":1}'],
    ['is a number', '42'],
    ['is null', 'null'],
    ['is an empty batch', '[]'],
  ])('%s', async (_what, body) => {
    expect(await refused({ body })).toMatchObject({ status: 400, id: null })
  })

  test('is too large, whether it says so or not', async () => {
    const body = JSON.stringify({ ...LIST, params: { text: 'x'.repeat(2000) } })
    const answer = await refused({ body })
    expect(answer).toMatchObject({ status: 413, code: -32000 })
    expect(answer.message).toContain('server.http.max_body_size')
    expect(await refused({ body: '{}', headers: { 'content-length': '5000' } })).toMatchObject({
      status: 413,
    })
  })

  test.each(['PUT', 'PATCH', 'OPTIONS'])('uses %s', async (method) => {
    const answer = await refused({ method })
    expect(answer).toMatchObject({ status: 405, code: -32000 })
    expect(answer.headers.get('allow')).toBe('GET, POST, DELETE')
  })

  test('uses HEAD, without a body', async () => {
    const response = await send(await openWeb(), { method: 'HEAD' })
    expect([response.status, await response.text()]).toEqual([405, ''])
  })

  test('names no session', async () => {
    expect(await refused({ message: LIST })).toMatchObject({ status: 400, code: -32000, id: 7 })
    expect(await refused({ method: 'GET' })).toMatchObject({ status: 400, code: -32000 })
    expect(await refused({ method: 'DELETE' })).toMatchObject({ status: 400, code: -32000 })
  })

  test('names a session that is none', async () => {
    const headers = named('nobody')
    expect(await refused({ message: LIST, headers })).toMatchObject({ status: 404, code: -32001, id: 7 })
    expect(await refused({ method: 'GET', headers })).toMatchObject({ status: 404, code: -32001 })
    expect(await refused({ method: 'DELETE', headers })).toMatchObject({ status: 404, code: -32001 })
    expect(await refused({ message: INITIALIZE, headers })).toMatchObject({ status: 404 })
  })

  test('begins with a handshake and does not take the answer', async () => {
    const headers = { accept: 'application/json' }
    expect(await refused({ message: INITIALIZE, headers })).toMatchObject({ status: 406 })
  })

  test('begins twice at once', async () => {
    expect(await refused({ message: [INITIALIZE, { ...INITIALIZE, id: 1 }] })).toMatchObject({
      status: 400,
      code: -32600,
    })
  })

  test('says one thing in its headers and another in its body', async () => {
    const message = { ...LIST, params: { _meta: META } }
    const headers = { 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'tools/call' }
    expect(await refused({ message, headers })).toMatchObject({ status: 400, code: -32020, id: 7 })
  })

  test('speaks a revision that nobody knows', async () => {
    const _meta = { ...META, 'io.modelcontextprotocol/protocolVersion': '2099-01-01' }
    const headers = { 'mcp-protocol-version': '2099-01-01', 'mcp-method': 'tools/list' }
    const answer = await refused({ message: { ...LIST, params: { _meta } }, headers })
    expect(answer).toMatchObject({ status: 400, code: -32022, id: 7 })
  })

  test('ends before its body does', async () => {
    const web = await openWeb()
    const body = new ReadableStream({
      start(controller) {
        controller.enqueue(new TextEncoder().encode('{"jsonrpc"'))
        controller.error(new Error('gone'))
      },
    })
    const request = new Request('http://localhost/mcp', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body,
      duplex: 'half',
    } as RequestInit)
    const response = await web.fetch(request, { address: '127.0.0.1' })
    expect(response.status).toBe(400)
  })
})

describe('a batch', () => {
  const listed = (id: number) => ({ ...LIST, id })

  test('is answered in a session, each request once', async () => {
    const web = await openWeb()
    const headers = named(await begin(web))
    const response = await send(web, { message: [listed(1), listed(2)], headers })
    const ids = [...(await response.text()).matchAll(/"id":(\d+)\}/g)].map(([, id]) => Number(id))
    expect(ids.sort()).toEqual([1, 2])
  })

  test('of too many is refused', async () => {
    const web = await openWeb()
    const headers = named(await begin(web))
    const message = Array.from({ length: 101 }, (_, id) => listed(id))
    const response = await send(web, { message, headers })
    expect([response.status, await response.json()]).toMatchObject([400, { error: { code: -32600 } }])
  })
})
