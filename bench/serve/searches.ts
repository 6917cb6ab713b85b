import { availableParallelism } from 'node:os'
import { percentile } from '../../eval/metrics.ts'
import { createRandom, words } from '../engine/corpus.ts'
import { timed } from '../engine/timing.ts'
import { httpServerOf, type Started, startServer } from './http.ts'
import { createHttpClient, type HttpClient } from './http-client.ts'

const CONNECTIONS = 32
const ALONE = 200
const TOGETHER = 800
const RECALLS = 300
const QUERIES = 100

export interface Searches {
  cores: number
  /** Searches a second, by how many connections ask at once. */
  perSecond: { one: number; many: number }
  /** Of one client that recalls keys, one after the other: alone, and while all the other connections search. */
  recallMs: { idleP50: number; idleP99: number; busyP50: number; busyP99: number }
}

/** How many searches a server answers, and what another client notices of it. */
export async function measureSearches(notes: string): Promise<Searches> {
  const server = await startServer([...httpServerOf(notes), '--tools', 'tree,keys'], CONNECTIONS)
  const other = createHttpClient(server.url, 1)
  try {
    await other.call('tools/call', { name: 'remember', arguments: { key: 'bench', value: 'A value.' } })
    await flood(server, CONNECTIONS, TOGETHER / 4)
    await recalls(other, RECALLS / 4)
    const one = await flood(server, 1, ALONE)
    const many = await flood(server, CONNECTIONS, TOGETHER)
    const idle = await recalls(other, RECALLS)
    const busy = await recallsDuring(other, flood(server, CONNECTIONS, TOGETHER))
    return {
      cores: availableParallelism(),
      perSecond: { one, many },
      recallMs: {
        idleP50: percentile(idle, 0.5),
        idleP99: percentile(idle, 0.99),
        busyP50: percentile(busy, 0.5),
        busyP99: percentile(busy, 0.99),
      },
    }
  } finally {
    other.close()
    await server.close()
  }
}

/** Searches a second. */
async function flood({ client }: Started, connections: number, count: number): Promise<number> {
  const random = createRandom(QUERIES)
  const queries = Array.from({ length: QUERIES }, () => words(random, 3))
  let next = 0
  const searcher = async (): Promise<void> => {
    for (let at = next++; at < count; at = next++) {
      const query = queries[at % QUERIES]
      await client.call('tools/call', { name: 'MemorySearch', arguments: { query } })
    }
  }
  const took = await timed(() => Promise.all(Array.from({ length: connections }, searcher)))
  return count / (took / 1000)
}

async function recalls(client: HttpClient, count: number): Promise<number[]> {
  const times: number[] = []
  for (let at = 0; at < count; at++) times.push(await timed(() => recall(client)))
  return times
}

async function recallsDuring(client: HttpClient, flooding: Promise<unknown>): Promise<number[]> {
  let isOver = false
  void flooding.then(() => {
    isOver = true
  })
  const times: number[] = []
  while (!isOver) times.push(await timed(() => recall(client)))
  await flooding
  return times
}

function recall(client: HttpClient): Promise<string> {
  return client.call('tools/call', { name: 'recall', arguments: { key: 'bench' } })
}
