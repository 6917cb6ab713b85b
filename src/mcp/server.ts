import { type ProtocolError, Server, type ServerContext } from '@modelcontextprotocol/server'
import { createGate, type Gate } from '../util/gate.ts'
import { sendsData } from './answer-data.ts'
import { callTool } from './call-tool.ts'
import { invalidParams } from './errors.ts'
import { instructionsOf } from './instructions.ts'
import { offeredTools } from './permissions.ts'
import { withProgress } from './progress.ts'
import { getPrompt } from './prompts/get-prompt.ts'
import { promptsOf } from './prompts/prompts.ts'
import { readResource } from './read-resource.ts'
import { TEMPLATE_ENTRIES } from './resources/list.ts'
import { HAS_LIVE_ENTRIES, listResources } from './resources/list-resources.ts'
import { isServed, type Scheme } from './resources/scheme.ts'
import { short } from './resources/uri.ts'
import { MAX_RUNNING } from './running.ts'
import type { Caller, Served } from './served.ts'
import type { Held } from './subscriptions/held.ts'
import { SUBSCRIBABLE, uriOf } from './subscriptions/subscribable.ts'
import { listedTool } from './tools/listed-tool.ts'
import type { Tool } from './tools/tool.ts'

export type Era = 'legacy' | 'modern'
/** The first revision of the new era. */
const NEW_ERA = '2026-07-28'

export interface ServerOptions {
  era: Era
  /** Who sent a request. */
  callerOf: (context: ServerContext) => Caller
  /** In the old era: what this client wants to hear of, and what it can. In the new one it asks elsewhere. */
  subscribed?: Pick<Held, 'add' | 'delete'>
  canSubscribe?: (uri: string) => boolean
}

/** Lists do not change while a server runs; what they list is nobody's secret. */
const LIST_CACHE = { ttlMs: 3_600_000, cacheScope: 'public' } as const
const LISTS = [
  'tools/list',
  'prompts/list',
  // What settings add to it may be another one after a restart, which a client over HTTP does not see.
  ...(HAS_LIVE_ENTRIES ? [] : (['resources/list'] as const)),
  'resources/templates/list',
  'server/discover',
] as const

/** A server object for one connection, or one request. Which tools and resources there are was decided before. */
export function createServer(served: Served, options: ServerOptions): Server {
  const { era, callerOf } = options
  const hasResources = served.schemes.length > 0
  const offered = offeredTools(served.tools, served.allowed)
  const server = new Server(
    { name: 'remindb', title: 'remindb', version: served.version },
    {
      capabilities: {
        tools: {},
        ...(hasResources && { resources: { subscribe: true } }),
        prompts: {},
        // The new era has no such messages: clients ask for what became cold.
        ...(era === 'legacy' ? { logging: {} } : {}),
      },
      instructions: instructionsOf(offered, served.allowed),
      cacheHints: Object.fromEntries(LISTS.map((method) => [method, LIST_CACHE])),
    },
  )
  // Also of what was cancelled: nobody waits for it, but it runs to its end.
  const gate = createGate(MAX_RUNNING)
  serveTools(server, served, { era, callerOf, gate, offered })
  if (hasResources) serveResources(server, served, gate)
  servePrompts(server, served, { era, callerOf, gate, offered })
  if (hasResources && era === 'legacy') serveSubscriptions(server, served, options)
  return server
}

interface Serving extends Pick<ServerOptions, 'era' | 'callerOf'> {
  gate: Gate
  /** What a client is shown. */
  offered: readonly Tool[]
}

function serveTools(server: Server, served: Served, { era, callerOf, gate, offered }: Serving): void {
  const protocolOf = (): string =>
    era === 'modern' ? NEW_ERA : (server.getNegotiatedProtocolVersion() ?? '')
  server.setRequestHandler('tools/list', async () => {
    const choice = { answers: served.answers, protocol: protocolOf() }
    return { tools: offered.map((tool) => listedTool(tool, sendsData(tool, choice))) }
  })
  server.setRequestHandler('tools/call', ({ params }, context) => {
    const { signal, _meta: meta } = context.mcpReq
    const call = { name: params.name, args: params.arguments, caller: callerOf(context), signal, meta }
    const asked = { ...call, protocol: protocolOf() }
    return withProgress(context.mcpReq, () => gate(() => callTool(served, asked), signal))
  })
}

function serveResources(server: Server, served: Served, gate: Gate): void {
  const resourceTemplates = TEMPLATE_ENTRIES.filter(({ uriTemplate }) =>
    isServed(served.schemes, uriTemplate),
  )
  server.setRequestHandler('resources/list', (_, { mcpReq: { signal } }) =>
    gate(async () => ({ resources: await listResources(served) }), signal),
  )
  server.setRequestHandler('resources/templates/list', async () => ({ resourceTemplates }))
  server.setRequestHandler('resources/read', ({ params }, { mcpReq: { signal } }) =>
    gate(() => readResource(served, params.uri), signal),
  )
}

function servePrompts(server: Server, served: Served, { callerOf, gate, offered }: Serving): void {
  const known = promptsOf(offered)
  const prompts = known.map(({ name, title, description, arguments: wanted }) => ({
    ...{ name, title, description },
    ...(wanted && { arguments: wanted.map((argument) => ({ ...argument })) }),
  }))
  server.setRequestHandler('prompts/list', async () => ({ prompts }))
  server.setRequestHandler('prompts/get', ({ params }, context) => {
    const asked = { name: params.name, args: params.arguments, author: callerOf(context).author }
    return gate(() => getPrompt(served, known, asked), context.mcpReq.signal)
  })
}

function serveSubscriptions(
  server: Server,
  { schemes }: Pick<Served, 'schemes'>,
  { subscribed, canSubscribe }: ServerOptions,
): void {
  server.setRequestHandler('resources/subscribe', async ({ params: { uri } }) => {
    if (!canSubscribe?.(uri)) throw notSubscribable(uri, schemes)
    await subscribed?.add(uri)
    return {}
  })
  server.setRequestHandler('resources/unsubscribe', async ({ params: { uri } }) => {
    subscribed?.delete(uri)
    return {}
  })
}

function notSubscribable(uri: string, schemes: readonly Scheme[]): ProtocolError {
  const known = [...SUBSCRIBABLE.map(uriOf), 'memory:// views, keys and their index']
  const offered = known.filter((one) => isServed(schemes, one)).join(', ')
  return invalidParams(`resource "${short(uri)}" is not subscribable; subscribable are ${offered}`)
}
