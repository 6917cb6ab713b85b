import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { request } from 'node:http'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { beforeAll, describe, expect, test } from 'vitest'
import { ensureProgramIsBuilt, remindb } from '../support/cli.ts'
import { holdWrites } from '../support/hold-writes.ts'
import { ERAS, noteFolder } from '../support/mcp.ts'
import { lastingPort } from '../support/ports.ts'
import { connectHttp, type HttpClient, serve } from '../support/serving.ts'
import { soon } from '../support/soon.ts'

beforeAll(ensureProgramIsBuilt)

const NOTES = { 'a.md': '# Deploys\n\nNever on a Friday.\n' }
const HTTP = ['serve', '--source', '.', '--transport', 'http']
const INITIALIZE = {
  jsonrpc: '2.0',
  id: 0,
  method: 'initialize',
  params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'by-hand', version: '1' } },
}

function start(): ReturnType<typeof serve> {
  return serve({ cwd: noteFolder(NOTES) })
}

/** A request with any headers: `fetch` keeps some of them to itself. */
function ask(url: URL, headers: Record<string, string>, message?: object): Promise<[number, string]> {
  return new Promise((resolve, reject) => {
    const method = message ? 'POST' : 'GET'
    const type = message && { 'content-type': 'application/json' }
    const accept = 'application/json, text/event-stream'
    const asked = request(url, { method, agent: false, headers: { accept, ...type, ...headers } })
    asked.on('error', reject)
    asked.on('response', async (response) => resolve([response.statusCode ?? 0, await text(response)]))
    asked.end(message && JSON.stringify(message))
  })
}

describe('an address that cannot be listened on', () => {
  test.each(['0.0.0.0:0', '[::]:0', '192.0.2.1:7474'])('%s is not only of this machine', (address) => {
    const cwd = noteFolder(NOTES)
    const { code, stdout, stderr } = remindb([...HTTP, '--listen', address], { cwd })
    expect([code, stdout]).toEqual([1, ''])
    expect(stderr).toContain(
      `${address} is reachable from other machines, and clients would not be authenticated`,
    )
    expect(stderr).toContain('reverse proxy')
    expect(existsSync(join(cwd, '.remindb'))).toBe(false)
  })

  test('is in use: it says what to do, and the other server goes on', async () => {
    const { url } = await start()
    const { host } = new URL(url)
    const { code, stdout, stderr } = remindb([...HTTP, '--listen', host], { cwd: noteFolder(NOTES) })
    expect([code, stdout]).toEqual([1, ''])
    expect(stderr).toContain(`${host} is in use, perhaps by another remindb`)
    expect(stderr).toContain('choose another port with --listen')
    const { call } = await connectHttp(url, '2026-07-28', 'ada')
    expect(await call('MemorySearch', { query: 'friday' })).toContain('Never on a Friday.')
  })

  test('is one that stdin and stdout have no use for', () => {
    const args = ['serve', '--source', '.', '--listen', '127.0.0.1:0']
    expect(remindb(args, { cwd: noteFolder(NOTES), input: '' })).toMatchObject({
      code: 1,
      stdout: '',
      // At once: nothing was started that would have to end.
      stderr: expect.stringMatching(/^[^\n]*listen address requires --transport=http[^\n]*\n$/),
    })
  })
})

describe('who may ask', () => {
  test('only somebody who calls it by its name, and no page of another site', async () => {
    const { url, stderr } = await start()
    const endpoint = new URL(url)
    const health = new URL('/healthz', url)
    const statusOf = async (at: URL, headers: Record<string, string>, message?: object) =>
      (await ask(at, headers, message))[0]
    const foreignHost = { host: 'evil.example' }
    const foreignOrigin = { host: endpoint.host, origin: 'http://evil.example' }
    expect(await statusOf(endpoint, foreignHost, INITIALIZE)).toBe(403)
    expect(await statusOf(health, foreignHost)).toBe(403)
    expect(await statusOf(endpoint, foreignOrigin, INITIALIZE)).toBe(403)
    expect(await statusOf(endpoint, { ...foreignOrigin, origin: 'null' }, INITIALIZE)).toBe(403)
    expect(await statusOf(endpoint, { host: `localhost:${endpoint.port}` }, INITIALIZE)).toBe(200)
    expect(await statusOf(endpoint, { origin: endpoint.origin }, INITIALIZE)).toBe(200)
    expect(stderr()).not.toContain('evil')
  })

  test('anybody here may ask whether it is well, and learns only that', async () => {
    const { url } = await start()
    const response = await fetch(new URL('/healthz', url))
    expect([response.status, (await response.text()).trim()]).toEqual([200, 'ok'])
    expect(response.headers.get('content-type')).toContain('text/plain')
    expect(JSON.stringify([...response.headers])).not.toMatch(/remindb|session|powered|server/i)
  })
})

describe('what it prints', () => {
  test('its URL, what to paste for five agents, and what it compiled', async () => {
    const { url, untilStdout, stderr } = await start()
    const said = await untilStdout(/Press Ctrl-C to stop\.\n/)
    for (const agent of ['Claude Code:', 'Cursor, in', 'Codex, in', 'Gemini CLI, in', 'VS Code, in'])
      expect(said).toContain(`\n${agent}`)
    // Where it is, for each agent, and once more at the end.
    expect(said.split(url)).toHaveLength(1 + 1 + 5 + 1)
    expect(said).toContain('1 file, 2 nodes')
    expect(said).toContain('[heading] Deploys')
    expect(stderr()).toContain(`serve: listening url=${new URL(url).origin}\n`)
  })
})

describe('a reader of its output that leaves', () => {
  test('does not end it, and it still ends well when asked', async () => {
    const { url, child, ended } = await start()
    child.stdout?.destroy()
    const { call } = await connectHttp(url, '2026-07-28', 'ada')
    expect(await call('MemorySearch', { query: 'friday' })).toContain('Never on a Friday.')
    child.kill('SIGTERM')
    expect(await ended).toBe(0)
  })
})

describe('SIGTERM', () => {
  test.each(ERAS)(
    'answers what a client of %s asked before, ends streams, and the process',
    async (revision) => {
      const cwd = noteFolder(NOTES)
      const { url, child, ended, stderr } = await serve({ cwd })
      const caller = await connectHttp(url, revision, 'ada')
      const listener = await connectHttp(url, '2026-07-28', 'bob')
      await caller.call('MemoryStats')
      const stream = await listener.client.listen({ resourceSubscriptions: ['remindb://tree'] })
      const release = holdWrites(cwd)
      const answer = caller.call('MemoryWrite', { payload: 'Written at the very end.' })
      await soon(() => toolCallsOf(listener, 'ada')).toBe(2)
      child.kill('SIGTERM')
      await soon(() => isReachable(url)).toBe(false)
      release()
      expect(await answer).toContain('wrote node')
      expect(await stream.closed).toBe('graceful')
      expect(await ended).toBe(0)
      expect(stderr()).toContain('serve: ended')
      expect(existsSync(join(cwd, '.remindb', 'memory.db-wal'))).toBe(false)
      expect(remindb(['search', 'very end'], { cwd }).stdout).toContain('Written at the very end.')
      const ledgers = readdirSync(join(cwd, '.remindb', 'sessions'))
      for (const ledger of ledgers)
        expect(readFileSync(join(cwd, '.remindb', 'sessions', ledger), 'utf8')).toContain('disconnected_at')
      expect(ledgers).toHaveLength(2)
    },
  )
})

describe('a server that was started again', () => {
  test('does not know sessions of before: the client begins a new one, and one of 2026 just goes on', async () => {
    const cwd = noteFolder(NOTES)
    const args = ['--source', '.', '--listen', `127.0.0.1:${await lastingPort()}`]
    const before = await serve({ cwd, args })
    const { url } = before
    const ada = await connectHttp(url, '2025-11-25', 'ada')
    const bob = await connectHttp(url, '2026-07-28', 'bob')
    await ada.call('MemoryWrite', { payload: 'From before.' })
    const old = String(ada.transport.sessionId)
    before.child.kill('SIGTERM')
    expect(await before.ended).toBe(0)

    await serve({ cwd, args })
    expect(await bob.call('MemorySearch', { query: 'before' })).toContain('From before.')
    const [status, body] = await ask(
      new URL(url),
      { 'mcp-session-id': old },
      { ...INITIALIZE, method: 'ping' },
    )
    expect(status).toBe(404)
    expect(JSON.parse(body)).toMatchObject({
      error: { message: expect.stringContaining('initialize again') },
    })
    await expect(ada.call('MemoryStats')).rejects.toMatchObject({ data: { status: 404 } })
    await ada.client.close()
    const transport = new StreamableHTTPClientTransport(new URL(url))
    await ada.client.connect(transport)
    expect(transport.sessionId).not.toBe(old)
    expect(await ada.call('MemorySearch', { query: 'before' })).toContain('From before.')
  })
})

/** As `fetch`, over a connection of its own each time. */
function fetchOnce(url: string | URL, init: RequestInit = {}): Promise<Response> {
  return new Promise((resolve, reject) => {
    const headers = Object.fromEntries(new Headers(init.headers))
    const asked = request(url, { method: init.method ?? 'GET', headers, agent: false })
    asked.on('error', reject)
    asked.on('response', async (response) => {
      const { statusCode: status = 0, headers } = response
      const type = { 'content-type': String(headers['content-type']) }
      resolve(new Response(await text(response), { status, headers: type }))
    })
    asked.end(init.body)
  })
}

describe('a client of 2026 that opens a connection for every request', () => {
  test('is one session, and in the history at once', async () => {
    const cwd = noteFolder(NOTES)
    const { url } = await serve({ cwd })
    const ada = await connectHttp(url, '2026-07-28', 'ada', fetchOnce)
    for (let at = 0; at < 3; at++) await ada.call('MemoryStats')
    const bob = await connectHttp(url, '2026-07-28', 'bob')
    const { sessions } = await bob.read('remindb://sessions')
    const adas = sessions.filter(
      (session: { client_meta: { name: string } }) => session.client_meta.name === 'ada',
    )
    expect(adas).toMatchObject([{ count_tool_calls: 3 }])
    const { clients } = await bob.read('remindb://sessions/history')
    const names = clients.map((one: { client: { name: string }; sessions: number }) => [
      one.client.name,
      one.sessions,
    ])
    expect(names).toEqual([
      ['ada', 1],
      ['bob', 1],
    ])
  })
})

async function toolCallsOf({ read }: HttpClient, name: string): Promise<number> {
  const { sessions } = await read('remindb://sessions')
  return sessions
    .filter((session: { client_meta: { name: string } }) => session.client_meta.name === name)
    .reduce((sum: number, session: { count_tool_calls: number }) => sum + session.count_tool_calls, 0)
}

async function isReachable(url: string): Promise<boolean> {
  return ask(new URL('/healthz', url), {}).then(
    () => true,
    () => false,
  )
}
