import type { Accounts } from '../../core/accounts/accounts.ts'
import { MemoryError } from '../../core/errors.ts'
import { isLoopback, parseListenAddress } from '../../http/listen-address.ts'
import type { HtmlPage } from '../../http/pages/html-page.ts'
import { reasonFields } from '../../mcp/model/errors.ts'
import type { Log } from '../../util/log.ts'
import { createLogging } from '../logs/logging.ts'
import { mostThreads } from '../memory/shared-threads.ts'
import type { MemoryChoice } from '../serve/memory-server.ts'
import { listenUntilAsked } from '../serve/serve-http.ts'
import { type Config, loadConfig, toConfig } from '../settings/config.ts'
import { loggingOptions } from '../settings/logging-settings.ts'
import { durationMs } from '../settings/setting-values.ts'
import { openAccounts } from '../spaces/accounts.ts'
import { removeSetupFile } from '../spaces/setup-file.ts'
import { createRateLimits } from './rate-limits.ts'
import { openSetup, type SetupLink } from './setup-link.ts'
import { createSpaceServers } from './space-servers.ts'
import { createTeamServer } from './team-server.ts'

export interface SpacesChoice extends Pick<MemoryChoice, 'settings'> {
  /** The folder of spaces. */
  dir: string
  /** Which one `/mcp` is, where clients do not say who they are. */
  defaultSpace?: string | undefined
}

export interface ServeSpacesOptions {
  /** It can be reached now, by clients at this URL. */
  onListening: (url: string, served: Served) => void | Promise<void>
  /** What a browser is shown. */
  page: (url: string) => HtmlPage
}

export interface Served {
  auth: Config['server.auth']
  /** Names. */
  spaces: readonly string[]
  /** Where the first administrator is made. Undefined: there is one. */
  setup: SetupLink | undefined
}

/** Serves a folder of spaces over HTTP until somebody asks the process to end. Throws when it cannot listen. */
export async function serveSpaces(choice: SpacesChoice, options: ServeSpacesOptions): Promise<void> {
  const { dir, settings, defaultSpace } = choice
  const config = toConfig(loadConfig({ flags: settings, stateFolder: null }))
  checkPublicUrl(config)
  const { log } = createLogging({ ...loggingOptions(config, dir), sessionLogs: undefined, now: Date.now })
  const accounts = await openAccounts(dir, {
    retentionMs: durationMs(config['audit.retention']),
    onError: (error) => log.warn('serve: audit of accounts cannot be kept', reasonFields(error)),
  })
  const auth = config['server.auth']
  const spaces = createSpaceServers({
    ...{ dir, settings, log, now: () => performance.now(), isAudited: auth !== 'off' },
    idleMs: durationMs(config['server.spaces.idle_close']),
    maxOpen: config['server.spaces.max_open'],
  })
  let url = config['server.public_url']
  const people =
    auth === 'accounts'
      ? await openPeople({
          ...{ accounts, dir, publicUrl: () => url, log },
          fetchesDocuments: config['server.oauth.documents'],
        })
      : undefined
  const team = createTeamServer({
    accounts,
    routes: people?.routes ?? [],
    spaces,
    auth,
    defaultSpace,
    publicUrl: () => url,
    rates: createRateLimits({
      perMinute: numberOr(config['rate.per_minute']),
      perDay: numberOr(config['rate.per_day']),
      exemptUsers: config['rate.exempt_users'],
      // Others always find a thread.
      callsAtOnce: Math.floor(mostThreads() / 2),
      now: Date.now,
    }),
    now: Date.now,
    log,
  })
  try {
    await listenUntilAsked(
      {
        ...{
          config,
          log,
          mcp: team.mcp,
          routes: team.routes,
          mcpCors: team.cors,
          endpoint: '/s/{space}/mcp',
          isPublic: auth !== 'off',
        },
        begin(listening) {
          // Only on loopback, where nobody said what it is called elsewhere.
          url ||= listening
        },
        flush: spaces.flush,
        drain: team.close,
      },
      {
        onListening: async () => {
          const names = (await accounts.spaces.list()).filter(({ archivedAt }) => archivedAt === null)
          const setup = auth === 'accounts' ? await openSetup(accounts, { dir, url }) : undefined
          await options.onListening(url, { auth, spaces: names.map(({ name }) => name), setup })
        },
        page: async () => options.page(url),
      },
    )
  } finally {
    people?.close()
    await team.close()
  }
}

interface PeopleParts {
  accounts: Accounts
  dir: string
  publicUrl: () => string
  fetchesDocuments: boolean
  log: Log
}

/** Only where there are people: a server without them starts as fast as before. */
async function openPeople({ dir, ...parts }: PeopleParts) {
  const { openAccountRoutes } = await import('../oauth/account-routes.ts')
  return openAccountRoutes({ ...parts, onSetUp: () => removeSetupFile(dir), now: Date.now })
}

function numberOr(setting: number | 'none'): number | null {
  return setting === 'none' ? null : setting
}

/** A token is for a URL, and that is never what a request calls the server by. */
function checkPublicUrl(config: Config): void {
  const { host } = parseListenAddress(config['server.listen'])
  const isLocal = isLoopback(host) || host === 'localhost'
  if (config['server.auth'] === 'off' && config['server.public_url'] !== '')
    throw new MemoryError(
      'INVALID_INPUT',
      '--public-url is for a server that others reach, and without --auth keys nobody is asked who they are; add --auth keys, or leave it out',
    )
  if (config['server.auth'] === 'accounts') checkEncrypted(config['server.public_url'])
  if (config['server.auth'] === 'off' || isLocal || config['server.public_url'] !== '') return
  throw new MemoryError(
    'INVALID_INPUT',
    `${config['server.listen']} is reachable from other machines; say what clients call the server with --public-url https://…`,
  )
}

/** Passwords and tokens are not sent over a network that others can listen to. */
function checkEncrypted(publicUrl: string): void {
  const { protocol = 'https:', hostname = '' } = URL.parse(publicUrl) ?? {}
  const host = hostname.replace(/^\[|\]$/g, '')
  if (protocol === 'https:' || host === 'localhost' || isLoopback(host)) return
  throw new MemoryError(
    'INVALID_INPUT',
    `people sign in at ${publicUrl}, so it must be https; use --tls-cert and --tls-key, or a proxy in front of the server`,
  )
}
