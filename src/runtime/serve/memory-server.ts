import { existsSync } from 'node:fs'
import { MemoryError } from '../../core/errors.ts'
import type { Redact } from '../../core/redact.ts'
import { failureFields, reasonFields } from '../../mcp/model/errors.ts'
import type { TransportName } from '../../mcp/model/observer.ts'
import type { Tool } from '../../mcp/model/tool.ts'
import { createRegistry, type Registry } from '../../mcp/sessions/registry.ts'
import { createNotifier, type Notifier } from '../../mcp/subscriptions/notifier.ts'
import { toolsOf } from '../../mcp/toolsets.ts'
import { createLazy, type Lazy } from '../../util/lazy.ts'
import { printable } from '../../util/text/printable.ts'
import { loadXxh64 } from '../../util/text/xxh64.ts'
import { createLogging, type Logging } from '../logs/logging.ts'
import type { SharedThreads } from '../memory/shared-threads.ts'
import { placesOf, refuseLinkedState } from '../places/places.ts'
import { allowedAccess } from '../settings/allowed-access.ts'
import { type Config, loadConfig, toConfig } from '../settings/config.ts'
import { openLiveConfig } from '../settings/live-config.ts'
import { loggingOptions } from '../settings/logging-settings.ts'
import { notificationWindows } from '../settings/notification-windows.ts'
import { quotaDefaultsOf } from '../settings/quota-defaults.ts'
import { recordSettingsOf } from '../settings/record-settings.ts'
import { durationMs } from '../settings/setting-values.ts'
import type { SettingName } from '../settings/settings.ts'
import { setIdleTimer } from '../timing/timer.ts'
import { VERSION } from '../timing/version.ts'
import { type Clients, createClients } from './clients.ts'
import type { OpenedMemory } from './served-memory.ts'
import { createServedTo } from './served-to.ts'

export interface MemoryChoice {
  db: string
  source: string | undefined
  /** As the command line says them. */
  settings: Partial<Record<SettingName, unknown>>
  /** Who its clients are is decided before they get here. */
  isSpace?: boolean
  /** Its clients say who they are. */
  isAudited?: boolean
  /** Of many memories. Default: it has its own. */
  threads?: SharedThreads
}

/** A memory that is served, and everything that belongs to it alone: settings, log, sessions, clients. */
export interface MemoryServer {
  config: Config
  /** Opened when it is first needed. */
  memory: Lazy<OpenedMemory>
  registry: Registry
  /** Those that the settings choose, whoever may call them. */
  tools: readonly Tool[]
  /** Begins to serve a client. */
  open: Clients['open']
  log: Logging['log']
  /** To be called first when the server is to end: see `OpenedMemory`. */
  flush(): Promise<void>
  /** Lets go of everything. 1: the memory could not be opened. */
  close(): Promise<0 | 1>
}

/** Settings that cannot be used are refused here, before anything is served. */
export async function createMemoryServer(choice: MemoryChoice): Promise<MemoryServer> {
  const { db, source, settings, isSpace = false, isAudited = false, threads } = choice
  const places = placesOf(db, source)
  refuseLinkedState(places)
  const { stateFolder, db: path } = places
  const config = toConfig(loadConfig({ flags: settings, stateFolder }))
  checkListen(config, settings)
  if (!isSpace) checkAuth(config)
  checkIsThere(config, path)
  const { views } = recordSettingsOf(config)
  const schemes = config['server.schemes']
  const tools = toolsOf(config['server.tools'], config)
  const clients = createClients({
    servedTo: (principal) => servedTo(principal),
    schemes,
    hasView: (view) => views.some(({ name }) => name === view),
  })
  const notifier = createNotifier({
    ...notificationWindows(config),
    setTimer: setIdleTimer,
    now: Date.now,
    send: clients.updated,
    check: clients.check,
  })
  const logging = createLogging({
    ...loggingOptions(config, stateFolder),
    now: Date.now,
    onRecord: () => notifier.touch('logs'),
  })
  const { log } = logging
  const live = openLiveConfig({
    ...{ flags: settings, stateFolder },
    onInvalid: (error) => log.warn('invalid config; keeping last-good settings', reasonFields(error)),
    onIgnored: (notice) => {
      log.warn('settings that do not apply', reasonFields(notice))
      if (!showsWarnings(config)) process.stderr.write(`remindb: ${printable(notice.message)}\n`)
    },
  })
  const registry = createRegistry({
    ...whereClientsCome(config),
    now: Date.now,
    idleExpiryMs: durationMs(config['server.sessions.idle_expiry']),
    hash: await loadXxh64(),
    // No two processes of a machine have both in common.
    salt: `${process.pid}.${performance.timeOrigin}`,
    onBegin: async (attached) => (await memory.peek())?.sessionBegan(attached),
    onEnd: async (attached) => (await memory.peek())?.sessionEnded(attached),
  })
  const memory = createLazy<OpenedMemory>(
    async () => {
      // Only now: who connects is answered before the engine and the parsers are loaded.
      const { openServedMemory } = await import('./served-memory.ts')
      return openServedMemory({
        ...{ db, source, live, config, logging, registry, clients, notifier, threads, isSpace, isAudited },
      })
    },
    (error) => log.error('serve: memory cannot be opened', { db, ...failureFields(error) }),
  )
  let isEnding = false
  const servedTo = createServedTo({
    ...{
      path,
      memory,
      registry,
      logging,
      views,
      tools,
      schemes,
      access: allowedAccess(config),
      quotas: () => quotaDefaultsOf(live()),
    },
    answers: config['server.answers'],
    redact: lazyRedact(config),
    isEnding: () => isEnding,
  })
  log.info('serve: starting', { db, ...(source === undefined ? {} : { source }), version: VERSION })
  return {
    config,
    memory,
    registry,
    tools,
    open: clients.open,
    log,
    async flush() {
      isEnding = true
      await (await memory.peek())?.flush()
    },
    close: () => close({ memory, notifier, logging }),
  }
}

/** A folder may have turned the log elsewhere, or down: the operator still sees what was ignored. */
function showsWarnings(config: Config): boolean {
  return config['server.logging.output_path'] === 'stderr' && config['server.logging.level'] !== 'error'
}

/** Who says it with the command wants it; in a file it may be there for another time. */
function checkListen(config: Config, settings: MemoryChoice['settings']): void {
  if (config['server.transport'] !== 'http' && settings['server.listen'] !== undefined)
    throw new MemoryError('INVALID_INPUT', 'listen address requires --transport=http')
}

/** One memory has no accounts, and a server that was told to ask for keys must not serve without them. */
function checkAuth(config: Config): void {
  if (config['server.transport'] !== 'http' || config['server.auth'] === 'off') return
  throw new MemoryError(
    'INVALID_INPUT',
    `--auth ${config['server.auth']} is for a folder of spaces; run \`remindb spaces create NAME --from memory.db --spaces DIR\`, then serve --spaces DIR`,
  )
}

/** Now, and not when a client calls: whoever starts a server that may create nothing is there to read this. */
function checkIsThere(config: Config, db: string): void {
  if (!config['server.read_only'] || existsSync(db)) return
  throw new MemoryError(
    'NOT_FOUND',
    `there is no memory at ${db}, and --read-only creates none; run \`remindb compile <folder>\` first, or check --db`,
  )
}

function whereClientsCome(config: Config): { transport: TransportName; listen?: string } {
  const transport = config['server.transport']
  return transport === 'http' ? { transport, listen: config['server.listen'] } : { transport }
}

/** As the memory redacts. Loaded late, as the memory is. */
function lazyRedact(config: Config): () => Promise<Redact> {
  const load = async (): Promise<Redact> => {
    const { createRedactor, redactionSettings } = await import('../settings/redaction.ts')
    return (await createRedactor(redactionSettings(config))).redact
  }
  // Whoever needs it hears of a failure.
  return createLazy(load, () => undefined).get
}

async function close(parts: {
  memory: Lazy<OpenedMemory>
  notifier: Notifier
  logging: Logging
}): Promise<0 | 1> {
  const { memory, notifier, logging } = parts
  notifier.close()
  await (await memory.peek())?.close()
  logging.log.info('serve: ended')
  logging.close()
  return memory.hasFailed() ? 1 : 0
}
