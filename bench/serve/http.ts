import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { openMemory } from '../../src/index.ts'
import { median, timed } from '../engine/timing.ts'
import { createHttpClient, type HttpClient } from './http-client.ts'
import { questionFor } from './question.ts'

const CONNECTIONS = 32
const REQUESTS = 1600
const ROUNDS = 5
const NOOP = join(import.meta.dirname, 'http-noop.ts')

export interface HttpLoad {
  request: string
  perSecond: number
  /** Of one request, as the server works one after the other. */
  perRequestMs: number
  noopMs: number
  operationMs: number
  ratio: number
}

/** Requests per second over 32 connections, in turns with nothing over the same stack. */
export async function measureHttp(notes: string): Promise<HttpLoad[]> {
  await using memory = await openMemory({ db: notes, settings: { author: 'bench' } })
  const ours = await startServer(httpServerOf(notes))
  const floor = await startServer([NOOP])
  try {
    const { query } = await questionFor(memory)
    return [
      await measure('MemorySearch', {
        ours: () => ours.client.call('tools/call', { name: 'MemorySearch', arguments: { query } }),
        noop: () => floor.client.call('tools/call', { name: 'Noop', arguments: {} }),
        operation: () => memory.search({ query }),
      }),
      await measure('remindb://overview', {
        ours: () => ours.client.call('resources/read', { uri: 'remindb://overview' }),
        noop: () => floor.client.call('resources/read', { uri: 'remindb://overview' }),
        operation: () => memory.overview(),
      }),
    ]
  } finally {
    await Promise.all([ours.close(), floor.close()])
  }
}

type Work = () => Promise<unknown>

async function measure(
  request: string,
  { ours, noop, operation }: { ours: Work; noop: Work; operation: Work },
): Promise<HttpLoad> {
  const times = { ours: [] as number[], noop: [] as number[], operation: [] as number[] }
  // The first round warms both.
  for (let round = -1; round < ROUNDS; round++) {
    const perRequest = {
      ours: (await timed(() => flood(ours))) / REQUESTS,
      noop: (await timed(() => flood(noop))) / REQUESTS,
      operation: (await timed(() => inTurn(operation))) / REQUESTS,
    }
    if (round < 0) continue
    for (const name of ['ours', 'noop', 'operation'] as const) times[name].push(perRequest[name])
  }
  const [perRequestMs, noopMs, operationMs] = [
    median(times.ours),
    median(times.noop),
    median(times.operation),
  ]
  const ratio = perRequestMs / (noopMs + operationMs)
  return { request, perSecond: 1000 / perRequestMs, perRequestMs, noopMs, operationMs, ratio }
}

async function flood(work: Work): Promise<void> {
  let left = REQUESTS
  const worker = async (): Promise<void> => {
    while (left-- > 0) await work()
  }
  await Promise.all(Array.from({ length: CONNECTIONS }, worker))
}

async function inTurn(work: Work): Promise<void> {
  for (let at = 0; at < REQUESTS; at++) await work()
}

/** The program of another checkout, which must be built; `this` is this one. */
export function programOf(checkout: string): string {
  return join(checkout === 'this' ? join(import.meta.dirname, '..', '..') : checkout, 'bin', 'remindb')
}

/** The program over HTTP, at a port of its own. */
export const httpServerOf = (db: string, program = programOf('this')): string[] => [
  program,
  'serve',
  '--transport',
  'http',
  '--listen',
  '127.0.0.1:0',
  '--db',
  db,
]

export interface Started {
  url: string
  client: HttpClient
  child: ChildProcess
  close(): Promise<void>
}

/** The first URL it prints is where it is. `environment` is added to that of this process. */
export async function startServer(
  args: string[],
  connections = CONNECTIONS,
  environment: Record<string, string> = {},
): Promise<Started> {
  const child = spawn(process.execPath, args, {
    stdio: ['pipe', 'pipe', 'ignore'],
    env: { ...process.env, ...environment },
  })
  const url = await new Promise<string>((resolve, reject) => {
    let text = ''
    child.stdout.setEncoding('utf8').on('data', (piece: string) => {
      text += piece
      const found = /http:\S+\/mcp/.exec(text)
      if (found) resolve(found[0])
    })
    child.once('exit', () => reject(new Error(`${args[0]} ended before it could be reached`)))
  })
  const client = createHttpClient(url, connections)
  return {
    url,
    client,
    child,
    async close() {
      client.close()
      const ended = once(child, 'exit')
      child.kill('SIGTERM')
      await ended
    },
  }
}
