import { randomUUID } from 'node:crypto'
import type { Readable, Writable } from 'node:stream'
import { failureFields } from '../mcp/errors.ts'
import type { Served } from '../mcp/served.ts'
import { createRegistry, type Registry } from '../mcp/sessions/registry.ts'
import { type StdioServing, serveOnStdio } from '../mcp/stdio/serve.ts'
import { type Audience, createAudience } from '../mcp/subscriptions/audience.ts'
import { createNotifier, type Notifier } from '../mcp/subscriptions/notifier.ts'
import { toolsOf } from '../mcp/tools/toolsets.ts'
import { loadXxh64 } from '../util/hash.ts'
import { type Config, loadConfig, toConfig } from './config.ts'
import { createLazyObserver } from './lazy-observer.ts'
import { createLogging, type Logging } from './logging.ts'
import { loggingOptions } from './logging-settings.ts'
import { notificationWindows } from './notification-windows.ts'
import { createOpening, type Opening } from './opening.ts'
import { placesOf } from './places.ts'
import type { ServedMemory } from './served-memory.ts'
import { durationMs } from './setting-values.ts'
import type { SettingName } from './settings.ts'
import { setIdleTimer } from './timer.ts'
import { VERSION } from './version.ts'

export interface ServeOptions {
  db: string
  source: string | undefined
  /** As the command line says them. */
  settings: Partial<Record<SettingName, unknown>>
  input: Readable
  output: Writable
}

/** A client that only asks who we are is answered and gone: what costs something waits this long for it. */
const PATIENCE_MS = 1000

/** Serves one memory over stdin and stdout until the client is gone. 1: it could not be opened. */
export async function serveMemory(options: ServeOptions): Promise<0 | 1> {
  const { db, source, input, output } = options
  const parts = await createParts(options)
  const { memory, registry, audience, notifier, logging } = parts
  const { log } = logging
  log.info('serve: starting', { db, ...(source === undefined ? {} : { source }), version: VERSION })
  const begin = (): void => void memory.get().catch(() => undefined)
  const serving = serveOnStdio({
    served: servedBy(parts),
    registry,
    audience,
    input,
    output,
    onAnswered: begin,
  })
  const patience = setTimeout(begin, PATIENCE_MS)
  await untilGone(serving)
  clearTimeout(patience)
  notifier.close()
  await (await memory.peek())?.close()
  log.info('serve: ended')
  logging.close()
  return memory.hasFailed() ? 1 : 0
}

interface Parts {
  /** Of the database. */
  path: string
  config: Config
  memory: Opening<ServedMemory>
  registry: Registry
  audience: Audience
  notifier: Notifier
  logging: Logging
}

async function createParts(options: ServeOptions): Promise<Parts> {
  const { db, source, settings } = options
  const { stateFolder, db: path } = placesOf(db, source)
  const config = toConfig(loadConfig({ flags: settings, stateFolder }))
  const audience = createAudience()
  const notifier = createNotifier({
    ...notificationWindows(config),
    setTimer: setIdleTimer,
    now: Date.now,
    send: audience.updated,
  })
  const logging = createLogging({
    ...loggingOptions(config, stateFolder),
    now: Date.now,
    onRecord: () => notifier.touch('logs'),
  })
  const registry = createRegistry({
    now: Date.now,
    transport: 'stdio',
    idleExpiryMs: durationMs(config['server.sessions.idle_expiry']),
    hash: await loadXxh64(),
    salt: randomUUID(),
    onEnd: async (session) => (await memory.peek())?.sessionEnded(session),
  })
  const memory = createOpening<ServedMemory>(
    async () => {
      // Only now: who connects is answered before the engine and the parsers are loaded.
      const { openServedMemory } = await import('./served-memory.ts')
      return openServedMemory({ ...options, config, logging, registry, audience, notifier })
    },
    (error) => logging.log.error('serve: memory cannot be opened', { db, ...failureFields(error) }),
  )
  return { path, config, memory, registry, audience, notifier, logging }
}

function servedBy({ path, config, memory, registry, logging }: Parts): Served {
  const opened = async (): Promise<ServedMemory> => {
    const served = await memory.get()
    served.checkIsThere()
    return served
  }
  const observer = createLazyObserver(
    { logs: logging.ring, sessions: () => ({ db_path: path, sessions: registry.list() }) },
    async () => (await opened()).observer,
  )
  return {
    version: VERSION,
    tools: toolsOf(config['server.tools'] as string[]),
    hands: async (author) => (await opened()).hands(author),
    observer: async () => observer,
    log: logging.log,
    clock: () => performance.now(),
  }
}

/** Until the client is gone, or somebody asks the process to end: then what was asked is still answered. */
async function untilGone(serving: StdioServing): Promise<void> {
  const onSignal = (): void => void serving.drain()
  process.once('SIGTERM', onSignal)
  process.once('SIGINT', onSignal)
  await serving.closed
  process.off('SIGTERM', onSignal)
  process.off('SIGINT', onSignal)
}
