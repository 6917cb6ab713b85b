import { join } from 'node:path'
import { type Memory, openMemory } from '../../src/index.ts'
import { toolsOf } from '../../src/mcp/toolsets.ts'
import { agentMemories } from '../../src/runtime/serve/agent-memory.ts'
import { createCompileRuns } from '../../src/runtime/serve/compile-runs.ts'
import { temperatureOf } from '../../src/runtime/settings/temperature.ts'
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
    { tool: 'MemorySearch', args: { query } },
    { tool: 'MemoryFetch', args: { id: id } },
    { tool: 'MemoryTree', args: { depth: 3, budget: 1000 } },
    { tool: 'MemoryStats', args: {} },
  ]
}

/** The tool itself, called here: its texts and data are made, and go nowhere. */
function callHere(memory: Memory, name: string, args: object): () => Promise<unknown> {
  const tool = toolsOf(['tree']).find((one) => one.name === name)
  if (!tool) throw new Error(`there is no tool ${name}`)
  const config = memory.settings()
  const runs = createCompileRuns({ onFailure: () => undefined })
  const as = agentMemories({ memory, config, runs, temperature: () => temperatureOf(config) })
  const context = {
    memory: as({ author: 'bench' }),
    signal: new AbortController().signal,
    isCompiling: false,
    meta: {},
  }
  return async () => tool.call(context, tool.input.parse(args))
}

async function measure(
  { tool, args }: Case,
  { memory, server, noop }: { memory: Memory; server: LineClient; noop: LineClient },
): Promise<Call> {
  const operation = callHere(memory, tool, args)
  const times = { roundTrip: [] as number[], noop: [] as number[], operation: [] as number[] }
  for (let run = -WARM_UP; run < RUNS; run++) {
    const roundTrip = await timed(() => server.request('tools/call', { name: tool, arguments: args }))
    const nothing = await timed(() => noop.request('tools/call', { name: 'Noop', arguments: {} }))
    const alone = await timed(operation)
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
