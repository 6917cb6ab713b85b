import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { Worker } from 'node:worker_threads'
import { table, type Verdict, verdict } from '../engine/table.ts'
import { median, timed } from '../engine/timing.ts'
import { createHttpClient } from '../serve/http-client.ts'
import { issueToken, serveTeam, type TeamFolder } from './team.ts'

const ROUNDS = 7
const CALLS = 300
const PACE_MS = 5
const MOST_RATIO = 2

export interface LoginFlood {
  quietP99Ms: number
  floodedP99Ms: number
  /** The median over pairs of rounds. */
  ratio: number
  /** Answers to the flood by status, over all rounds. */
  answers: Record<string, number>
}

/** Calls of a client alone, and while others try passwords as fast as they can, each from another network. */
export async function measureLoginFlood({ dir }: TeamFolder): Promise<LoginFlood> {
  const server = await serveTeam(dir, 'accounts', { REMINDB_SERVER_HTTP_TRUSTED_PROXIES: '127.0.0.1' })
  const client = createHttpClient(server.url, 1, {
    authorization: `Bearer ${await issueToken(dir, server.url)}`,
  })
  const call = (): Promise<unknown> => client.call('tools/call', { name: 'ping', arguments: {} })
  const answers: Record<string, number> = {}
  const pairs: { quiet: number; flooded: number }[] = []
  try {
    for (let round = -1; round < ROUNDS; round++) {
      const quiet = await p99(call)
      const stop = flood(new URL(server.url).origin, answers)
      const flooded = await p99(call)
      await stop()
      if (round >= 0) pairs.push({ quiet, flooded })
    }
  } finally {
    client.close()
    await server.close()
  }
  return {
    quietP99Ms: median(pairs.map(({ quiet }) => quiet)),
    floodedP99Ms: median(pairs.map(({ flooded }) => flooded)),
    ratio: median(pairs.map(({ quiet, flooded }) => flooded / quiet)),
    answers,
  }
}

async function p99(call: () => Promise<unknown>): Promise<number> {
  const times: number[] = []
  for (let at = 0; at < CALLS; at++) {
    times.push(await timed(call))
    await sleep(PACE_MS)
  }
  return times.sort((a, b) => a - b)[Math.floor(CALLS * 0.99)] ?? 0
}

/** In a thread of its own: what it does must not delay the calls that are measured. Returns how to stop it. */
function flood(origin: string, answers: Record<string, number>): () => Promise<void> {
  const worker = new Worker(new URL('./login-flooder.ts', import.meta.url), { workerData: origin })
  return async () => {
    worker.postMessage('stop')
    const [counts] = (await once(worker, 'message')) as [Record<string, number>]
    for (const [status, count] of Object.entries(counts)) answers[status] = (answers[status] ?? 0) + count
  }
}

export function judgeLoginFlood({ ratio }: LoginFlood): Verdict[] {
  return [
    verdict(`p99 of calls during a flood of sign-ins: at most ${MOST_RATIO} times`, ratio, MOST_RATIO, ''),
  ]
}

export function loginFloodLines(figures: LoginFlood): string[] {
  const { answers, ...row } = figures
  return [
    ...table([row], {
      'quiet p99': ({ quietP99Ms }) => `${quietP99Ms.toFixed(2)} ms`,
      'flooded p99': ({ floodedP99Ms }) => `${floodedP99Ms.toFixed(2)} ms`,
      ratio: ({ ratio }) => ratio.toFixed(2),
    }),
    `answers to the flood: ${Object.entries(answers)
      .map(([status, count]) => `${count} × ${status}`)
      .join(', ')}`,
  ]
}
