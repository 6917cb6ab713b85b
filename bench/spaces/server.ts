import { Agent } from 'node:http'
import { createRandom, words } from '../engine/corpus.ts'
import { timed } from '../engine/timing.ts'
import { programOf, type Started, startServer } from '../serve/http.ts'
import { headersOf, META, post } from '../serve/http-client.ts'
import { peakResidentMb, residentMb } from '../serve/server-process.ts'
import { type Lists, type ServerFigures, timesOf } from './server-figures.ts'
import type { KeyedSpace } from './team-folder.ts'

export interface ServerPlan {
  dir: string
  /** The first of them loads what is loaded once. */
  keyed: readonly KeyedSpace[]
  active: number
  rounds: number
  /** How many the server has open at most. Default: as it is set without being asked. */
  maxOpen?: number
}

const WARM_UP = 20

/** The built program, asked over HTTP by one client for each space, one request at a time. Spaces beyond `active` come after the rounds. */
export async function measureServer({
  dir,
  keyed,
  active,
  rounds,
  maxOpen,
}: ServerPlan): Promise<ServerFigures> {
  const server = await serve(dir, maxOpen)
  const { search, write, close } = createCalls(server)
  const pid = server.child.pid ?? 0
  try {
    const [first, ...others] = keyed
    for (let at = 0; first && at < WARM_UP; at++) {
      await search(first)
      await write(first)
    }
    const startMb = residentMb(pid)
    const times: Lists = { cold: [], warm: [], churned: [], write: [], search: [] }
    const use = async (name: keyof Lists, space: KeyedSpace, call: typeof search) =>
      void times[name].push(await timed(() => call(space)))

    for (const space of others.slice(0, active)) {
      await use('cold', space, search)
      await use('warm', space, search)
    }
    for (let round = 0; round < rounds; round++)
      for (const space of others.slice(0, active)) {
        await use('write', space, write)
        await use('search', space, search)
      }
    const activeMb = residentMb(pid)
    for (const space of others.slice(active)) await use('churned', space, search)
    const figures = { startMb, activeMb, churnedMb: residentMb(pid), peakMb: peakResidentMb(pid) }
    return { ...figures, ...timesOf(times) }
  } finally {
    close()
    await server.close()
  }
}

function serve(dir: string, maxOpen: number | undefined): Promise<Started> {
  const args = ['serve', '--spaces', dir, '--auth', 'keys', '--listen', '127.0.0.1:0']
  return startServer([programOf('this'), ...args], 1, {
    REMINDB_RATE_PER_MINUTE: 'none',
    REMINDB_RATE_PER_DAY: 'none',
    ...(maxOpen === undefined ? {} : { REMINDB_SERVER_SPACES_MAX_OPEN: String(maxOpen) }),
  })
}

/** One connection for all: what is measured is the space, not how it is reached. */
function createCalls({ url }: Started) {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  const random = createRandom(1)
  let id = 0

  async function call({ name: space, key }: KeyedSpace, name: string, args: object): Promise<void> {
    const params = { name, arguments: args, _meta: META }
    const body = JSON.stringify({ jsonrpc: '2.0', id: ++id, method: 'tools/call', params })
    const headers = { ...headersOf('tools/call', params), authorization: `Bearer ${key}` }
    const { text } = await post(url.replace('{space}', space), agent, body, headers)
    if (text.includes('"isError":true')) throw new Error(`${name}: ${text.slice(0, 300)}`)
  }

  return {
    search: (space: KeyedSpace) => call(space, 'MemorySearch', { query: words(random, 2) }),
    write: (space: KeyedSpace) =>
      call(space, 'MemoryWrite', {
        payload: `# ${words(random, 4)}\n\n${words(random, 30)}.\n\n${words(random, 30)}.`,
      }),
    close: () => agent.destroy(),
  }
}
