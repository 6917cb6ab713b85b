import { type AppRoute, type Cors, createApp, type McpEndpoint } from '../../http/app.ts'
import { createClientAddress } from '../../http/client-address.ts'
import { MCP_PATH } from '../../http/endpoint-path.ts'
import { createGuard } from '../../http/guard.ts'
import { DEFAULT_HTTP_LIMITS, type HttpLimits } from '../../http/limits.ts'
import { parseListenAddress } from '../../http/listen-address.ts'
import type { HtmlPage } from '../../http/pages/html-page.ts'
import { openHttpServer } from '../../http/server.ts'
import { failureFields } from '../../mcp/model/errors.ts'
import { createWebEndpoint, type WebEndpoint, type WebParts } from '../../mcp/web/endpoint.ts'
import type { Log } from '../../util/log.ts'
import { maxBodyBytes } from '../settings/body-limit.ts'
import type { Config } from '../settings/config.ts'
import { durationMs } from '../settings/setting-values.ts'
import { setIdleTimer } from '../timing/timer.ts'
import { untilAsked } from '../timing/until-asked.ts'
import type { Client } from './clients.ts'
import type { MemoryServer } from './memory-server.ts'
import { openCertificate } from './served-certificate.ts'

export interface ServeHttpOptions {
  /** It can be reached now, at this URL. */
  onListening: (url: string) => void | Promise<void>
  /** What a browser is shown; `url` is that of the MCP endpoint. */
  page: (url: string) => Promise<HtmlPage>
}

/** Answers requests, and is shut down with the server. */
export interface HttpService {
  config: Config
  log: Log
  mcp: McpEndpoint
  routes?: readonly AppRoute[]
  /** Whether pages of any origin may use `/mcp`. */
  mcpCors?: Cors | undefined
  /** As an answer names it to a client that has another path. Default: `/mcp`. */
  endpoint?: string
  /** Clients say who they are: it may be reached from other machines. */
  isPublic?: boolean
  /** Called when it can be reached, at this URL. */
  begin(url: string): void
  /** The server was asked to end: stores what may not get lost. */
  flush(): Promise<void>
  /** Answers what was asked so far, and ends streams. */
  drain(): Promise<void>
}

/** Serves one memory over HTTP until somebody asks the process to end. Throws when it cannot listen. */
export async function serveHttp(server: MemoryServer, options: ServeHttpOptions): Promise<void> {
  const { config, log, memory } = server
  const endpoint = openEndpoint(server, server.open())
  const service: HttpService = {
    ...{ config, log, mcp: endpoint.fetch, flush: server.flush, drain: endpoint.close },
    // Nobody waits for it; a caller gets an error that says what is wrong with it.
    begin: () => void memory.get().catch(() => undefined),
  }
  await listenUntilAsked(service, options)
}

/** MCP over HTTP for one client of a memory. */
export function openEndpoint(
  { config, registry }: MemoryServer,
  { served, audience }: Client,
  atMost: Partial<WebParts['limits']> = {},
): WebEndpoint {
  return createWebEndpoint({
    served,
    registry,
    audience,
    limits: lower(endpointLimits(config), atMost),
    sessionExpiryMs: durationMs(config['server.sessions.idle_expiry']),
    setTimer: setIdleTimer,
    drainMs: DEFAULT_HTTP_LIMITS.drainTimeoutMs,
  })
}

/** Listens, and answers, until somebody asks the process to end. */
export async function listenUntilAsked(
  service: HttpService,
  { onListening, page }: ServeHttpOptions,
): Promise<void> {
  const { config, log } = service
  const address = parseListenAddress(config['server.listen'])
  const guard = createGuard({
    listenHost: address.host,
    allowedHosts: [...config['server.http.allowed_hosts'], ...publicHost(config)],
    allowedOrigins: config['server.http.allowed_origins'],
  })
  const app = createApp({
    mcp: service.mcp,
    routes: service.routes ?? [],
    ...(service.endpoint === undefined ? {} : { endpoint: service.endpoint }),
    mcpCors: service.mcpCors,
    isStrictTransport: isStrictTransport(config),
    guard,
    page: () => page(`${server.url}${MCP_PATH}`),
    onError: (error) => log.error('request failed', failureFields(error)),
  })
  const served = await openCertificate(config, log)
  const server = await openHttpServer({
    app,
    address,
    certificate: served?.certificate,
    clientAddress: createClientAddress(config['server.http.trusted_proxies']),
    isPublic: service.isPublic ?? false,
    limits: serverLimits(config),
    // A client that went away is no news.
    onError: (error) => log.debug('connection problem', failureFields(error)),
  })
  log.info('serve: listening', { url: server.url })
  // Before the memory starts threads, and only here: loading it takes a millisecond.
  const { keepHeapSmall } = await import('./small-heap.ts')
  keepHeapSmall()
  service.begin(server.url)
  const stopWatching = served?.keepCurrent(server)
  // Streams of events do not end by themselves: both close at the same time.
  const drain = (): Promise<unknown> => {
    stopWatching?.()
    return Promise.all([server.close(), service.drain()])
  }
  const ended = Promise.withResolvers<void>()
  // Before the URL is printed: a signal to end may follow immediately.
  const over = untilAsked(ended.promise, () => {
    void service.flush()
    return drain().then(() => ended.resolve(), ended.reject)
  })
  tell(onListening, `${server.url}${MCP_PATH}`).catch((error) => {
    const fail = (): void => ended.reject(error)
    // Nobody would know of a server that goes on.
    return drain().then(fail, fail)
  })
  await over
}

async function tell(onListening: ServeHttpOptions['onListening'], url: string): Promise<void> {
  await onListening(url)
}

/** Clients call the server what the operator calls it. */
function publicHost(config: Config): string[] {
  const url = config['server.public_url']
  return url === '' ? [] : [new URL(url).host]
}

/** For a name of its own: browsers would refuse every other server on this machine that speaks http. */
function isStrictTransport(config: Config): boolean {
  const { protocol, hostname } = URL.parse(config['server.public_url']) ?? {}
  return protocol === 'https:' && hostname !== 'localhost'
}

function endpointLimits(config: Config): WebParts['limits'] {
  return {
    maxBodyBytes: maxBodyBytes(config),
    maxSessions: config['server.http.max_sessions'],
    maxStreams: config['server.http.max_streams'],
  }
}

function lower(limits: WebParts['limits'], atMost: Partial<WebParts['limits']>): WebParts['limits'] {
  const { maxSessions = Infinity, maxStreams = Infinity } = atMost
  return {
    ...limits,
    maxSessions: Math.min(limits.maxSessions, maxSessions),
    maxStreams: Math.min(limits.maxStreams, maxStreams),
  }
}

function serverLimits(config: Config): Partial<HttpLimits> {
  return {
    maxConnections: config['server.http.max_connections'],
    requestTimeoutMs: durationMs(config['server.http.request_timeout']),
    idleTimeoutMs: durationMs(config['server.http.idle_timeout']),
  }
}
