import { Server, type ServerContext } from '@modelcontextprotocol/server'
import { createDispatcher, type Method } from './dispatch.ts'
import { instructionsOf } from './instructions.ts'
import { type Allowance, mostAccess } from './model/access.ts'
import type { Caller } from './model/caller.ts'
import { offeredTools } from './model/permissions.ts'
import type { Era } from './model/request.ts'
import type { Served } from './model/served.ts'
import { withProgress } from './progress.ts'
import { HAS_LIVE_ENTRIES } from './resources/list-resources.ts'
import type { Subscriptions } from './subscriptions/subscribe.ts'

/** The first revision of the new era. */
const NEW_ERA = '2026-07-28'

export interface ServerOptions extends Subscriptions {
  era: Era
  /** Who sends requests that carry this envelope; none: who opened the connection. */
  callerOf: (envelope?: unknown) => Caller
}

const LIST_TTL_MS = 3_600_000
/** What a client was granted may be another thing soon. */
const GRANTED_LIST_TTL_MS = 60_000

/** Lists do not change while a server runs, and are nobody's secret, unless clients are granted this or that. */
function listCache({ scopes }: Allowance) {
  return scopes === undefined
    ? ({ ttlMs: LIST_TTL_MS, cacheScope: 'public' } as const)
    : ({ ttlMs: GRANTED_LIST_TTL_MS, cacheScope: 'private' } as const)
}

const LISTS = [
  'tools/list',
  'prompts/list',
  // What settings add to it may be another one after a restart, which a client over HTTP does not see.
  ...(HAS_LIVE_ENTRIES ? [] : (['resources/list'] as const)),
  'resources/templates/list',
  'server/discover',
] as const

const ALWAYS: readonly Method[] = ['tools/list', 'tools/call', 'prompts/list', 'prompts/get']
const WITH_RESOURCES: readonly Method[] = ['resources/list', 'resources/templates/list', 'resources/read']
/** In the new era a client listens to a stream, which the SDK serves. */
const IN_OLD_ERA: readonly Method[] = ['resources/subscribe', 'resources/unsubscribe']

/** A server object for one connection, or one request. It only speaks the protocol: `dispatch` answers. */
export function createServer(served: Served, options: ServerOptions): Server {
  const { era, callerOf } = options
  const hasResources = served.schemes.length > 0
  const allowed = served.allowed()
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
      instructions: instructionsOf(offeredTools(served.tools, allowed), mostAccess(allowed)),
      cacheHints: Object.fromEntries(LISTS.map((method) => [method, listCache(allowed)])),
    },
  )
  const dispatch = createDispatcher(served, options)
  const protocol = (): string => (era === 'modern' ? NEW_ERA : (server.getNegotiatedProtocolVersion() ?? ''))
  for (const method of [
    ...ALWAYS,
    ...(hasResources ? WITH_RESOURCES : []),
    ...(hasResources && era === 'legacy' ? IN_OLD_ERA : []),
  ])
    answer(server, method, ({ params }, { mcpReq }) => {
      const { signal, _meta: meta, envelope } = mcpReq
      const caller = callerOf(envelope)
      return withProgress(mcpReq, () =>
        dispatch(method, { params, caller, protocol: protocol(), signal, meta }),
      )
    })
  return server
}

/** The SDK has a type of request for each method; which of them a method has is said by what prepares its calls. */
function answer(
  server: Server,
  method: Method,
  handler: (request: { params?: unknown }, context: ServerContext) => Promise<unknown>,
): void {
  server.setRequestHandler(method, handler as never)
}
