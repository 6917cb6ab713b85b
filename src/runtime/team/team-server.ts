import type { Accounts } from '../../core/accounts/accounts.ts'
import type { Space } from '../../core/accounts/model.ts'
import type { AppHandler, AppRoute, HttpConnection } from '../../http/app.ts'
import { MCP_PATH } from '../../http/app.ts'
import { problem } from '../../http/problem.ts'
import { failureFields } from '../../mcp/model/errors.ts'
import type { Log } from '../../util/log.ts'
import { createAuthorize, type Identity, scopeChallenge } from './authorize.ts'
import { createChildKeys } from './child-keys.ts'
import { METADATA_PATH, resourceMetadata } from './metadata.ts'
import type { SpaceServers } from './space-servers.ts'

export interface TeamParts {
  accounts: Accounts
  spaces: SpaceServers
  /** `off`: whoever reaches the server is its operator. */
  auth: 'off' | 'keys'
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
  const authorize = createAuthorize({ accounts, publicUrl })
  const childKeys = createChildKeys(accounts, parts.now)

  const stopWatching = accounts.watch(() => {
    recheck().catch((error) => log.error('serve: accounts cannot be checked', failureFields(error)))
  })

  const expiry = setInterval(() => {
    spaces
      .disconnectExpired(parts.now())
      .catch((error) => log.error('serve: clients cannot be disconnected', failureFields(error)))
  }, EXPIRY_MS)
  expiry.unref()

  async function recheck(): Promise<void> {
    const served = new Set((await accounts.spaces.list()).filter(isServed).map(({ id }) => id))
    await spaces.recheck(
      async (id) => served.has(id),
      async ({ principal, secret }) => {
        const now = await accounts.current(principal.id, secret)
        return now && { principal: now, secret }
      },
    )
  }

  async function mcp(request: Request, { address }: HttpConnection, name?: string): Promise<Response> {
    const path = name === undefined ? MCP_PATH : `/s/${name}${MCP_PATH}`
    if (auth === 'off') {
      const space = await findSpace(name)
      return space ? spaces.fetch(space, { request, address }) : noSpace(name)
    }
    const authorized = await authorize(request, path)
    if (authorized.kind === 'refused') return authorized.response
    const { identity } = authorized
    const space = await spaceOf(identity, name)
    if (!space) return noSpace(name)
    return spaces.fetch(space, { request, address, identity, challenge: scopeChallenge(publicUrl(), path) })
  }

  /** A key is for one space. Another one is not there for it. */
  async function spaceOf({ principal }: Identity, name: string | undefined): Promise<Space | undefined> {
    if (name !== undefined && name !== principal.space) return undefined
    return { id: principal.spaceId, name: principal.space, createdAt: 0, archivedAt: null }
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
    (path: (names: Readonly<Record<string, string>>) => string, handle: HolderHandler): AppHandler =>
    async (request, { address }, names) => {
      const authorized = await authorize(request, path(names))
      if (authorized.kind === 'refused') return authorized.response
      const { identity } = authorized
      return (await spaceOf(identity, names.space))
        ? handle(request, { identity, address, names })
        : noSpace(names.space)
    }

  const routes: AppRoute[] = [
    { path: SPACE_PATH, methods: methodsOf((request, at, { space = '' }) => mcp(request, at, space)) },
    ...(auth === 'off' ? [] : [...metadataRoutes(publicUrl), ...keyRoutes(withIdentity, childKeys)]),
  ]

  return {
    mcp: (request: Request, connection: HttpConnection) => mcp(request, connection),
    routes,
    async close(): Promise<void> {
      stopWatching()
      clearInterval(expiry)
      await spaces.close()
      await accounts.close()
    },
  }
}

type HolderHandler = (
  request: Request,
  holder: { identity: Identity; address: string; names: Readonly<Record<string, string>> },
) => Promise<Response>

function keyRoutes(
  withIdentity: (
    path: (names: Readonly<Record<string, string>>) => string,
    handle: HolderHandler,
  ) => AppHandler,
  { create, list, revoke }: ReturnType<typeof createChildKeys>,
): AppRoute[] {
  const path = ({ space = '' }: Readonly<Record<string, string>>): string => `/s/${space}${MCP_PATH}`
  return [
    {
      path: '/s/:space/keys',
      methods: {
        POST: withIdentity(path, (request, { identity, address }) => create(request, identity, address)),
        GET: withIdentity(path, (_, { identity }) => list(identity)),
      },
    },
    {
      path: '/s/:space/keys/:id',
      methods: {
        DELETE: withIdentity(path, (_, { identity, address, names: { id = '' } }) =>
          revoke(id, identity, address),
        ),
      },
    },
  ]
}

/** Both forms of RFC 9728: with the path of the resource, and at the root, which is `/mcp`. */
function metadataRoutes(publicUrl: () => string): AppRoute[] {
  const at = (path: (names: Readonly<Record<string, string>>) => string): AppRoute['methods'] => {
    const show: AppHandler = (_request, _connection, names) =>
      Response.json(resourceMetadata(publicUrl(), path(names)))
    return { GET: show, HEAD: show }
  }
  return [
    { path: METADATA_PATH, methods: at(() => MCP_PATH) },
    { path: `${METADATA_PATH}${MCP_PATH}`, methods: at(() => MCP_PATH) },
    { path: `${METADATA_PATH}${SPACE_PATH}`, methods: at(({ space }) => `/s/${space}${MCP_PATH}`) },
  ]
}

function methodsOf(handle: AppHandler): AppRoute['methods'] {
  return { POST: handle, GET: handle, DELETE: handle }
}

function isServed({ archivedAt }: Space): boolean {
  return archivedAt === null
}

function noSpace(name: string | undefined): Response {
  return problem(
    404,
    name === undefined
      ? 'say which space is meant: its MCP endpoint is /s/{space}/mcp'
      : 'there is no such space for this client; check the name in the URL, and which space the key is for',
  )
}
