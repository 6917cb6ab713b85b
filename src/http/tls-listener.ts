import { createServer, type Server, type ServerOptions } from 'node:https'
import type { Socket } from 'node:net'
import type { TLSSocket } from 'node:tls'
import type { Certificate } from './certificate.ts'
import type { HttpLimits } from './limits.ts'
import { refusalText } from './refusal-text.ts'

const PLAIN = refusalText(400, 'Bad Request', 'this port speaks TLS; use a URL that starts with https://')
/** How many connections may be agreeing on keys, beyond those that have. */
const MAX_HANDSHAKES = 256

/** A listener for HTTPS. Its connections before they are secure are its own affair: they are limited, timed and closed here. */
export function createTlsListener(
  options: ServerOptions,
  certificate: Certificate,
  { maxConnections, requestTimeoutMs }: Pick<HttpLimits, 'maxConnections' | 'requestTimeoutMs'>,
): Server {
  const server = createServer({
    ...options,
    ...certificate.options,
    handshakeTimeout: requestTimeoutMs,
  })
  server.maxConnections = maxConnections + MAX_HANDSHAKES
  const open = new Map<string, Socket>()
  server.on('connection', (socket: Socket) => {
    const name = nameOf(socket)
    open.set(name, socket)
    socket.once('close', () => open.delete(name))
  })
  // Before the listener of Node, which closes the connection.
  server.prependListener('tlsClientError', (error: NodeJS.ErrnoException, socket: TLSSocket) => {
    if (error.code === 'ERR_SSL_HTTP_REQUEST') open.get(nameOf(socket))?.write(PLAIN)
  })
  const { closeAllConnections } = server
  server.closeAllConnections = () => {
    closeAllConnections.call(server)
    for (const socket of open.values()) socket.destroy()
  }
  return server
}

/** A secure socket and the one below it have the same ends. */
function nameOf({ localAddress, remoteAddress, remotePort }: Socket): string {
  return `${localAddress} ${remoteAddress} ${remotePort}`
}
