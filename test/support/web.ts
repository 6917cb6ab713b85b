import { PassThrough } from 'node:stream'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { onTestFinished } from 'vitest'
import { SCHEMES } from '../../src/mcp/model/scheme.ts'
import type { Served } from '../../src/mcp/model/served.ts'
import { createRegistry, type Registry, type Session } from '../../src/mcp/sessions/registry.ts'
import { type Audience, type AudienceParts, createAudience } from '../../src/mcp/subscriptions/audience.ts'
import { createNotifier } from '../../src/mcp/subscriptions/notifier.ts'
import { toolsOf } from '../../src/mcp/toolsets.ts'
import { createWebEndpoint, type WebEndpoint, type WebParts } from '../../src/mcp/web/endpoint.ts'
import { createLogging } from '../../src/runtime/logs/logging.ts'
import { placesOf } from '../../src/runtime/places/places.ts'
import { openServedMemory } from '../../src/runtime/serve/served-memory.ts'
import { openLiveConfig } from '../../src/runtime/settings/live-config.ts'
import { notificationWindows } from '../../src/runtime/settings/notification-windows.ts'
import { type SetTimer, setTimer } from '../../src/runtime/timing/timer.ts'
import { createLazy } from '../../src/util/lazy.ts'
import { noteFolder, type Revision } from './mcp.ts'
import { hash } from './store-changes.ts'

export const URL_OF_TESTS = 'http://localhost/mcp'
export const LOCAL = '127.0.0.1'
export const NOTES = { 'a.md': '# Deploys\n\nNever on a Friday.\n' }
/** Windows as short as they can be: tests wait for what comes, not for time. */
const QUICK = { resources: { debounce: '10ms', overrides: { logs: '10ms', temperature: '10ms' } } }

export interface WebOptions {
  limits?: Partial<WebParts['limits']>
  sessionExpiryMs?: number
  /** Of clients without a session of their own. */
  idleExpiryMs?: number
  setTimer?: SetTimer
  /** What is subscribed to by its URI. */
  audience?: Partial<AudienceParts>
  drainMs?: number
  /** Besides short windows. */
  config?: Record<string, unknown>
}

export interface Web extends WebEndpoint {
  served: Served
  registry: Registry
  audience: Audience
  /** Who is told of changes: the endpoint itself is one of them. */
  listeners(): number
  /** Who signed each call. */
  authors: string[]
  /** Sessions of the registry that ended. */
  ended: Session[]
}

/** An endpoint over a memory of some notes, with everything that a running server does for it. */
export async function openWeb(options: WebOptions = {}): Promise<Web> {
  const settings = JSON.stringify({ server: QUICK, rescan: { settle: '0' }, ...options.config })
  const source = noteFolder({ ...NOTES, '.remindb/config.json': settings })
  const live = openLiveConfig({
    flags: { 'store.synchronous': 'normal' },
    env: {},
    stateFolder: placesOf(source, source).stateFolder,
    onInvalid: () => undefined,
  })
  const config = live()
  const { audience, listeners } = countedAudience(options.audience)
  const notifier = createNotifier({
    ...notificationWindows(config),
    setTimer,
    now: Date.now,
    send: audience.updated,
    check: audience.watches.check,
  })
  const logging = createLogging({
    level: 'debug',
    format: 'text',
    output: { stream: new PassThrough().resume() },
    bufferSize: 1000,
    now: Date.now,
  })
  const ended: Session[] = []
  const registry = createRegistry({
    now: Date.now,
    transport: 'http',
    listen: '127.0.0.1:7474',
    idleExpiryMs: options.idleExpiryMs ?? 60_000,
    hash,
    salt: 'test',
    onEnd: ({ session }) => void ended.push(session),
  })
  // As the program does: what needs no memory is answered without one.
  const memory = createLazy(
    () =>
      openServedMemory({ db: source, source, live, config, logging, registry, clients: audience, notifier }),
    () => undefined,
  )
  const authors: string[] = []
  const served: Served = {
    version: '0.0.0',
    tools: toolsOf(['all']),
    allowed: () => ({ access: 'removes' }),
    answers: 'text',
    schemes: SCHEMES,
    memory: {
      async as(caller) {
        authors.push(caller.author)
        return (await memory.get()).as(caller)
      },
      observer: async () => (await memory.get()).observer,
      record: () => undefined,
      compiling: async () => undefined,
    },
    observer: {
      logs: logging.ring,
      sessions: async () => ({ db_path: source, sessions: registry.list() }),
      customViews: () => [],
    },
    isEnding: () => false,
    log: logging.log,
    redact: async () => (text) => text,
    clock: () => performance.now(),
  }
  const endpoint = createWebEndpoint({
    ...{ served, registry, audience },
    limits: { maxBodyBytes: 1_000_000, maxSessions: 2000, maxStreams: 2000, ...options.limits },
    sessionExpiryMs: options.sessionExpiryMs ?? 60_000,
    setTimer: options.setTimer ?? setTimer,
    drainMs: options.drainMs ?? 10_000,
  })
  onTestFinished(async () => {
    await endpoint.close()
    notifier.close()
    await (await memory.peek())?.close()
  })
  return { ...endpoint, served, registry, audience, listeners, authors, ended }
}

function countedAudience(parts?: Partial<AudienceParts>): { audience: Audience; listeners(): number } {
  const audience = createAudience(parts)
  const present = new Set<object>()
  const join: Audience['join'] = (listener) => {
    const leave = audience.join(listener)
    present.add(listener)
    return () => {
      present.delete(listener)
      leave()
    }
  }
  return { audience: { ...audience, join }, listeners: () => present.size }
}

export interface WebClient {
  client: Client
  transport: StreamableHTTPClientTransport
  call(name: string, args?: Record<string, unknown>): Promise<string>
  read(uri: string): Promise<Record<string, unknown>>
}

/** The official client, from this machine unless another address is given. */
export async function connectWeb(
  web: Pick<WebEndpoint, 'fetch'>,
  revision: Revision,
  { name = 'test-client', address = LOCAL }: { name?: string; address?: string } = {},
): Promise<WebClient> {
  const transport = new StreamableHTTPClientTransport(new URL(URL_OF_TESTS), {
    fetch: (url, init) => web.fetch(new Request(url, init), { address }),
    reconnectionOptions: {
      initialReconnectionDelay: 1,
      maxReconnectionDelay: 10,
      reconnectionDelayGrowFactor: 1,
      maxRetries: 5,
    },
  })
  const client = new Client(
    { name, title: 'A client of tests', version: '1.2.3' },
    revision === '2026-07-28' ? { versionNegotiation: { mode: { pin: revision } } } : {},
  )
  await client.connect(transport)
  onTestFinished(() => client.close())
  return {
    client,
    transport,
    async call(tool, input = {}) {
      const { content } = await client.callTool({ name: tool, arguments: input })
      return (content as { text: string }[])[0]?.text ?? ''
    },
    async read(uri) {
      const { contents } = await client.readResource({ uri })
      return JSON.parse((contents as { text: string }[])[0]?.text ?? '')
    },
  }
}

/** Calls of tools wait until the answer is called. */
export function holdCalls(web: Web): () => void {
  const held = Promise.withResolvers<void>()
  const { as } = web.served.memory
  web.served.memory.as = async (...asked) => {
    await held.promise
    return as(...asked)
  }
  return held.resolve
}

const ACCEPT = 'application/json, text/event-stream'

export interface Sent {
  method?: string
  headers?: Record<string, string>
  /** Sent as JSON. */
  message?: unknown
  body?: string
  address?: string
  signal?: AbortSignal
}

/** A request as somebody writes it by hand. */
export function send(web: Pick<WebEndpoint, 'fetch'>, sent: Sent = {}): Promise<Response> {
  const { method = 'POST', headers = {}, message, address = LOCAL, signal } = sent
  const body = sent.body ?? (message === undefined ? undefined : JSON.stringify(message))
  const request = new Request(URL_OF_TESTS, {
    method,
    headers: {
      accept: ACCEPT,
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(body !== undefined && { body }),
    ...(signal && { signal }),
  })
  return web.fetch(request, { address })
}

export const INITIALIZE = {
  jsonrpc: '2.0',
  id: 0,
  method: 'initialize',
  params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'by-hand', version: '1' } },
}

/** Begins a session by hand. The answer is its id. */
export async function begin(
  web: Pick<WebEndpoint, 'fetch'>,
  protocolVersion = INITIALIZE.params.protocolVersion,
): Promise<string> {
  const message = { ...INITIALIZE, params: { ...INITIALIZE.params, protocolVersion } }
  const response = await send(web, { message })
  await response.text()
  const id = response.headers.get('mcp-session-id') ?? ''
  await send(web, {
    message: { jsonrpc: '2.0', method: 'notifications/initialized' },
    headers: named(id, protocolVersion),
  })
  return id
}

export function named(id: string, protocolVersion = '2025-11-25'): Record<string, string> {
  return { 'mcp-session-id': id, 'mcp-protocol-version': protocolVersion }
}

export interface Event {
  id: string | undefined
  // biome-ignore lint/suspicious/noExplicitAny: what is read is what others parse, untyped
  message: any
}

/** The events of a stream, as they come; those without a message are left out. */
export async function* eventsOf(response: Response): AsyncGenerator<Event> {
  let rest = ''
  const decoder = new TextDecoder()
  for await (const piece of response.body as unknown as AsyncIterable<Uint8Array>) {
    const blocks = (rest + decoder.decode(piece, { stream: true })).split('\n\n')
    rest = blocks.pop() ?? ''
    for (const block of blocks) {
      const field = (name: string) => block.match(new RegExp(`^${name}: (.+)$`, 'm'))?.[1]
      const data = field('data')
      if (data !== undefined) yield { id: field('id'), message: JSON.parse(data) }
    }
  }
}
