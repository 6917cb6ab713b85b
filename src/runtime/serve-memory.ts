import { randomUUID } from 'node:crypto'
import type { Readable, Writable } from 'node:stream'
import { createAudience } from '../mcp/audience.ts'
import { failureFields } from '../mcp/errors.ts'
import type { Served } from '../mcp/served.ts'
import { createRegistry } from '../mcp/sessions/registry.ts'
import { serveOnStdio } from '../mcp/stdio/serve.ts'
import { createNotifier } from '../mcp/subscriptions/notifier.ts'
import { toolsOf } from '../mcp/tools/toolsets.ts'
import { loadXxh64 } from '../util/hash.ts'
import { loadConfig, toConfig } from './config.ts'
import { createLogging } from './logging.ts'
import { loggingOptions } from './logging-settings.ts'
import { notificationWindows } from './notification-windows.ts'
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

/** Serves one memory over stdin and stdout until the client is gone. 1: it could never be opened. */
export async function serveMemory(options: ServeOptions): Promise<0 | 1> {
  const { db, source, settings, input, output } = options
  const { stateFolder } = placesOf(db, source)
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
  const { log } = logging
  let opening: Promise<ServedMemory> | undefined
  const registry = createRegistry({
    now: Date.now,
    transport: 'stdio',
    idleExpiryMs: durationMs(config['server.sessions.idle_expiry']),
    hash: await loadXxh64(),
    salt: randomUUID(),
    onEnd: (session) => void opening?.then((memory) => memory.sessionEnded(session)).catch(() => undefined),
  })
  /** What could not be opened is tried again when it is next needed. */
  const open = (): Promise<ServedMemory> => {
    opening ??= openNow().catch((error) => {
      opening = undefined
      log.error('serve: memory cannot be opened', { db, ...failureFields(error) })
      throw error
    })
    return opening
  }
  async function openNow(): Promise<ServedMemory> {
    // Only now: who connects is answered before the engine and the parsers are loaded.
    const { openServedMemory } = await import('./served-memory.ts')
    return openServedMemory({ ...options, config, logging, registry, audience, notifier })
  }
  const served: Served = {
    version: VERSION,
    tools: toolsOf(config['server.tools'] as string[]),
    hands: async (author) => (await open()).hands(author),
    observer: async () => (await open()).observer,
    log,
    clock: () => performance.now(),
  }
  log.info('serve: starting', { db, ...(source === undefined ? {} : { source }), version: VERSION })
  const begin = (): void => void open().catch(() => undefined)
  const serving = serveOnStdio({ served, registry, audience, input, output, onAnswered: begin })
  const patience = setTimeout(begin, PATIENCE_MS)
  const onSignal = (): void => void serving.drain()
  process.once('SIGTERM', onSignal)
  process.once('SIGINT', onSignal)
  await serving.closed
  clearTimeout(patience)
  process.off('SIGTERM', onSignal)
  process.off('SIGINT', onSignal)
  notifier.close()
  const memory = await opening?.catch(() => undefined)
  await memory?.close()
  log.info('serve: ended')
  logging.close()
  return memory || !opening ? 0 : 1
}
