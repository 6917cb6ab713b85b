import { connect, type Socket } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { openHttpServer } from '../../src/http/server.ts'
import { keyFor, openTeam, PUBLIC_URL, type Team } from '../support/team.ts'
import { bearer, handMade, modernRequest } from '../support/team-requests.ts'

const LIST = modernRequest({ method: 'tools/list' })

interface Reply {
  status: number
  headers: string
  body: string
}

/** Over a socket, byte by byte: URLs of programs are tidied before they are sent. */
async function overSocket(team: Team) {
  const server = await openHttpServer({ app: team.app, address: { host: '127.0.0.1', port: 0 } })
  onTestFinished(server.close)
  return async (path: string, headers: Record<string, string> = {}): Promise<Reply> => {
    const body = JSON.stringify(LIST.message)
    const lines = Object.entries({
      host: 'localhost',
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      'content-length': String(Buffer.byteLength(body)),
      connection: 'close',
      ...LIST.headers,
      ...headers,
    }).map(([name, value]) => `${name}: ${value}\r\n`)
    const text = await sent(
      connect(server.port, '127.0.0.1'),
      `POST ${path} HTTP/1.1\r\n${lines.join('')}\r\n${body}`,
    )
    const [head = '', ...rest] = text.split('\r\n\r\n')
    return { status: Number(head.split(' ')[1]), headers: head, body: rest.join('\r\n\r\n') }
  }
}

async function sent(socket: Socket, text: string): Promise<string> {
  let answer = ''
  socket.setEncoding('utf8')
  socket.on('data', (piece) => {
    answer += piece
  })
  socket.write(text)
  const { promise, resolve } = Promise.withResolvers<void>()
  // Whoever refuses a request that is still being sent may reset the connection.
  socket.on('close', () => resolve()).on('error', () => resolve())
  await promise
  return answer
}

test('no spelling of a path leads to another space, or past the door', async () => {
  const team = await openTeam()
  const { key } = await keyFor(team)
  const send = await overSocket(team)
  expect((await send('/s/red/mcp', bearer(key))).status).toBe(200)
  expect((await send('/s/r%65d/mcp', bearer(key))).status).toBe(200)
  const tricks = [
    ...['/s/red/../blue/mcp', '/s/blue/../red/mcp', '/s/red/%2e%2e/blue/mcp', '/s/red%2f..%2fblue/mcp'],
    ...['//s//red/mcp', '/s//red/mcp', '/s/red//mcp', '/S/red/mcp', '/s/RED/mcp', '/s/red/MCP'],
    ...['/s/red/mcp/', '/s/red/./mcp', '/./s/red/mcp', '/s/red;/mcp', '/s/red/mcp;x', '/s/red\\mcp'],
    ...['/s/red%00/mcp', '/s/%20red/mcp', '/s/red%20/mcp', '/s/re%2564/mcp', '/s//mcp', '/s/mcp'],
    ...['/s/ｒｅｄ/mcp', '/s/red/%6dcp', '/mcp/s/red', '/s/red/s/blue/mcp', '/s/*/mcp', '/s/:space/mcp'],
    ...['/s/blue/mcp', '/s/nowhere/mcp'],
  ]
  for (const path of tricks) {
    expect([400, 404], `${path} with a key`).toContain((await send(path, bearer(key))).status)
    expect([400, 401, 404], `${path} without`).toContain((await send(path)).status)
  }
  expect((await send('http://localhost/s/red/mcp', bearer(key))).status).toBe(200)
  expect((await send('http://evil.example/s/red/mcp', bearer(key))).status).toBe(400)
})

test('a header or a token that is too long is refused', async () => {
  const team = await openTeam()
  const send = await overSocket(team)
  expect((await send('/mcp', { authorization: `Bearer ${'a'.repeat(100_000)}` })).status).toBe(431)
  for (const value of [
    `Bearer ${'a'.repeat(1_000_000)}!`,
    `Bearer${' '.repeat(1_000_000)}`,
    `Bearer ${'='.repeat(1_000_000)}a`,
    `Bearer ${'a='.repeat(500_000)}`,
  ]) {
    const response = await team.fetch(
      handMade({ ...LIST, headers: { ...LIST.headers, authorization: value } }),
    )
    expect(response.status).toBe(401)
  }
})

test('no header of a request changes which server or space a challenge names', async () => {
  const team = await openTeam()
  const { key } = await keyFor(team, { scopes: ['memories:read'] })
  const write = modernRequest({
    method: 'tools/call',
    params: { name: 'remember', arguments: { key: 'a', value: 'b' } },
  })
  for (const forged of [
    { 'x-forwarded-host': 'evil.example', 'x-forwarded-proto': 'https', 'x-forwarded-prefix': '/s/blue' },
    {
      forwarded: 'host=evil.example;proto=https',
      'x-original-url': '/s/blue/mcp',
      'x-rewrite-url': '/s/blue/mcp',
    },
    { host: 'localhost:9999', 'x-real-ip': '127.0.0.1' },
    { 'x-space': 'blue', 'x-tenant-id': 'blue', 'x-remindb-space': 'blue' },
  ]) {
    const metadata = `resource_metadata="${PUBLIC_URL}/.well-known/oauth-protected-resource/s/red/mcp"`
    const host = 'host' in forged ? 'http://localhost:9999' : 'http://localhost'
    for (const [headers, made, status] of [
      [{}, LIST, 401],
      [bearer(key), write, 403],
    ] as const) {
      const request = new Request(`${host}/s/red/mcp`, {
        method: 'POST',
        headers: {
          ...{ host: 'localhost', 'content-type': 'application/json', accept: 'application/json' },
          ...{ ...made.headers, ...headers, ...forged },
        },
        body: JSON.stringify(made.message),
      })
      const response = await team.fetch(request)
      expect([response.status, response.headers.get('www-authenticate')]).toEqual([
        status,
        expect.stringContaining(metadata),
      ])
    }
    const path = '/.well-known/oauth-protected-resource/s/red/mcp'
    const document = await team.fetch(
      handMade({ method: 'GET', path, headers: { ...forged, host: 'localhost' } }),
    )
    expect(await document.json()).toMatchObject({ resource: `${PUBLIC_URL}/s/red/mcp` })
  }
  const rebound = await team.fetch(handMade({ ...LIST, headers: { ...LIST.headers, host: 'evil.example' } }))
  expect(rebound.status).toBe(403)
})

test('a name in a URL stays a name: it ends no header and forges no challenge', async () => {
  const team = await openTeam()
  for (const name of [
    'a", scope="evil',
    'a\r\nset-cookie: x=y',
    'naïve',
    '名前',
    'a b',
    '%',
    'a/b',
    'a?b#c',
  ]) {
    const path = `/s/${encodeURIComponent(name)}/mcp`
    const response = await team.fetch(handMade({ ...LIST, path }))
    expect(response.status, name).toBe(401)
    expect(response.headers.get('www-authenticate')).toBe(
      `Bearer resource_metadata="${PUBLIC_URL}/.well-known/oauth-protected-resource${path}", scope="memories:read memories:write"`,
    )
    const at = `/.well-known/oauth-protected-resource${path}`
    const document = await team.fetch(handMade({ method: 'GET', path: at }))
    expect(await document.json()).toMatchObject({ resource: `${PUBLIC_URL}${path}` })
    const keys = await team.fetch(handMade({ method: 'GET', path: `/s/${encodeURIComponent(name)}/keys` }))
    expect(keys.status, name).toBe(401)
  }
})
