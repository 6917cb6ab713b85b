import { mkdtempSync } from 'node:fs'
import { Agent } from 'node:http'
import { join } from 'node:path'
import { median, timed } from '../engine/timing.ts'
import { httpServerOf, programOf, type Started, startServer } from './http.ts'
import type { HttpClient } from './http-client.ts'
import { processorTime } from './server-process.ts'
import { beginSession } from './session-client.ts'

const CLIENTS = 8
const NOTES = 1200
const ROUNDS = 5
const TOOLS = {
  MemoryWrite: (at: number) => ({ payload: `# Note ${at}\n\nWhat was found out in run ${at}.` }),
  remember: (at: number) => ({ key: `notes-${at}`, value: `What was found out in run ${at}.` }),
}
type ToolName = keyof typeof TOOLS

export interface NoteCost {
  /** `this`, or the checkout it is compared with. */
  program: string
  tool: string
  era: string
  perSecond: number
  /** Of all threads of the server, for one note. */
  processorMs: number
  mainThreadMs: number
}

interface Writer {
  cost: Omit<NoteCost, 'perSecond' | 'processorMs' | 'mainThreadMs'>
  server: Started
  clients: Pick<HttpClient, 'call'>[]
  rounds: { seconds: number; all: number; main: number }[]
}

/** What one note costs the server while 8 clients write, in both eras; in turns with another checkout, where one is given. */
export async function measureNotes(folder: string, against?: string): Promise<NoteCost[]> {
  const costs: NoteCost[] = []
  for (const tool of Object.keys(TOOLS) as ToolName[])
    for (const era of ['2025-11-25', '2026-07-28'])
      costs.push(...(await measureTool(folder, tool, era, against)))
  return costs
}

async function measureTool(
  folder: string,
  tool: ToolName,
  era: string,
  against?: string,
): Promise<NoteCost[]> {
  const agent = new Agent({ keepAlive: true, maxSockets: CLIENTS * 2 })
  const writers: Writer[] = []
  try {
    for (const program of ['this', ...(against === undefined ? [] : [against])]) {
      const db = join(mkdtempSync(join(folder, 'notes-')), 'memory.db')
      const args = [...httpServerOf(db, programOf(program)), '--tools', 'tree,keys']
      const server = await startServer(args, CLIENTS)
      const clients = await clientsOf(server, era, agent)
      writers.push({ cost: { program, tool, era }, server, clients, rounds: [] })
    }
    // The first round warms them.
    for (let round = 0; round <= ROUNDS; round++)
      for (const writer of writers) await writeRound(writer, TOOLS[tool], round)
    return writers.map(costOf)
  } finally {
    agent.destroy()
    await Promise.all(writers.map(({ server }) => server.close()))
  }
}

async function clientsOf({ url, client }: Started, era: string, agent: Agent): Promise<Writer['clients']> {
  const isOld = era === '2025-11-25'
  return Promise.all(Array.from({ length: CLIENTS }, () => (isOld ? beginSession(url, agent) : client)))
}

async function writeRound(writer: Writer, argsOf: (at: number) => object, round: number): Promise<void> {
  const { cost, server, clients, rounds } = writer
  const pid = server.child.pid ?? 0
  let next = round * NOTES
  const write = async ({ call }: Pick<HttpClient, 'call'>): Promise<void> => {
    while (next < (round + 1) * NOTES)
      await call('tools/call', { name: cost.tool, arguments: argsOf(next++) })
  }
  const before = processorTime(pid)
  const ms = await timed(() => Promise.all(clients.map(write)))
  const after = processorTime(pid)
  if (round === 0) return
  rounds.push({ seconds: ms / 1000, all: after.all - before.all, main: after.main - before.main })
}

function costOf({ cost, rounds }: Writer): NoteCost {
  return {
    ...cost,
    perSecond: NOTES / median(rounds.map(({ seconds }) => seconds)),
    processorMs: median(rounds.map(({ all }) => all)) / NOTES,
    mainThreadMs: median(rounds.map(({ main }) => main)) / NOTES,
  }
}
