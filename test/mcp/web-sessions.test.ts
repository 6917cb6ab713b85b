import { describe, expect, test } from 'vitest'
import { sessionName } from '../../src/mcp/web/session.ts'
import { soon } from '../support/soon.ts'
import { manualTimers } from '../support/timers.ts'
import { begin, connectWeb, holdCalls, INITIALIZE, named, openWeb, send } from '../support/web.ts'

const PING = { jsonrpc: '2.0', id: 1, method: 'ping' }
const NOTHING = { requests: 0, streams: 0, sessions: 0, events: 0, bytes: 0 }

describe('a session of the old era', () => {
  test('ends when its client says so', async () => {
    const web = await openWeb()
    const { client, transport, call } = await connectWeb(web, '2025-11-25')
    await call('MemoryStats')
    const id = String(transport.sessionId)
    await transport.terminateSession()
    expect(web.registry.list()).toEqual([])
    expect(web.ended).toMatchObject([{ id: sessionName(id), count_tool_calls: 1 }])
    expect(web.counts()).toEqual(NOTHING)
    expect((await send(web, { message: PING, headers: named(id) })).status).toBe(404)
    await client.close()
  })

  test('is known by its exact id only', async () => {
    const web = await openWeb()
    const id = await begin(web)
    const others = [id.slice(0, -1), `${id}x`, id.toLowerCase(), id.toUpperCase(), '*', '', sessionName(id)]
    for (const other of others.filter((one) => one !== id)) {
      const { status } = await send(web, { method: 'GET', headers: named(other) })
      expect([other, status]).toEqual([other, 404])
    }
    expect((await send(web, { message: PING, headers: named(id) })).status).toBe(200)
  })

  test('cannot begin again', async () => {
    const web = await openWeb()
    const headers = named(await begin(web))
    expect((await send(web, { message: INITIALIZE, headers })).status).toBe(400)
    expect(web.counts().sessions).toBe(1)
  })

  test('one too many is refused, with what to do, until another ends', async () => {
    const web = await openWeb({ limits: { maxSessions: 2 } })
    const [first] = await Promise.all([begin(web), begin(web)])
    const response = await send(web, { message: { ...INITIALIZE, id: 'x' } })
    expect([response.status, await response.json()]).toEqual([
      503,
      {
        jsonrpc: '2.0',
        error: { code: -32010, message: expect.stringContaining('there are 2 sessions already') },
        id: 'x',
      },
    ])
    await send(web, { method: 'DELETE', headers: named(first) })
    expect(await begin(web)).not.toBe('')
  })

  test('counts before it is answered', async () => {
    const web = await openWeb({ limits: { maxSessions: 3 } })
    const ids = await Promise.all(Array.from({ length: 10 }, () => begin(web)))
    expect(ids.filter((id) => id !== '')).toHaveLength(3)
  })

  test('is nothing that a client of 2026 needs', async () => {
    const web = await openWeb({ limits: { maxSessions: 1 } })
    await begin(web)
    const { call } = await connectWeb(web, '2026-07-28')
    expect(await call('MemorySearch', { query: 'friday' })).toContain('Friday')
  })
})

describe('a session that nobody uses', () => {
  function timed() {
    const timers = manualTimers()
    return { timers, opened: openWeb({ sessionExpiryMs: 1234, setTimer: timers.setTimer }) }
  }

  test('expires, and leaves nothing', async () => {
    const { timers, opened } = timed()
    const web = await opened
    const id = await begin(web)
    await soon(timers.delays).toEqual([1234])
    timers.fire()
    await soon(web.counts).toEqual(NOTHING)
    expect(web.registry.list()).toEqual([])
    expect(web.ended).toMatchObject([{ id: sessionName(id) }])
    expect((await send(web, { message: PING, headers: named(id) })).status).toBe(404)
  })

  test('lives on with every request', async () => {
    const { timers, opened } = timed()
    const web = await opened
    const headers = named(await begin(web))
    await soon(timers.delays).toHaveLength(1)
    const response = await send(web, { message: PING, headers })
    await response.text()
    await soon(timers.delays).toHaveLength(1)
    expect(web.counts().sessions).toBe(1)
  })

  test('lives on while a stream is open, and expires after it', async () => {
    const { timers, opened } = timed()
    const web = await opened
    const headers = named(await begin(web))
    const stream = await send(web, { method: 'GET', headers })
    expect(web.counts()).toMatchObject({ sessions: 1, streams: 1 })
    expect(timers.delays()).toEqual([])
    await stream.body?.cancel()
    await soon(timers.delays).toEqual([1234])
    timers.fire()
    await soon(web.counts).toEqual(NOTHING)
  })

  test('a client that is gone without a word lets go of its stream', async () => {
    const { timers, opened } = timed()
    const web = await opened
    const headers = named(await begin(web))
    const gone = new AbortController()
    await send(web, { method: 'GET', headers, signal: gone.signal })
    gone.abort()
    await soon(timers.delays).toEqual([1234])
    expect(web.counts()).toMatchObject({ streams: 0 })
  })
})

describe('many sessions', () => {
  test('1,000 that came and went leave nothing', async () => {
    const timers = manualTimers()
    const web = await openWeb({ setTimer: timers.setTimer })
    for (let round = 0; round < 10; round++) {
      const ids = await Promise.all(Array.from({ length: 100 }, () => begin(web)))
      await Promise.all(
        ids.map(async (id, index) => {
          const headers = named(id)
          const uri = 'remindb://tree'
          const message = { ...PING, method: 'resources/subscribe', params: { uri } }
          await (await send(web, { message, headers })).text()
          const stream = await send(web, { method: 'GET', headers })
          if (index % 2 === 0) await stream.body?.cancel()
          await send(web, { method: 'DELETE', headers })
        }),
      )
    }
    await soon(web.counts).toEqual(NOTHING)
    expect(web.registry.list()).toEqual([])
    expect(web.ended).toHaveLength(1000)
    expect(timers.delays()).toEqual([])
    expect(web.listeners()).toBe(1)
  })
})

describe('a session that cannot be begun', () => {
  test('is told so, and takes no place', async () => {
    const web = await openWeb({ limits: { maxSessions: 1 } })
    const { tools } = web.served
    Object.defineProperty(web.served, 'tools', {
      configurable: true,
      get: () => {
        throw new Error('broken')
      },
    })
    const response = await send(web, { message: INITIALIZE })
    expect([response.status, await response.text()]).toEqual([500, expect.not.stringContaining('broken')])
    expect(web.counts()).toEqual(NOTHING)
    expect(web.listeners()).toBe(1)
    Object.defineProperty(web.served, 'tools', { value: tools })
    expect(await begin(web)).not.toBe('')
  })
})

describe('an id of a request', () => {
  const CALL = {
    jsonrpc: '2.0',
    id: 7,
    method: 'tools/call',
    params: { name: 'MemoryStats', arguments: {} },
  }

  test('that is still being answered is not taken a second time', async () => {
    const web = await openWeb()
    const release = holdCalls(web)
    const headers = named(await begin(web))
    const first = await send(web, { message: CALL, headers })
    for (const message of [CALL, [{ ...CALL, id: 8 }, CALL]]) {
      const second = await send(web, { message, headers })
      expect([second.status, await second.text()]).toEqual([400, expect.stringContaining('still being')])
    }
    const other = await send(web, { message: { ...CALL, id: 8 }, headers })
    release()
    expect(await first.text()).toContain('"id":7')
    expect(await other.text()).toContain('"id":8')
    const again = await send(web, { message: CALL, headers })
    expect(await again.text()).toContain('"id":7')
  })

  test('is free again when it was refused or cancelled', async () => {
    const web = await openWeb()
    const headers = named(await begin(web))
    expect((await send(web, { message: CALL, headers: { ...headers, accept: 'text/html' } })).status).toBe(
      406,
    )
    const release = holdCalls(web)
    const first = await send(web, { message: CALL, headers })
    const message = { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 7 } }
    await send(web, { message, headers })
    await first.text()
    release()
    const again = await send(web, { message: CALL, headers })
    expect(await again.text()).toContain('"id":7')
  })

  test('is one of a batch only once', async () => {
    const web = await openWeb()
    const headers = named(await begin(web))
    expect((await send(web, { message: [CALL, CALL], headers })).status).toBe(400)
    expect(await (await send(web, { message: CALL, headers })).text()).toContain('"id":7')
  })

  test('that is none is not told to anybody', async () => {
    const web = await openWeb()
    const headers = named(await begin(web))
    const stream = await send(web, { method: 'GET', headers })
    const message = { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: { a: 1 } } }
    expect((await send(web, { message, headers })).status).toBe(202)
    await send(web, { method: 'DELETE', headers })
    expect(await stream.text()).toBe('')
  })
})
