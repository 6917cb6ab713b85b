import { describe, expect, test } from 'vitest'
import { ERAS } from '../support/mcp.ts'
import { soon } from '../support/soon.ts'
import { manualTimers } from '../support/timers.ts'
import { begin, connectWeb, holdCalls, INITIALIZE, named, openWeb, send } from '../support/web.ts'

const NOTHING = { requests: 0, streams: 0, sessions: 0, events: 0, bytes: 0 }

describe('an endpoint that ends', () => {
  test.each(ERAS)('answers first what a client of %s asked, and nothing more', async (revision) => {
    const web = await openWeb()
    const release = holdCalls(web)
    const { call, client } = await connectWeb(web, revision)
    const answer = call('MemorySearch', { query: 'friday' })
    await soon(web.counts).toMatchObject({ requests: 1 })
    const closed = web.close()
    const late = await send(web, { message: INITIALIZE })
    expect([late.status, await late.json()]).toMatchObject([503, { error: { code: -32010 } }])
    await expect(client.listTools({}, { timeout: 1000 })).rejects.toThrow()
    release()
    expect(await answer).toContain('Never on a Friday.')
    await closed
    expect(web.counts()).toEqual(NOTHING)
    expect(web.listeners()).toBe(0)
  })

  test('does not wait for ever', async () => {
    const timers = manualTimers()
    const web = await openWeb({ setTimer: timers.setTimer, drainMs: 1234 })
    const release = holdCalls(web)
    const headers = named(await begin(web))
    const message = {
      jsonrpc: '2.0',
      id: 5,
      method: 'tools/call',
      params: { name: 'MemoryStats', arguments: {} },
    }
    const response = await send(web, { message, headers })
    const closed = web.close()
    expect(timers.delays()).toEqual([1234])
    timers.fire()
    await closed
    expect(await response.text()).not.toContain('"id":5')
    await soon(web.counts).toEqual(NOTHING)
    release()
  })

  test('ends streams with a result, and sessions', async () => {
    const web = await openWeb()
    const { client } = await connectWeb(web, '2026-07-28')
    const subscription = await client.listen({ resourceSubscriptions: ['remindb://tree'] })
    const headers = named(await begin(web))
    const stream = await send(web, { method: 'GET', headers })
    await web.close()
    expect(await subscription.closed).toMatch(/graceful/)
    expect(await stream.text()).toBe('')
    expect(web.registry.list()).toMatchObject([{ client_meta: { protocol: '2026-07-28' } }])
    await soon(web.counts).toEqual(NOTHING)
  })

  test.each(ERAS)('ends streams while a client of %s still waits for its answer', async (revision) => {
    const web = await openWeb()
    const { client } = await connectWeb(web, '2026-07-28')
    const subscription = await client.listen({ resourceSubscriptions: ['remindb://tree'] })
    const headers = named(await begin(web))
    const stream = await send(web, { method: 'GET', headers })
    const release = holdCalls(web)
    const { call } = await connectWeb(web, revision)
    const answer = call('MemorySearch', { query: 'friday' })
    await soon(web.counts).toMatchObject({ requests: 1 })
    const closed = web.close()
    expect(await subscription.closed).toMatch(/graceful/)
    expect(await stream.text()).toBe('')
    expect(web.counts()).toMatchObject({ requests: 1 })
    release()
    expect(await answer).toContain('Never on a Friday.')
    await closed
  })

  test('is told twice and ends once', async () => {
    const web = await openWeb()
    expect(web.close()).toBe(web.close())
    await web.close()
    expect((await send(web, { method: 'GET' })).status).toBe(503)
  })
})

describe('a client that goes away', () => {
  test('in the middle of a request of 2026 ends that request', async () => {
    const web = await openWeb()
    const release = holdCalls(web)
    const { client } = await connectWeb(web, '2026-07-28')
    const gone = new AbortController()
    const asked = client.callTool({ name: 'MemoryStats', arguments: {} }, { signal: gone.signal })
    await soon(web.counts).toMatchObject({ requests: 1 })
    gone.abort()
    await expect(asked).rejects.toThrow()
    await soon(web.counts).toEqual(NOTHING)
    release()
  })

  test('before its stream is there leaves nothing', async () => {
    const web = await openWeb()
    const headers = named(await begin(web))
    await send(web, { method: 'GET', headers, signal: AbortSignal.abort() })
    await soon(web.counts).toMatchObject({ streams: 0 })
  })
})
