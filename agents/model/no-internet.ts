import { appendFileSync } from 'node:fs'
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http'
import { connect } from 'node:net'
import type { Duplex } from 'node:stream'
import { type Listening, listenOnLoopback } from '../loopback.ts'

const LOOPBACK = new Set(['127.0.0.1', 'localhost', '[::1]'])

/** A proxy that lets programs reach this machine only. The hosts they wanted to reach are added to the file `log`. */
export function refuseInternet(log: string): Promise<Listening> {
  const isRefused = (url: URL | null): boolean => {
    if (url && LOOPBACK.has(url.hostname)) return false
    appendFileSync(log, `${url?.hostname ?? 'unreadable'}\n`)
    return true
  }
  const server = createServer((incoming, outgoing) => {
    const url = URL.parse(incoming.url ?? '')
    if (isRefused(url)) outgoing.writeHead(403).end()
    else passRequest(url as URL, incoming, outgoing)
  })
  server.on('connect', (incoming: IncomingMessage, socket: Duplex, head: Buffer) => {
    const url = URL.parse(`http://${incoming.url}`)
    socket.on('error', () => socket.destroy())
    if (isRefused(url)) socket.end('HTTP/1.1 403 Forbidden\r\n\r\n')
    else passConnection(url as URL, socket, head)
  })
  return listenOnLoopback(server)
}

function passRequest(url: URL, incoming: IncomingMessage, outgoing: ServerResponse): void {
  const { method = 'GET', headers } = incoming
  const onward = request(url, { method, headers }, (answer) => {
    outgoing.writeHead(answer.statusCode ?? 502, answer.headers)
    answer.pipe(outgoing)
  })
  onward.on('error', () => outgoing.destroy())
  incoming.pipe(onward)
}

function passConnection({ hostname, port }: URL, socket: Duplex, head: Buffer): void {
  const onward = connect(Number(port || 80), hostname, () => {
    socket.write('HTTP/1.1 200 Connected\r\n\r\n')
    onward.write(head)
    onward.pipe(socket).pipe(onward)
  })
  onward.on('error', () => socket.destroy())
}
