import { join } from 'node:path'
import { type Memory, openMemory } from '../../src/index.ts'
import { median, timed } from '../engine/timing.ts'
import { INITIALIZE, type LineClient, startClient } from './line-client.ts'
import { questionFor } from './question.ts'
import { serverOf } from './starts.ts'

const RUNS = 200
const WARM_UP = 30
const NOOP = join(import.meta.dirname, 'noop.ts')

export interface Call {
  tool: string
  roundTripMs: number
  noopMs: number
  operationMs: number
  ratio: number
}

interface Case {
  tool: string
  args: object
  operation: (memory: Memory) => Promise<unknown>
}

/** Round trips of calls, in turns with nothing over the same stack and with the operation in this process. */
export async function measureCalls(notes: string): Promise<Call[]> {
  await using memory = await openMemory({ db: notes, settings: { author: 'bench' } })
  const server = await connect(serverOf(notes))
  const noop = await connect([NOOP])
  try {
    const calls: Call[] = []
    for (const one of await casesOf(memory)) calls.push(await measure(one, { memory, server, noop }))
    return calls
  } finally {
    await Promise.all([server.close(), noop.close()])
  }
}

async function connect(args: string[]): Promise<LineClient> {
  const client = startClient(args)
  await client.request('initialize', INITIALIZE)
  return client
}

async function casesOf(memory: Memory): Promise<Case[]> {
  const { id, query } = await questionFor(memory)
  return [
    { tool: 'MemorySearch', args: { query }, operation: (at) => at.search({ query }) },
    { tool: 'MemoryFetch', args: { anchor: id }, operation: (at) => at.fetch({ anchor: id }) },
    {
      tool: 'MemoryTree',
      args: { depth: 3, budget: 1000 },
      operation: (at) => at.tree({ depth: 3, budget: 1000 }),
    },
    {
      tool: 'MemoryStats',
      args: {},
      operation: (at) => Promise.all([at.overview(), at.coldest({ below: 0.1, limit: 50 })]),
    },
  ]
}

async function measure(
  { tool, args, operation }: Case,
  { memory, server, noop }: { memory: Memory; server: LineClient; noop: LineClient },
): Promise<Call> {
  const times = { roundTrip: [] as number[], noop: [] as number[], operation: [] as number[] }
  for (let run = -WARM_UP; run < RUNS; run++) {
    const roundTrip = await timed(() => server.request('tools/call', { name: tool, arguments: args }))
    const nothing = await timed(() => noop.request('tools/call', { name: 'Noop', arguments: {} }))
    const alone = await timed(() => operation(memory))
    if (run < 0) continue
    times.roundTrip.push(roundTrip)
    times.noop.push(nothing)
    times.operation.push(alone)
  }
  const [roundTripMs, noopMs, operationMs] = [
    median(times.roundTrip),
    median(times.noop),
    median(times.operation),
  ]
  return { tool, roundTripMs, noopMs, operationMs, ratio: roundTripMs / (noopMs + operationMs) }
}
