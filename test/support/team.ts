import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { onTestFinished } from 'vitest'
import type { Scope } from '../../src/core/access/scopes.ts'
import { createApp } from '../../src/http/app.ts'
import { createGuard } from '../../src/http/guard.ts'
import type { MemoryChoice } from '../../src/runtime/serve/memory-server.ts'
import { openAccounts } from '../../src/runtime/spaces/accounts.ts'
import { createSpace } from '../../src/runtime/spaces/create-space.ts'
import { createRateLimits, type RateLimitsOptions } from '../../src/runtime/team/rate-limits.ts'
import { createSpaceServers } from '../../src/runtime/team/space-servers.ts'
import { createTeamServer } from '../../src/runtime/team/team-server.ts'
import { temporaryFolder } from './engine.ts'
import type { Revision } from './mcp.ts'
import { recordingLog } from './recording-log.ts'

export const PUBLIC_URL = 'http://localhost'
export const WRITER: readonly Scope[] = ['memories:read', 'memories:write']

export interface TeamOptions {
  auth?: 'off' | 'keys'
  /** Names of spaces. */
  spaces?: readonly string[]
  defaultSpace?: string
  settings?: MemoryChoice['settings']
  idleMs?: number
  maxOpen?: number
  /** Of spaces and their clients, in milliseconds. */
  now?: () => number
  /** Default: any number of calls. */
  rate?: Partial<Omit<RateLimitsOptions, 'now'>>
  /** Of accounts, in Unix milliseconds. */
  time?: () => number
}

/** A server for many over real files, without a socket: requests go to the app as the HTTP server passes them on. */
export async function openTeam(options: TeamOptions = {}) {
  const team = await startTeam(temporaryFolder(), options)
  onTestFinished(team.team.close)
  return team
}

/** The same, for whoever closes it. */
export async function startTeam(dir: string, options: TeamOptions = {}) {
  const { auth = 'keys', spaces: names = ['red', 'blue'], defaultSpace, time = Date.now } = options
  const accounts = await openAccounts(dir, { create: true, now: time })
  for (const name of names) await createSpace({ dir, accounts }, { name })
  const { log, records } = recordingLog()
  const spaces = createSpaceServers({
    dir,
    settings: {
      'store.synchronous': 'normal',
      'server.tools': 'all',
      'server.transport': 'http',
      'server.resources.debounce': '10ms',
      'server.logging.level': 'error',
      ...options.settings,
    },
    idleMs: options.idleMs ?? 60_000,
    maxOpen: options.maxOpen ?? 100,
    now: options.now ?? (() => performance.now()),
    log,
    isAudited: auth === 'keys',
  })
  const { perMinute = null, perDay = null, exemptUsers = [], callsAtOnce = 1 } = options.rate ?? {}
  const rates = createRateLimits({ perMinute, perDay, exemptUsers, callsAtOnce, now: time })
  const team = createTeamServer({
    ...{ accounts, spaces, rates, auth, defaultSpace, publicUrl: () => PUBLIC_URL, now: time, log },
  })
  const app = createApp({
    mcp: team.mcp,
    routes: team.routes,
    guard: createGuard({ listenHost: 'localhost' }),
  })
  const fetch = async (request: Request, address = '127.0.0.1'): Promise<Response> => {
    // As it is where it says so: another request made of it would begin to read its body.
    const named = request.headers.has('host')
      ? request
      : new Request(request, { headers: { host: 'localhost', ...headersOf(request) } })
    return app.fetch(named, { connection: { address } })
  }
  return { dir, accounts, spaces, team, app, fetch, records, log }
}

export type Team = Awaited<ReturnType<typeof startTeam>>

function headersOf(request: Request): Record<string, string> {
  return Object.fromEntries(request.headers)
}

/** A user with a key for a space. */
export async function keyFor(
  { accounts }: Pick<Team, 'accounts'>,
  {
    user = 'ada',
    space = 'red',
    scopes = WRITER,
  }: { user?: string; space?: string; scopes?: readonly Scope[] } = {},
): Promise<{ id: string; key: string }> {
  const known = (await accounts.users.list()).some(({ name }) => name === user)
  if (!known) await accounts.users.create({ name: user })
  return accounts.keys.create({ user, space, scopes })
}

/** The official client, with a key. */
export async function connectTeam(
  team: Pick<Team, 'fetch'>,
  { key, path = '/mcp', revision = '2026-07-28', name = 'test-client' }: ConnectOptions,
) {
  const transport = new StreamableHTTPClientTransport(new URL(`${PUBLIC_URL}${path}`), {
    fetch: (url, init) => team.fetch(new Request(url, init)),
    requestInit: key === undefined ? {} : { headers: { authorization: `Bearer ${key}` } },
  })
  const client = new Client(
    { name, version: '1.2.3' },
    revision === '2026-07-28' ? { versionNegotiation: { mode: { pin: revision } } } : {},
  )
  await client.connect(transport)
  onTestFinished(() => client.close().catch(() => undefined))
  return {
    client,
    transport,
    async call(tool: string, input: Record<string, unknown> = {}): Promise<string> {
      const { content } = await client.callTool({ name: tool, arguments: input })
      return (content as { text: string }[])[0]?.text ?? ''
    },
    async read(uri: string): Promise<string> {
      const { contents } = await client.readResource({ uri })
      return (contents as { text: string }[])[0]?.text ?? ''
    },
  }
}

export interface ConnectOptions {
  key?: string | undefined
  path?: string
  revision?: Revision
  name?: string
}
