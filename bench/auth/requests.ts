import { Agent } from 'node:http'
import { median, timed } from '../engine/timing.ts'
import type { Started } from '../serve/http.ts'
import { createHttpClient, type HttpClient } from '../serve/http-client.ts'
import { processorTime } from '../serve/server-process.ts'
import { beginSession } from '../serve/session-client.ts'
import { type Auth, serveTeam, type TeamFolder } from './team.ts'

const ROUNDS = 21
const REQUESTS = 200

const CALLS = { ping: {}, MemoryTree: { depth: 3, budget: 1000 } }
const ERAS = ['2025-11-25', '2026-07-28']

export interface RequestCost {
  tool: string
  era: string
  /** Of one request, as its client sees it: medians. */
  offMs: number
  keysMs: number
  addedMs: number
  ratio: number
  /** Of all threads of the server, for one request. */
  offProcessorMs: number
  keysProcessorMs: number
  addedProcessorMs: number
}

interface Side {
  server: Started
  client: Pick<HttpClient, 'call'>
  times: number[]
  processor: number[]
}

/** A request to a server where nobody has to say who they are and to one where everybody does, in turns. */
export async function measureRequests({ dir, key }: TeamFolder): Promise<RequestCost[]> {
  const servers = { off: await serveTeam(dir, 'off'), keys: await serveTeam(dir, 'keys') }
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  try {
    const costs: RequestCost[] = []
    for (const [tool, args] of Object.entries(CALLS))
      for (const era of ERAS) {
        const sideOf = async (auth: Auth): Promise<Side> => {
          const headers: Record<string, string> = auth === 'off' ? {} : { authorization: `Bearer ${key}` }
          const server = servers[auth]
          const client =
            era === '2025-11-25'
              ? await beginSession(server.url, agent, headers)
              : createHttpClient(server.url, 1, headers)
          return { server, client, times: [], processor: [] }
        }
        const sides = { off: await sideOf('off'), keys: await sideOf('keys') }
        await measure(sides, (client) => client.call('tools/call', { name: tool, arguments: args }))
        costs.push({ tool, era, ...costOf(sides) })
      }
    return costs
  } finally {
    agent.destroy()
    await Promise.all([servers.off.close(), servers.keys.close()])
  }
}

/** The first round warms both; each begins every second one. */
async function measure(
  { off, keys }: Record<Auth, Side>,
  ask: (client: Side['client']) => Promise<unknown>,
): Promise<void> {
  for (let round = -1; round < ROUNDS; round++)
    for (const side of round % 2 === 0 ? [off, keys] : [keys, off]) {
      const pid = side.server.child.pid ?? 0
      const before = processorTime(pid).all
      const times: number[] = []
      for (let at = 0; at < REQUESTS; at++) times.push(await timed(() => ask(side.client)))
      if (round < 0) continue
      side.times.push(...times)
      side.processor.push((processorTime(pid).all - before) / REQUESTS)
    }
}

function costOf({ off, keys }: Record<Auth, Side>): Omit<RequestCost, 'tool' | 'era'> {
  const [offMs, keysMs] = [median(off.times), median(keys.times)]
  const [offProcessorMs, keysProcessorMs] = [median(off.processor), median(keys.processor)]
  return {
    ...{ offMs, keysMs, addedMs: keysMs - offMs, ratio: keysMs / offMs },
    ...{ offProcessorMs, keysProcessorMs, addedProcessorMs: keysProcessorMs - offProcessorMs },
  }
}
