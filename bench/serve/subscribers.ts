import { Agent, type ClientRequest, request } from 'node:http'
import { timed } from '../engine/timing.ts'
import { httpServerOf, startServer } from './http.ts'
import { headersOf, META } from './http-client.ts'
import { residentMb } from './server-process.ts'

const SUBSCRIBERS = 1000
const WRITES = 10_000
const WRITERS = 16

export interface Subscribers {
  subscribers: number
  writes: number
  writesPerSecond: number
  /** That were told after the last write was acknowledged. */
  toldOfLast: number
  toldAfterMs: number
  /** Of the server, in MB: before anybody subscribed, with all of them, and when they were gone. */
  memoryMb: { before: number; during: number; after: number }
}

interface Stream {
  toldAt: number
  request: ClientRequest
}

/** Whether everybody who subscribed learns of the last of many writes, and what is left of it all. */
export async function measureSubscribers(folder: string): Promise<Subscribers> {
  const server = await startServer(httpServerOf(`${folder}/subscribers.db`), WRITERS)
  const pid = server.child.pid ?? 0
  try {
    await write(server.client.call, 200, 'warm')
    const before = residentMb(pid)
    const agent = new Agent({ maxSockets: SUBSCRIBERS })
    const streams = await Promise.all(
      Array.from({ length: SUBSCRIBERS }, (_, at) => listen(server.url, agent, at)),
    )
    const took = await timed(() => write(server.client.call, WRITES, 'load'))
    const last = performance.now()
    const during = residentMb(pid)
    await until(() => streams.every(({ toldAt }) => toldAt > last), 20_000)
    const toldOfLast = streams.filter(({ toldAt }) => toldAt > last).length
    const toldAfterMs = Math.max(...streams.map(({ toldAt }) => toldAt)) - last
    for (const stream of streams) stream.request.destroy()
    agent.destroy()
    const after = await settled(pid, before)
    return {
      subscribers: SUBSCRIBERS,
      writes: WRITES,
      writesPerSecond: WRITES / (took / 1000),
      toldOfLast,
      toldAfterMs,
      memoryMb: { before, during, after },
    }
  } finally {
    await server.close()
  }
}

async function write(
  call: (method: string, params: object) => Promise<string>,
  count: number,
  name: string,
): Promise<void> {
  let next = 0
  const writer = async (): Promise<void> => {
    for (let at = next++; at < count; at = next++)
      await call('tools/call', { name: 'MemoryWrite', arguments: { payload: `Note ${at} of ${name}.` } })
  }
  await Promise.all(Array.from({ length: WRITERS }, writer))
}

function listen(url: string, agent: Agent, id: number): Promise<Stream> {
  return new Promise((resolve, reject) => {
    const params = {
      notifications: { resourceSubscriptions: ['remindb://snapshots'] },
      _meta: META,
    }
    const headers = headersOf('subscriptions/listen', {})
    const sent = request(url, { method: 'POST', agent, headers }, (response) => {
      const stream: Stream = { toldAt: 0, request: sent }
      response.setEncoding('utf8').on('data', (piece: string) => {
        if (piece.includes('acknowledged')) resolve(stream)
        if (piece.includes('resources/updated')) stream.toldAt = performance.now()
      })
      response.on('error', () => undefined)
    })
    sent.on('error', reject)
    sent.end(JSON.stringify({ jsonrpc: '2.0', id: `listen-${id}`, method: 'subscriptions/listen', params }))
  })
}

/** The least within half a minute: memory is given back when the collector gets to it. */
async function settled(pid: number, before: number): Promise<number> {
  let least = residentMb(pid)
  await until(() => {
    least = Math.min(least, residentMb(pid))
    return least <= before
  }, 30_000)
  return least
}

async function until(isSo: () => boolean, limitMs: number): Promise<void> {
  const end = performance.now() + limitMs
  while (!isSo() && performance.now() < end) await new Promise((resolve) => setTimeout(resolve, 100))
}
