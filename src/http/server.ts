import {
  createServer,
  type IncomingMessage,
  type Server,
  type ServerOptions,
  type ServerResponse,
} from 'node:http'
import type { Server as SecureServer } from 'node:https'
import type { AddressInfo, Socket } from 'node:net'
import { getRequestListener } from '@hono/node-server'
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response'
import type { App, AppEnv } from './app.ts'
import type { Certificate } from './certificate.ts'
import type { ClientAddress } from './client-address.ts'
import type { HttpConnection } from './connection.ts'
import { Connections } from './connections.ts'
import { DEFAULT_HTTP_LIMITS, type HttpLimits } from './limits.ts'
import { type ListenAddress, resolveAddress, showAddress } from './listen-address.ts'
import { explainListenError } from './listen-error.ts'
import { answerNatively } from './native.ts'
import { problem, UNEXPECTED } from './problem.ts'
import { refusalText } from './refusal-text.ts'
import { respond } from './respond.ts'

export interface HttpServerOptions {
  app: Pick<App, 'fetch'>
  address: ListenAddress
  /** Serve HTTPS with this. Default: HTTP. */
  certificate?: Certificate | undefined
  /** Clients are authenticated: it may listen on an address that other machines can reach. */
  isPublic?: boolean
  /** Default: of the other end of the connection, whatever a request says. */
  clientAddress?: ClientAddress | undefined
  limits?: Partial<HttpLimits>
  /** Called once for each accepted connection when it closes, on either side. */
  onConnectionClosed?: (connection: HttpConnection) => void
  /** Called for responses that broke off in the middle. */
  onError?: (error: unknown) => void
}

export interface HttpServer {
  /** `http://127.0.0.1:7474`, without a path. */
  url: string
  port: number
  /** For connections from now on. Only for a server of HTTPS. */
  setCertificate(certificate: Certificate): void
  /**
   * Stops accepting, closes idle connections, lets responses in progress finish, up to `drainTimeoutMs`, and cuts off the
   * rest. An event stream never ends by itself: its producer should end it meanwhile. May be called again.
   */
  close(): Promise<void>
}

const KEEP_ALIVE_PROBE_MS = 60_000
const MAX_CHECK_INTERVAL_MS = 5_000
const FULL = refusalText(503, 'Service Unavailable', 'too many connections; retry later')

/**
 * Throws FORBIDDEN for an address that other machines can reach, or that this user may not have; UNAVAILABLE for one in use;
 * INVALID_INPUT for one that this machine does not have.
 */
export async function openHttpServer(options: HttpServerOptions): Promise<HttpServer> {
  const { address, certificate, onConnectionClosed = () => {} } = options
  const limits = { ...DEFAULT_HTTP_LIMITS, ...options.limits }
  const ip = await resolveAddress(address, { isPublic: options.isPublic })
  const connections = new Connections(onConnectionClosed, limits.idleTimeoutMs)
  const server = await createListener(limits, certificate)
  const connected = certificate ? 'secureConnection' : 'connection'
  server.on(connected, (socket: Socket) => admit(socket, connections, limits))
  server.on('request', handleRequests({ ...options, connections, limits }))
  await listen(server, { host: ip, port: address.port }, address)
  // A connection that could not be accepted is lost; the server is not.
  server.on('error', (error) => options.onError?.(error))
  const { port } = server.address() as AddressInfo
  let closed: Promise<void> | undefined
  return {
    url: `${certificate ? 'https' : 'http'}://${showAddress({ host: address.host, port })}`,
    port,
    setCertificate(renewed) {
      if ('setSecureContext' in server) server.setSecureContext(renewed.options)
    },
    close: () => {
      closed ??= close(server, connections, limits.drainTimeoutMs)
      return closed
    },
  }
}

async function createListener(limits: HttpLimits, certificate?: Certificate): Promise<Server | SecureServer> {
  const server = certificate
    ? (await import('./tls-listener.ts')).createTlsListener(listenerOptions(limits), certificate, limits)
    : createServer(listenerOptions(limits))
  // Node silently drops headers beyond its limit, perhaps an Origin among them. We count, and refuse.
  server.maxHeadersCount = 0
  return server
}

function listenerOptions({ maxHeaderBytes, requestTimeoutMs, idleTimeoutMs }: HttpLimits): ServerOptions {
  return {
    noDelay: true,
    keepAlive: true,
    keepAliveInitialDelay: KEEP_ALIVE_PROBE_MS,
    maxHeaderSize: maxHeaderBytes,
    headersTimeout: requestTimeoutMs,
    requestTimeout: requestTimeoutMs,
    keepAliveTimeout: idleTimeoutMs,
    // Node checks for timeouts this often; its default of 30 s would delay any shorter timeout.
    connectionsCheckingInterval: Math.min(MAX_CHECK_INTERVAL_MS, Math.ceil(requestTimeoutMs / 4)),
    // The guard explains an invalid Host; Node would only close.
    requireHostHeader: false,
  }
}

function admit(socket: Socket, connections: Connections, { maxConnections }: HttpLimits): void {
  if (connections.size < maxConnections && !connections.isDraining) {
    connections.add(socket)
    return
  }
  socket.end(FULL)
  socket.destroySoon()
}

interface Handling extends HttpServerOptions {
  connections: Connections
  limits: HttpLimits
}

function handleRequests({ app, connections, limits, clientAddress, onError = () => {} }: Handling) {
  const options = () => ({ stallTimeoutMs: limits.idleTimeoutMs, isLast: connections.isDraining })
  const reply = (response: Response, outgoing: ServerResponse) =>
    respond(response, outgoing, options()).catch(onError)
  const answer = getRequestListener(
    async (request, node) => {
      const { incoming, outgoing } = node as { incoming: IncomingMessage; outgoing: ServerResponse }
      const connection = clientOf(incoming, connections.nameOf(incoming.socket), clientAddress)
      const env: AppEnv['Bindings'] = { connection, path: pathIn(incoming.url ?? '') }
      const response = await app.fetch(request, env)
      const { native } = env
      if (native === undefined) await reply(response, outgoing)
      else
        await answerNatively(
          native,
          { incoming, outgoing, connection, headers: response.headers },
          options(),
        ).catch(onError)
      // Sent by us: the listener would report an error in the middle to the console and the client.
      return RESPONSE_ALREADY_SENT
    },
    { overrideGlobalObjects: false, errorHandler: (error) => failure(error, onError) },
  )
  return (incoming: IncomingMessage, outgoing: ServerResponse): void => {
    connections.begin(incoming.socket, outgoing, () => {
      const isTooMany = incoming.rawHeaders.length / 2 > limits.maxHeaders
      if (isTooMany) void reply(problem(431, `a request may have ${limits.maxHeaders} headers`), outgoing)
      else void answer(incoming, outgoing)
    })
  }
}

/** A connection of a proxy carries the requests of many clients. */
function clientOf(
  { headers }: IncomingMessage,
  connection: HttpConnection,
  clientAddress?: ClientAddress,
): HttpConnection {
  const forwardedFor = headers['x-forwarded-for']
  if (clientAddress === undefined || forwardedFor === undefined) return connection
  const address = clientAddress(connection.address, String(forwardedFor))
  return address === connection.address ? connection : { address }
}

/** The path of a request target: a path, or a whole URL. */
function pathIn(target: string): string {
  return target.replace(/^https?:\/\/[^/?#]*/i, '').split('?', 1)[0] || '/'
}

function failure(error: unknown, onError: (error: unknown) => void): Response {
  if (isBadRequest(error))
    return problem(400, 'the Host header or the URL is missing or malformed; send a name, a port and a path')
  onError(error)
  return problem(500, UNEXPECTED)
}

/** Errors of requests that cannot be parsed; the adapter identifies them by name. */
function isBadRequest(error: unknown): boolean {
  return error instanceof Error && error.name === 'RequestError'
}

function listen(server: Server | SecureServer, bound: ListenAddress, asked: ListenAddress): Promise<void> {
  return new Promise((resolve, reject) => {
    const fail = (error: Error) => reject(explainListenError(error, asked))
    server.once('error', fail)
    server.listen({ ...bound, exclusive: true }, () => {
      server.off('error', fail)
      resolve()
    })
  })
}

async function close(
  server: Server | SecureServer,
  connections: Connections,
  drainTimeoutMs: number,
): Promise<void> {
  const stopped = new Promise<void>((resolve) => server.close(() => resolve()))
  await connections.drain(drainTimeoutMs)
  // Connections refused a moment ago, which need no drain.
  server.closeAllConnections()
  await stopped
}
