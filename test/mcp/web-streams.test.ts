import type { Client } from '@modelcontextprotocol/client'
import { describe, expect, test } from 'vitest'
import { ERAS, type Revision } from '../support/mcp.ts'
import { soon } from '../support/soon.ts'
import { begin, connectWeb, eventsOf, named, openWeb, send } from '../support/web.ts'

const TREE = 'remindb://tree'

async function subscribe(client: Client, revision: Revision, uris: string[]): Promise<string[]> {
  const heard: string[] = []
  client.setNotificationHandler(
    'notifications/resources/updated',
    ({ params }) => void heard.push(params.uri),
  )
  if (revision === '2026-07-28') await client.listen({ resourceSubscriptions: uris })
  else for (const uri of uris) await client.subscribeResource({ uri })
  return heard
}

describe.each(ERAS)('a client of %s', (revision) => {
  test('hears of what others change, and only of what it asked for', async () => {
    const web = await openWeb()
    const { client, call } = await connectWeb(web, revision)
    const { call: other } = await connectWeb(web, '2026-07-28', { name: 'other' })
    await call('MemoryStats')
    await soon(web.counts).toMatchObject(revision === '2026-07-28' ? { streams: 0 } : { streams: 1 })
    const heard = await subscribe(client, revision, [TREE])
    await other('MemoryWrite', { payload: 'News.' })
    await soon(() => heard).toContain(TREE)
    expect(new Set(heard)).toEqual(new Set([TREE]))
  })

  test('leaves nothing when it is gone', async () => {
    const web = await openWeb()
    const { client, transport } = await connectWeb(web, revision)
    await subscribe(client, revision, [TREE])
    await soon(web.counts).toMatchObject({ streams: 1 })
    if (revision === '2025-11-25') await transport.terminateSession()
    await client.close()
    await soon(web.counts).toEqual({ requests: 0, streams: 0, sessions: 0, events: 0, bytes: 0 })
    expect(web.listeners()).toBe(1)
  })

  test('one stream too many is refused', async () => {
    const web = await openWeb({ limits: { maxStreams: 1 } })
    const { client } = await connectWeb(web, revision)
    await subscribe(client, revision, [TREE])
    await soon(web.counts).toMatchObject({ streams: 1 })
    const { client: other } = await connectWeb(web, '2026-07-28')
    await expect(subscribe(other, '2026-07-28', [TREE])).rejects.toThrow('there are 1 streams already')
    expect(web.counts()).toMatchObject({ streams: 1 })
  })
})

describe('what is promised', () => {
  test('is only what can be subscribed to', async () => {
    const { client } = await connectWeb(await openWeb(), '2026-07-28')
    const { honoredFilter } = await client.listen({
      resourceSubscriptions: ['remindb://overview', TREE, TREE, 'memory://x/y'],
    })
    expect(honoredFilter).toEqual({ resourceSubscriptions: [TREE] })
  })
})

describe('cold nodes', () => {
  const NODES = [{ id: 'a', label: 'A', file: 'a.md', temperature: 0.05 }]

  test('a session is told, unless it wants to hear of worse things only', async () => {
    const web = await openWeb()
    const heard = { usual: [] as unknown[], quiet: [] as unknown[] }
    const usual = await connectWeb(web, '2025-11-25')
    const quiet = await connectWeb(web, '2025-11-25')
    usual.client.setNotificationHandler(
      'notifications/message',
      ({ params }) => void heard.usual.push(params),
    )
    quiet.client.setNotificationHandler(
      'notifications/message',
      ({ params }) => void heard.quiet.push(params),
    )
    await quiet.client.setLoggingLevel('error')
    await soon(web.counts).toMatchObject({ streams: 2 })
    web.audience.cold(NODES)
    await soon(() => heard.usual).toMatchObject([{ logger: 'remindb.temperature', data: { nodes: NODES } }])
    await quiet.client.ping()
    expect(heard.quiet).toEqual([])
  })
})

describe('a stream that was lost', () => {
  /** A session that subscribed, and what comes on its stream. */
  async function open(web: Awaited<ReturnType<typeof openWeb>>) {
    const headers = named(await begin(web))
    const message = { jsonrpc: '2.0', id: 1, method: 'resources/subscribe', params: { uri: TREE } }
    await (await send(web, { message, headers })).text()
    const listen = (lastEventId?: string) =>
      send(web, {
        method: 'GET',
        headers: { ...headers, ...(lastEventId !== undefined && { 'last-event-id': lastEventId }) },
      })
    return { headers, listen }
  }
  const take = async (stream: Response, count: number) => {
    const events = []
    for await (const event of eventsOf(stream)) if (events.push(event) === count) break
    return events
  }

  test('goes on after the last event that came, each once and in order', async () => {
    const web = await openWeb()
    const { listen } = await open(web)
    const stream = await listen()
    web.audience.updated(TREE)
    const [first] = await take(stream, 1)
    await soon(web.counts).toMatchObject({ streams: 0 })
    web.audience.cold([])
    web.audience.updated(TREE)
    const resumed = await listen(first?.id)
    web.audience.updated(TREE)
    const methods = (await take(resumed, 3)).map(({ message }) => message.method)
    expect(methods).toEqual([
      'notifications/message',
      'notifications/resources/updated',
      'notifications/resources/updated',
    ])
  })

  test('an answer that was missed is still there', async () => {
    const web = await openWeb()
    const { headers, listen } = await open(web)
    const message = {
      jsonrpc: '2.0',
      id: 5,
      method: 'tools/call',
      params: { name: 'MemoryStats', arguments: {} },
    }
    const response = await send(web, { message, headers })
    const reader = response.body?.getReader()
    // The first event has no message: it is there to be named.
    const priming = new TextDecoder().decode((await reader?.read())?.value).match(/^id: (.+)$/m)?.[1]
    await reader?.cancel()
    const [answer] = await take(await listen(priming), 1)
    expect(answer?.message).toMatchObject({ id: 5, result: { content: [{ type: 'text' }] } })
  })

  test('an answer that is kept no more is not known', async () => {
    const web = await openWeb()
    const { headers, listen } = await open(web)
    const ask = async (id: number) => {
      const response = await send(web, { message: { jsonrpc: '2.0', id, method: 'ping' }, headers })
      return (await response.text()).match(/^id: (.+)$/m)?.[1]
    }
    const first = await ask(10)
    const [answer] = await take(await listen(first), 1)
    expect(answer?.message).toMatchObject({ id: 10 })
    for (let id = 11; id < 300; id++) await ask(id)
    const late = await listen(first)
    expect(late.status).toBe(400)
    expect(await late.text()).toContain('error')
  })

  test('an event of another session gives nothing', async () => {
    const web = await openWeb()
    const [mine, others] = [await open(web), await open(web)]
    const stream = await others.listen()
    web.audience.updated(TREE)
    const [event] = await take(stream, 1)
    const response = await mine.listen(event?.id)
    expect(response.status).toBe(400)
    expect(await response.text()).not.toContain(TREE)
    for (const id of ['x', '', '1', '..', `${event?.id}.0`]) {
      const stranger = await mine.listen(id)
      if (stranger.status === 200) await stranger.body?.cancel()
      else expect(stranger.status).toBe(400)
      await soon(web.counts).toMatchObject({ streams: 0 })
    }
  })

  test('of which too much was missed goes on with what is kept', async () => {
    const web = await openWeb()
    const { listen } = await open(web)
    const stream = await listen()
    web.audience.updated(TREE)
    const [first] = await take(stream, 1)
    await soon(web.counts).toMatchObject({ streams: 0 })
    for (let i = 0; i < 1000; i++) {
      web.audience.updated(TREE)
      await new Promise(setImmediate)
    }
    await soon(web.counts).toMatchObject({ events: 256 })
    const events = await take(await listen(first?.id), 256)
    expect(events).toHaveLength(256)
  })

  test('that nobody reads is cut off before it fills the memory', async () => {
    const web = await openWeb()
    const { listen } = await open(web)
    const stream = await listen()
    for (let i = 0; i < 20_000 && web.counts().streams > 0; i++) {
      web.audience.updated(TREE)
      await new Promise(setImmediate)
    }
    await soon(web.counts).toMatchObject({ streams: 0 })
    await expect(stream.text()).rejects.toThrow('too far behind')
  })
})

describe('a request that is cancelled', () => {
  test('lets go of its stream, and the session goes on', async () => {
    const web = await openWeb()
    const held = Promise.withResolvers<void>()
    const { as } = web.served.memory
    web.served.memory.as = async (...asked) => {
      await held.promise
      return as(...asked)
    }
    const headers = named(await begin(web))
    const message = {
      jsonrpc: '2.0',
      id: 5,
      method: 'tools/call',
      params: { name: 'MemoryStats', arguments: {} },
    }
    const response = await send(web, { message, headers })
    expect(web.counts()).toMatchObject({ requests: 1 })
    const params = { requestId: 5 }
    await send(web, { message: { jsonrpc: '2.0', method: 'notifications/cancelled', params }, headers })
    expect(await response.text()).not.toContain('"id":5')
    held.resolve()
    await soon(web.counts).toMatchObject({ requests: 0, sessions: 1 })
    const ping = await send(web, { message: { jsonrpc: '2.0', id: 6, method: 'ping' }, headers })
    expect(await ping.text()).toContain('"id":6')
  })
})
