import { Agent } from 'node:http'
import { median, timed } from '../engine/timing.ts'
import type { Started } from '../serve/http.ts'
import { createHttpClient, type HttpClient } from '../serve/http-client.ts'
import { processorTime } from '../serve/server-process.ts'
import { beginSession } from '../serve/session-client.ts'
import { type Auth, issueToken, serveTeam, type TeamFolder } from './team.ts'

const ROUNDS = 21
const REQUESTS = 200

const CALLS = { ping: {}, MemoryTree: { depth: 3, budget: 1000 } }
const ERAS = ['2025-11-25', '2026-07-28']

export interface RequestCost {
  tool: string
  era: string
  /** Of one request, as its client sees it: medians. */
  offMs: number
  knownMs: number
  addedMs: number
  ratio: number
  /** Of all threads of the server, for one request. */
  offProcessorMs: number
  knownProcessorMs: number
  addedProcessorMs: number
}

type SideName = 'off' | 'known'

interface Side {
  server: Started
  client: Pick<HttpClient, 'call'>
  times: number[]
  processor: number[]
}

/** A request to a server where nobody has to say who they are and to one where everybody does, in turns. */
export async function measureRequests(
  { dir, key }: TeamFolder,
  auth: Exclude<Auth, 'off'>,
): Promise<RequestCost[]> {
  const servers = { off: await serveTeam(dir, 'off'), known: await serveTeam(dir, auth) }
  const credential = auth === 'keys' ? key : await issueToken(dir, servers.known.url)
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  try {
    const costs: RequestCost[] = []
    for (const [tool, args] of Object.entries(CALLS))
      for (const era of ERAS) {
        const sideOf = async (name: SideName): Promise<Side> => {
          const headers: Record<string, string> =
            name === 'off' ? {} : { authorization: `Bearer ${credential}` }
          const server = servers[name]
          const client =
            era === '2025-11-25'
              ? await beginSession(server.url, agent, headers)
              : createHttpClient(server.url, 1, headers)
          return { server, client, times: [], processor: [] }
        }
        const sides = { off: await sideOf('off'), known: await sideOf('known') }
        await measure(sides, (client) => client.call('tools/call', { name: tool, arguments: args }))
        costs.push({ tool, era, ...costOf(sides) })
      }
    return costs
  } finally {
    agent.destroy()
    await Promise.all([servers.off.close(), servers.known.close()])
  }
}

/** The first round warms both; each begins every second one. */
async function measure(
  { off, known }: Record<SideName, Side>,
  ask: (client: Side['client']) => Promise<unknown>,
): Promise<void> {
  for (let round = -1; round < ROUNDS; round++)
    for (const side of round % 2 === 0 ? [off, known] : [known, off]) {
      const pid = side.server.child.pid ?? 0
      const before = processorTime(pid).all
      const times: number[] = []
      for (let at = 0; at < REQUESTS; at++) times.push(await timed(() => ask(side.client)))
      if (round < 0) continue
      side.times.push(...times)
      side.processor.push((processorTime(pid).all - before) / REQUESTS)
    }
}

function costOf({ off, known }: Record<SideName, Side>): Omit<RequestCost, 'tool' | 'era'> {
  const [offMs, knownMs] = [median(off.times), median(known.times)]
  const [offProcessorMs, knownProcessorMs] = [median(off.processor), median(known.processor)]
  return {
    ...{ offMs, knownMs, addedMs: knownMs - offMs, ratio: knownMs / offMs },
    ...{ offProcessorMs, knownProcessorMs, addedProcessorMs: knownProcessorMs - offProcessorMs },
  }
}
