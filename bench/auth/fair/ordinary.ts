/** A process of its own: clients that each make a call now and then, and how long each takes. */
import { Agent } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { createRandom } from '../../engine/corpus.ts'
import { headersOf, META, post } from '../../serve/http-client.ts'
import { ordinaryCalls, STORED_FIRST, type ToolCall } from './requests.ts'

export interface OrdinaryPlan {
  url: string
  keys: readonly string[]
  /** Between two calls of one client, on average. */
  everyMs: number
}

export interface OrdinaryReport {
  /** In milliseconds, of every call. */
  times: { name: string; ms: number }[]
  processorMs: number
}

type Ask = () => Promise<{ name: string; ms: number }>

let clients: { ask: Ask; random: () => number }[] = []
let everyMs = 0

process.on('message', async (order: OrdinaryPlan | { forMs: number }) => {
  process.send?.('forMs' in order ? await measure(order.forMs) : await begin(order))
})

async function begin(plan: OrdinaryPlan): Promise<'ready'> {
  everyMs = plan.everyMs
  clients = plan.keys.map((key, at) => ({
    ask: createAsk(plan.url, key, at),
    random: createRandom(100 + at),
  }))
  for (const { ask } of clients) for (let at = 0; at < STORED_FIRST; at++) await ask()
  return 'ready'
}

async function measure(forMs: number): Promise<OrdinaryReport> {
  const before = process.cpuUsage()
  const until = performance.now() + forMs
  const times = await Promise.all(
    clients.map(async ({ ask, random }) => {
      const own: Awaited<ReturnType<Ask>>[] = []
      // They do not all ask at once.
      let due = performance.now() + random() * everyMs
      while (due < until) {
        await sleep(Math.max(0, due - performance.now()))
        own.push(await ask())
        due = Math.max(due + 2 * random() * everyMs, performance.now())
      }
      return own
    }),
  )
  const { user, system } = process.cpuUsage(before)
  return { times: times.flat(), processorMs: (user + system) / 1000 }
}

function createAsk(url: string, key: string, client: number): Ask {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  const next = ordinaryCalls(client)
  let id = 0
  async function call({ name, args }: ToolCall): Promise<void> {
    const params = { name, arguments: args, _meta: META }
    const body = JSON.stringify({ jsonrpc: '2.0', id: ++id, method: 'tools/call', params })
    const headers = { ...headersOf('tools/call', params), authorization: `Bearer ${key}` }
    const { text } = await post(url, agent, body, headers)
    if (text.includes('"isError":true')) throw new Error(`${name}: ${text.slice(0, 300)}`)
  }
  return async () => {
    const asked = next()
    const start = performance.now()
    await call(asked)
    return { name: asked.name, ms: performance.now() - start }
  }
}
