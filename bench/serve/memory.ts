import { Agent } from 'node:http'
import { median, timed } from '../engine/timing.ts'
import { httpServerOf, programOf, type Started, startServer } from './http.ts'
import type { HttpClient } from './http-client.ts'
import { anonymousMb, processorTime } from './server-process.ts'
import { beginSession } from './session-client.ts'
import { compiledBy } from './starts.ts'

const CLIENTS = 8
const LOAD_MS = 30_000
const IDLE_MS = 35_000
const AFTER_RESOURCES_MS = 60_000
/** A session that made so many calls is left as it is, and another begun: clients seldom say that they leave. */
const CALLS_OF_SESSION = 100
const TREE_READS = 11
const WORDS = ['kalo', 'harbour', 'ledger', 'winter', 'bridge', 'copper']
/** Every one that takes no arguments. */
const RESOURCES = [
  ...['overview', 'files', 'tree', 'graph', 'snapshots', 'temperature', 'doctor', 'logs'],
  ...['sessions', 'sessions/history', 'sessions/logs', 'rescan'],
].map((name) => `remindb://${name}`)

export interface ServerMemory {
  /** `this`, or the checkout it is compared with. */
  program: string
  /** All of them MB of anonymous memory. */
  idleMb: number
  /** At the end of half a minute in which 8 clients read and wrote. */
  loadedMb: number
  calls: number
  /** A minute after every resource was read once. */
  afterResourcesMb: number
  /** `remindb://tree`, of the whole memory. */
  treeMs: number
  /** Of all threads of the server. */
  treeProcessorMs: number
}

type Caller = Pick<HttpClient, 'call'>

/** What a server keeps of a machine's memory, one after the other with another checkout, where one is given. */
export async function measureMemory(notes: string, against?: string): Promise<ServerMemory[]> {
  const measured: ServerMemory[] = []
  for (const program of [...(against === undefined ? [] : [against]), 'this']) {
    const folder = program === 'this' ? notes : compiledBy(program, notes)
    const args = httpServerOf(folder, programOf(program))
    const [load, resources] = [await withServer(args, underLoad), await withServer(args, readResources)]
    measured.push({ program, ...load, ...resources })
  }
  return measured
}

async function withServer<T>(args: string[], measure: (server: Started) => Promise<T>): Promise<T> {
  const server = await startServer(args, CLIENTS)
  try {
    return await measure(server)
  } finally {
    await server.close()
  }
}

async function underLoad({ url, client, child }: Started) {
  await client.call('tools/call', { name: 'MemoryStats', arguments: {} })
  await wait(IDLE_MS)
  const idleMb = anonymousMb(child.pid ?? 0)
  const agent = new Agent({ keepAlive: true, maxSockets: CLIENTS })
  const end = performance.now() + LOAD_MS
  let calls = 0
  const work = async (at: number): Promise<void> => {
    const isOld = at % 2 === 0
    for (let made = 0, caller: Caller = client; performance.now() < end; made++, calls++) {
      if (isOld && made % CALLS_OF_SESSION === 0) caller = await beginSession(url, agent)
      await callOf(caller, at + made)
    }
  }
  await Promise.all(Array.from({ length: CLIENTS }, (_, at) => work(at)))
  const loadedMb = anonymousMb(child.pid ?? 0)
  agent.destroy()
  return { idleMb, loadedMb, calls }
}

/** What agents do, and what shows them to a person. */
function callOf({ call }: Caller, at: number): Promise<string> {
  const query = `${WORDS[at % WORDS.length]} ${WORDS[(at * 3 + 1) % WORDS.length]}`
  const tool = (name: string, args: object) => call('tools/call', { name, arguments: args })
  const kinds = [
    () => tool('MemorySearch', { query }),
    () => tool('MemoryWrite', { payload: `# Note ${at}\n\nWhat was found about ${query}.` }),
    () => tool('MemoryTree', { depth: 3, budget: 1000 }),
    () => tool('MemoryStats', {}),
    () => call('resources/read', { uri: 'remindb://tree?limit=200' }),
    () => call('resources/read', { uri: `remindb://search?q=${encodeURIComponent(query)}` }),
  ]
  return (kinds[at % kinds.length] as () => Promise<string>)()
}

async function readResources({ url, child }: Started) {
  const pid = child.pid ?? 0
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  // Of the era in which an answer is also kept for a client that loses it.
  const { call } = await beginSession(url, agent)
  const read = (uri: string) => call('resources/read', { uri })
  for (const uri of RESOURCES) await read(uri)
  await wait(AFTER_RESOURCES_MS)
  const afterResourcesMb = anonymousMb(pid)
  const trees: { ms: number; processor: number }[] = []
  for (let run = 0; run < TREE_READS; run++) {
    const before = processorTime(pid).all
    const ms = await timed(() => read('remindb://tree'))
    trees.push({ ms, processor: processorTime(pid).all - before })
  }
  agent.destroy()
  return {
    afterResourcesMb,
    treeMs: median(trees.map(({ ms }) => ms)),
    treeProcessorMs: median(trees.map(({ processor }) => processor)),
  }
}

function wait(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms))
}
