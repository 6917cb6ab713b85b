import { copyFileSync } from 'node:fs'
import { join } from 'node:path'
import type { WriteCaller } from '../../src/core/access/principal.ts'
import { openMemory } from '../../src/index.ts'
import { createRandom, words } from '../engine/corpus.ts'
import { milliseconds, table, type Verdict, verdict } from '../engine/table.ts'
import { median, processorClock } from '../engine/timing.ts'
import { createHttpClient } from '../serve/http-client.ts'
import { processorTime } from '../serve/server-process.ts'
import { type Auth, createTeamFolder, serveTeam } from './team.ts'

/** What a write costs without anybody who is known, and with a key: audit and quotas. */
export interface WriteCost {
  /** `library`: the same in one process, where nobody has to prove who they are. `server`: `--auth off` and `--auth keys`. */
  where: 'library' | 'server'
  tool: string
  plainMs: number
  auditedMs: number
  /** How much more, in percent: the median of the rounds, each with both sides. */
  addedPercent: number
  /** Of all threads. */
  plainProcessorMs: number
  auditedProcessorMs: number
  addedProcessorPercent: number
}

const ROUNDS = 31
const WRITES = 40
const WARM_UP = 3
const KEYS = 50
const TOOLS = ['remember', 'MemoryWrite'] as const
type Tool = (typeof TOOLS)[number]
type Write = (tool: Tool) => Promise<unknown>

interface Side {
  write: Write
  /** Milliseconds of the processor so far. */
  clock: () => number
}

interface Round {
  ms: number
  processorMs: number
}

/** Both sides in turns, each with a memory of its own. */
export async function measureWriteCost(work: string, memory: string): Promise<WriteCost[]> {
  return [...(await inLibrary(work, memory)), ...(await overServers(work, memory))]
}

const CALLER: WriteCaller = {
  ...{ userId: 'u-bench', principalId: 'k-bench', address: '127.0.0.1' },
  limits: { memories: 1_000_000, bytes: 1_000_000_000 },
}

async function inLibrary(work: string, from: string): Promise<WriteCost[]> {
  const open = async (name: string, caller?: WriteCaller) => {
    const db = join(work, `${name}.db`)
    copyFileSync(from, db)
    const memory = await openMemory({ db, settings: { author: 'bench' } })
    const { keys, write } = memory.by('bench', { caller })
    const make = createArguments()
    return {
      memory,
      write: (tool: Tool) => (tool === 'remember' ? keys.remember(make(tool)) : write(make(tool))),
      clock: processorClock,
    }
  }
  const sides = { plain: await open('plain'), audited: await open('audited', CALLER) }
  try {
    return await measureAll('library', sides)
  } finally {
    await Promise.all([sides.plain.memory.close(), sides.audited.memory.close()])
  }
}

async function overServers(work: string, from: string): Promise<WriteCost[]> {
  const open = async (auth: Auth) => {
    const { dir, key } = await createTeamFolder(join(work, `writes-${auth}`), from)
    const server = await serveTeam(dir, auth)
    const client = createHttpClient(server.url, 1, auth === 'off' ? {} : { authorization: `Bearer ${key}` })
    const make = createArguments()
    return {
      server,
      client,
      write: (tool: Tool) => client.call('tools/call', { name: tool, arguments: make(tool) }),
      clock: () => processorTime(server.child.pid ?? 0).all,
    }
  }
  const sides = { plain: await open('off'), audited: await open('keys') }
  try {
    return await measureAll('server', sides)
  } finally {
    for (const { client, server } of Object.values(sides)) {
      client.close()
      await server.close()
    }
  }
}

async function measureAll(
  where: WriteCost['where'],
  sides: Record<'plain' | 'audited', Side>,
): Promise<WriteCost[]> {
  const costs: WriteCost[] = []
  for (const tool of TOOLS) costs.push({ where, tool, ...(await measure(sides, tool)) })
  return costs
}

/** The first rounds warm both; each begins every second one. */
async function measure(
  { plain, audited }: Record<'plain' | 'audited', Side>,
  tool: Tool,
): Promise<Omit<WriteCost, 'where' | 'tool'>> {
  const rounds: { plain: Round; audited: Round }[] = []
  for (let at = -WARM_UP; at < ROUNDS; at++) {
    const first = at % 2 === 0 ? plain : audited
    const one = await round(first, tool)
    const other = await round(first === plain ? audited : plain, tool)
    if (at >= 0)
      rounds.push(first === plain ? { plain: one, audited: other } : { plain: other, audited: one })
  }
  const medianOf = (value: (pair: { plain: Round; audited: Round }) => number) => median(rounds.map(value))
  const more = (before: number, after: number): number => 100 * (after / before - 1)
  return {
    plainMs: medianOf((pair) => pair.plain.ms),
    auditedMs: medianOf((pair) => pair.audited.ms),
    addedPercent: medianOf((pair) => more(pair.plain.ms, pair.audited.ms)),
    plainProcessorMs: medianOf((pair) => pair.plain.processorMs),
    auditedProcessorMs: medianOf((pair) => pair.audited.processorMs),
    addedProcessorPercent: medianOf((pair) => more(pair.plain.processorMs, pair.audited.processorMs)),
  }
}

async function round({ write, clock }: Side, tool: Tool): Promise<Round> {
  const times: number[] = []
  const before = clock()
  for (let at = 0; at < WRITES; at++) {
    const start = performance.now()
    await write(tool)
    times.push(performance.now() - start)
  }
  return { ms: median(times), processorMs: (clock() - before) / WRITES }
}

/** New values of a few keys, and new notes: the same ones on both sides. */
function createArguments() {
  const random = createRandom(1)
  let at = 0
  const made = {
    remember: () => ({ key: `key-${at++ % KEYS}`, value: words(random, 40) }),
    MemoryWrite: () => ({
      payload: `# ${words(random, 4)}\n\n${words(random, 30)}.\n\n${words(random, 30)}.`,
    }),
  }
  return <T extends Tool>(tool: T) => made[tool]() as ReturnType<(typeof made)[T]>
}

const MOST_ADDED_PERCENT = 10

export function judgeWriteCost(costs: readonly WriteCost[]): Verdict[] {
  return costs.flatMap(({ where, tool, addedPercent, addedProcessorPercent }) => [
    verdict(`${where}, ${tool}: audit and quotas add at most 10 %`, addedPercent, MOST_ADDED_PERCENT, ' %'),
    verdict(
      `${where}, ${tool}: at most 10 % of processor time`,
      addedProcessorPercent,
      MOST_ADDED_PERCENT,
      ' %',
    ),
  ])
}

export function writeCostLines(costs: WriteCost[]): string[] {
  return table(costs, {
    where: (row) => row.where,
    tool: (row) => row.tool,
    without: (row) => milliseconds(row.plainMs),
    with: (row) => milliseconds(row.auditedMs),
    added: (row) => `${row.addedPercent.toFixed(1)} %`,
    'without, processor': (row) => milliseconds(row.plainProcessorMs),
    'with, processor': (row) => milliseconds(row.auditedProcessorMs),
    'added, processor': (row) => `${row.addedProcessorPercent.toFixed(1)} %`,
  })
}
