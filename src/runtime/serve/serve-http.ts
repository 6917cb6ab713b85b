import { createApp, type HtmlPage, MCP_PATH } from '../../http/app.ts'
import { createGuard } from '../../http/guard.ts'
import { DEFAULT_HTTP_LIMITS, type HttpLimits } from '../../http/limits.ts'
import { parseListenAddress } from '../../http/listen-address.ts'
import { openHttpServer } from '../../http/server.ts'
import { failureFields } from '../../mcp/model/errors.ts'
import { createWebEndpoint, type WebEndpoint, type WebParts } from '../../mcp/web/endpoint.ts'
import { maxBodyBytes } from '../settings/body-limit.ts'
import type { Config } from '../settings/config.ts'
import { durationMs } from '../settings/setting-values.ts'
import { setIdleTimer } from '../timing/timer.ts'
import { untilAsked } from '../timing/until-asked.ts'
import type { ServerParts } from './server-parts.ts'

export interface ServeHttpOptions {
  /** It can be reached now, at this URL. */
  onListening: (url: string) => void | Promise<void>
  /** What a browser is shown; `url` is that of the MCP endpoint. */
  page: (url: string) => Promise<HtmlPage>
}

/** Serves over HTTP until somebody asks the process to end. Throws when it cannot listen. */
export async function serveHttp(parts: ServerParts, { onListening, page }: ServeHttpOptions): Promise<void> {
  const { config, memory, served, registry, audience, log } = parts
  const address = parseListenAddress(config['server.listen'])
  const guard = createGuard({
    listenHost: address.host,
    allowedHosts: config['server.http.allowed_hosts'],
    allowedOrigins: config['server.http.allowed_origins'],
  })
  const endpoint = createWebEndpoint({
    served,
    registry,
    audience,
    limits: endpointLimits(config),
    sessionExpiryMs: durationMs(config['server.sessions.idle_expiry']),
    setTimer: setIdleTimer,
    drainMs: DEFAULT_HTTP_LIMITS.drainTimeoutMs,
  })
  const app = createApp({
    mcp: endpoint.fetch,
    guard,
    page: () => page(`${server.url}${MCP_PATH}`),
    onError: (error) => log.error('request failed', failureFields(error)),
  })
  const server = await openHttpServer({
    app,
    address,
    limits: serverLimits(config),
    // A client that went away is no news.
    onError: (error) => log.debug('connection problem', failureFields(error)),
  })
  log.info('serve: listening', { url: server.url })
  // Before the memory starts threads, and only here: loading it takes a millisecond.
  const { keepHeapSmall } = await import('./small-heap.ts')
  keepHeapSmall()
  // Nobody waits for it; whoever calls is told what is wrong with it.
  void memory.get().catch(() => undefined)
  const ended = Promise.withResolvers<void>()
  // Before anybody is told: whoever is may ask for the end at once.
  const over = untilAsked(ended.promise, () => {
    void parts.flush()
    return drain(endpoint, server).then(ended.resolve, ended.reject)
  })
  tell(onListening, `${server.url}${MCP_PATH}`).catch((error) => {
    const fail = (): void => ended.reject(error)
    // Nobody would know of a server that goes on.
    return drain(endpoint, server).then(fail, fail)
  })
  await over
}

async function tell(onListening: ServeHttpOptions['onListening'], url: string): Promise<void> {
  await onListening(url)
}

/** Streams of events do not end by themselves: both close at the same time. */
async function drain(endpoint: WebEndpoint, server: { close(): Promise<void> }): Promise<void> {
  await Promise.all([server.close(), endpoint.close()])
}

function endpointLimits(config: Config): WebParts['limits'] {
  return {
    maxBodyBytes: maxBodyBytes(config),
    maxSessions: config['server.http.max_sessions'],
    maxStreams: config['server.http.max_streams'],
  }
}

function serverLimits(config: Config): Partial<HttpLimits> {
  return {
    maxConnections: config['server.http.max_connections'],
    requestTimeoutMs: durationMs(config['server.http.request_timeout']),
    idleTimeoutMs: durationMs(config['server.http.idle_timeout']),
  }
}
