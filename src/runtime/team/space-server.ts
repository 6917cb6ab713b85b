import type { Principal } from '../../core/access/principal.ts'
import { coversScope, type NeededScope } from '../../core/access/scopes.ts'
import { problem } from '../../http/problem.ts'
import type { RateLimit } from '../../mcp/model/served.ts'
import type { WebEndpoint } from '../../mcp/web/endpoint.ts'
import type { Client } from '../serve/clients.ts'
import type { MemoryServer } from '../serve/memory-server.ts'
import { openEndpoint } from '../serve/serve-http.ts'
import type { Identity } from './authorize.ts'

/** A request of one client of a space. */
export interface SpaceRequest {
  request: Request
  address: string
  /** Undefined: there are no accounts. */
  identity?: Identity | undefined
  rate?: RateLimit | undefined
  challenge?: (scope: NeededScope) => string
}

/**
 * The identity as it is now; undefined where it no longer holds. `waiting`: its token expired, and its client can get another.
 */
export type FindIdentity = (identity: Identity) => Promise<Identity | 'waiting' | undefined>

/** One client is one agent, or a few: a key that asks for more would take it from others. */
const CLIENT_LIMITS = { maxSessions: 32, maxStreams: 32 }
/** Of one client, that are being answered. */
const MAX_REQUESTS = 64

interface Connected {
  client: Client
  endpoint: WebEndpoint
  identity: Identity | undefined
  usedAt: number
}

/** A space that is open: one memory, and for each of its clients an endpoint of its own. They share no session and no limit. */
export function createSpaceServer(server: MemoryServer, now: () => number) {
  const connected = new Map<string, Connected>()

  function connect({ identity, rate }: SpaceRequest): Connected {
    const name = identity?.owner ?? ''
    const known = connected.get(name) ?? (identity && takeOver(identity))
    if (known) return Object.assign(known, { identity, usedAt: now() })
    const one: Connected = { identity, usedAt: now() } as Connected
    const principal = identity && ((): Principal => (one.identity ?? identity).principal)
    one.client = server.open({ principal, rate })
    one.endpoint = openEndpoint(server, one.client, identity ? CLIENT_LIMITS : undefined)
    connected.set(name, one)
    return one
  }

  /** A client that was granted more goes on with its sessions. Whoever still has the token with less starts again. */
  function takeOver({ principal, owner, hasGrant }: Identity): Connected | undefined {
    if (!hasGrant) return undefined
    const earlier = [...connected].find(
      ([, { identity }]) => identity && isWithin(identity.principal, principal),
    )
    if (!earlier) return undefined
    const [name, one] = earlier
    connected.delete(name)
    connected.set(owner, one)
    return one
  }

  /** Calls that are waiting for their turn are refused then. */
  async function expel(name: string): Promise<void> {
    const one = connected.get(name)
    if (one?.identity) one.identity = withoutScopes(one.identity)
    await disconnect(name)
  }

  async function disconnect(name: string): Promise<void> {
    const one = connected.get(name)
    if (!one) return
    // First: whatever comes next is another client's.
    connected.delete(name)
    one.client.close()
    await one.endpoint.close()
  }

  async function recheck([name, one]: [string, Connected], find: FindIdentity): Promise<void> {
    if (!one.identity) return
    const { secretHash } = one.identity
    const identity = await find(one.identity)
    if (connected.get(name) !== one) return
    // It came with another token meanwhile.
    if (one.identity.secretHash !== secretHash) await recheck([name, one], find)
    else if (identity === 'waiting') await pause(one)
    else if (identity) one.identity = identity
    else await expel(name)
  }

  /** Sessions go on when the client comes with another token: until then nobody can use them. */
  async function pause(one: Connected): Promise<void> {
    if (one.identity) one.identity = withoutEnd(one.identity)
    await one.endpoint.endStreams()
  }

  const isUsed = ({ endpoint }: Connected): boolean => {
    const { requests, streams } = endpoint.counts()
    return requests + streams > 0
  }

  return {
    async fetch(asked: SpaceRequest): Promise<Response> {
      const { endpoint } = connect(asked)
      const { identity, address, challenge } = asked
      if (identity && asked.request.method === 'POST' && endpoint.counts().requests >= MAX_REQUESTS)
        return tooManyOpen()
      // Two clients at one address are two sessions.
      const client = identity?.principal.id ?? ''
      return endpoint.fetch(asked.request, { address, client, challenge })
    },
    /** Ends the sessions and streams of clients that are no longer who they were; the others have the scopes of now. */
    async recheck(find: FindIdentity): Promise<void> {
      await Promise.all([...connected].map((entry) => recheck(entry, find)))
    },
    /** The same for clients whose time is up: nothing is stored when a key or token expires. */
    async recheckExpired(time: number, find: FindIdentity): Promise<void> {
      const expired = [...connected].filter(([, { identity }]) => {
        const until = identity?.principal.until ?? null
        return until !== null && until <= time
      })
      await Promise.all(expired.map((entry) => recheck(entry, find)))
    },
    /** Lets go of clients that have not asked for anything since then. */
    async disconnectIdle(since: number): Promise<void> {
      const idle = [...connected].filter(
        ([, one]) => one.usedAt < since && !isUsed(one) && one.endpoint.counts().sessions === 0,
      )
      await Promise.all(idle.map(([name]) => disconnect(name)))
    },
    /** A request is being answered, or a stream is open. */
    isUsed: (): boolean => [...connected.values()].some(isUsed),
    hasClients: (): boolean => connected.size > 0,
    flush: server.flush,
    async close(): Promise<void> {
      await Promise.all([...connected.keys()].map(disconnect))
      await server.flush()
      await server.close()
    },
  }
}

export type SpaceServer = ReturnType<typeof createSpaceServer>

function withoutScopes({ principal, ...others }: Identity): Identity {
  return { ...others, principal: { ...principal, scopes: [] } }
}

function withoutEnd({ principal, ...others }: Identity): Identity {
  return { ...others, principal: { ...principal, until: null } }
}

function tooManyOpen(): Response {
  const message = `${MAX_REQUESTS} requests of this client are being answered; wait for one of them`
  return problem(429, message, { 'retry-after': '1' })
}

/** Whether they are the same client, and the first may do no more. */
function isWithin(one: Principal, other: Principal): boolean {
  return one.id === other.id && one.scopes.every((scope) => coversScope(other.scopes, scope))
}
