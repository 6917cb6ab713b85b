import type { Accounts } from '../../core/accounts/accounts.ts'
import type { Space } from '../../core/accounts/model.ts'
import type { AppHandler, AppRoute, Cors, MethodRoute } from '../../http/app.ts'
import type { HttpConnection } from '../../http/connection.ts'
import { endpointPath, MCP_PATH } from '../../http/endpoint-path.ts'
import { problem } from '../../http/problem.ts'
import { failureFields, reasonFields } from '../../mcp/model/errors.ts'
import type { Log } from '../../util/log.ts'
import { createAdmission } from './admission.ts'
import { type Authorized, createAuthorize, type Identity, scopeChallenge } from './authorize.ts'
import { createChildKeys } from './child-keys.ts'
import { METADATA_PATH, resourceMetadata } from './metadata.ts'
import { type RateLimits, tooManyCalls } from './rate-limits.ts'
import type { FindIdentity } from './space-server.ts'
import type { SpaceServers } from './space-servers.ts'

export interface TeamParts {
  accounts: Accounts
  spaces: SpaceServers
  rates: RateLimits
  /** `off`: whoever reaches the server is its operator. */
  auth: 'off' | 'keys' | 'accounts'
  /** In addition, such as those for people who sign in. */
  routes?: readonly AppRoute[]
  /** Which space `/mcp` is, where clients do not say who they are. Default: the only one. */
  defaultSpace?: string | undefined
  /** Without a path. */
  publicUrl: () => string
  now: () => number
  log: Log
}

const SPACE_PATH = `/s/:space${MCP_PATH}`
/** How often it is checked which keys have expired. */
const EXPIRY_MS = 500

/** Answers for many spaces: who asks, and which space is meant, is known before anything of a body is read. */
export function createTeamServer(parts: TeamParts) {
  const { accounts, spaces, auth, publicUrl, log } = parts
  const authorize = createAuthorize({ accounts, publicUrl, hasTokens: auth === 'accounts' })
  const childKeys = createChildKeys(accounts, parts.now)
  const admit = createAdmission()

  const stopWatching = accounts.watch(createFollowUp(recheckOrEnd))

  const expiry = setInterval(() => {
    spaces
      .recheckExpired(parts.now(), findOrEnd)
      .catch((error) => log.error('serve: clients cannot be disconnected', failureFields(error)))
  }, EXPIRY_MS)
  expiry.unref()

  /** If it is not known who may still do what, nobody may. */
  async function recheckOrEnd(): Promise<void> {
    try {
      await recheck()
    } catch (error) {
      log.error('serve: accounts cannot be read; all clients are disconnected', reasonFields(error))
      await spaces.recheck(
        async () => true,
        async () => undefined,
      )
    }
  }

  async function recheck(): Promise<void> {
    const served = new Set((await accounts.spaces.list()).filter(isServed).map(({ id }) => id))
    await spaces.recheck(async (id) => served.has(id), find)
  }

  const find: FindIdentity = async (identity) => {
    const { principal, secretHash } = identity
    const current = await accounts.current(principal.id, secretHash)
    if (current) return { ...identity, principal: current }
    return (await accounts.canRenew(principal.id, secretHash)) ? 'waiting' : undefined
  }

  const findOrEnd: FindIdentity = (identity) =>
    find(identity).catch((error) => {
      log.error('serve: accounts cannot be read; a client is disconnected', reasonFields(error))
      return undefined
    })

  async function mcp(request: Request, { address }: HttpConnection, name?: string): Promise<Response> {
    const path = endpointPath(name)
    if (auth === 'off') {
      const space = await findSpace(name)
      return space ? spaces.fetch(space, { request, address }) : noSpace(name)
    }
    return asHolder(request, name, (identity, rate) => {
      const challenge = scopeChallenge(publicUrl(), path)
      const { spaceId: id, space } = identity.principal
      return spaces.fetch({ id, name: space }, { request, address, identity, rate, challenge })
    })
  }

  /** Answers a request of who has a key for this space, unless it asks too often. */
  async function asHolder(
    request: Request,
    space: string | undefined,
    answer: (identity: Identity, rate: ReturnType<RateLimits>) => Promise<Response>,
  ): Promise<Response> {
    const authorized = await authorizeInTurn(request, endpointPath(space))
    if (authorized.kind === 'refused') return authorized.response
    const { identity } = authorized
    if (!isFor(identity, space)) return noSpace(space)
    const rate = parts.rates(identity.principal)
    const entered = rate.enter()
    if ('retryAfter' in entered) return tooManyRequests(entered.retryAfter)
    try {
      return await answer(identity, rate)
    } finally {
      entered.leave()
    }
  }

  /** All who do not say who they are wait for one another. */
  async function authorizeInTurn(request: Request, path: string): Promise<Authorized> {
    const authorized = await authorize(request, path)
    const wait = admit(authorized.kind === 'ok' ? authorized.identity.principal.rootId : '')
    if (!wait) return authorized
    await wait
    // The key may have been revoked meanwhile.
    return authorize(request, path)
  }

  /** A key is for one space. Another one is not there for it. */
  function isFor({ principal }: Identity, name: string | undefined): boolean {
    return name === undefined || name === principal.space
  }

  async function findSpace(name = parts.defaultSpace): Promise<Space | undefined> {
    if (name !== undefined) {
      const space = await accounts.spaces.find(name)
      return space && isServed(space) ? space : undefined
    }
    const [only, another] = (await accounts.spaces.list()).filter(isServed)
    return another ? undefined : only
  }

  /** For what only the holder of a key can do. */
  const withIdentity =
    (handle: HolderHandler): AppHandler =>
    async (request, { address }, names) => {
      return asHolder(request, names.space, async (identity, rate) => {
        if (identity.hasGrant) return problem(403, 'keys are made with an API key, not with an access token')
        const refused = rate.take()
        return refused ? tooManyRequests(refused.retryAfter) : handle(request, { identity, address, names })
      })
    }

  const describe = (path: string): Record<string, unknown> =>
    resourceMetadata(publicUrl(), path, { hasTokens: auth === 'accounts' })
  const ownRoutes: AppRoute[] = [
    { path: SPACE_PATH, methods: methodsOf((request, at, { space = '' }) => mcp(request, at, space)) },
    ...(auth === 'off' ? [] : [...metadataRoutes(describe), ...keyRoutes(withIdentity, childKeys)]),
  ]
  // Web pages are clients like others where users can let them in: each has to show its token.
  const cors: Cors | undefined = auth === 'accounts' ? 'any' : undefined
  const routes = [...ownRoutes.map((route) => ({ ...route, cors })), ...(parts.routes ?? [])]

  return {
    mcp: (request: Request, connection: HttpConnection) => mcp(request, connection),
    routes,
    cors,
    async close(): Promise<void> {
      stopWatching()
      clearInterval(expiry)
      await spaces.close()
      await accounts.close()
    },
  }
}

/** Runs `work` after every call; calls that come while it runs are followed by one more run. */
function createFollowUp(work: () => Promise<void>): () => void {
  let isRunning = false
  let isWanted = false
  async function run(): Promise<void> {
    isRunning = true
    do {
      isWanted = false
      await work()
    } while (isWanted)
    isRunning = false
  }
  return () => {
    isWanted = true
    if (!isRunning) void run()
  }
}

type HolderHandler = (
  request: Request,
  holder: { identity: Identity; address: string; names: Readonly<Record<string, string>> },
) => Promise<Response>

function keyRoutes(
  withIdentity: (handle: HolderHandler) => AppHandler,
  { create, list, revoke }: ReturnType<typeof createChildKeys>,
): AppRoute[] {
  return [
    {
      path: '/s/:space/keys',
      methods: {
        POST: withIdentity((request, { identity, address }) => create(request, identity, address)),
        GET: withIdentity((_, { identity }) => list(identity)),
      },
    },
    {
      path: '/s/:space/keys/:id',
      methods: {
        DELETE: withIdentity((_, { identity, address, names: { id = '' } }) => revoke(id, identity, address)),
      },
    },
  ]
}

/** Both forms of RFC 9728: with the path of the resource, and at the root, which is `/mcp`. */
function metadataRoutes(describe: (path: string) => Record<string, unknown>): AppRoute[] {
  const show: AppHandler = (_request, _connection, { space }) => Response.json(describe(endpointPath(space)))
  const methods = { GET: show, HEAD: show }
  return ['', MCP_PATH, SPACE_PATH].map((path) => ({ path: `${METADATA_PATH}${path}`, methods }))
}

function methodsOf(handle: AppHandler): MethodRoute['methods'] {
  return { POST: handle, GET: handle, DELETE: handle }
}

function isServed({ archivedAt }: Space): boolean {
  return archivedAt === null
}

function tooManyRequests(seconds: number): Response {
  return problem(429, tooManyCalls(seconds), { 'retry-after': String(seconds) })
}

function noSpace(name: string | undefined): Response {
  return problem(
    404,
    name === undefined
      ? 'say which space is meant: its MCP endpoint is /s/{space}/mcp'
      : 'there is no such space for this client; check the name in the URL, and which space the key is for',
  )
}
