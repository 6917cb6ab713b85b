import { connect, type Socket } from 'node:net'
import { onTestFinished } from 'vitest'
import { type AppOptions, createApp, type McpEndpoint } from '../../src/http/app.ts'
import { createGuard } from '../../src/http/guard.ts'
import type { HttpLimits } from '../../src/http/limits.ts'
import { type HttpServerOptions, openHttpServer } from '../../src/http/server.ts'

export const ANSWER = { jsonrpc: '2.0', id: 1, result: {} }

/** Reads the request whole, as the endpoint does. */
export const answerWhole: McpEndpoint = async (request) => {
  await request.text()
  return Response.json(ANSWER)
}

/** The real app and server on a free port of this machine, with what they told of. Closed when the test is over. */
export async function startHttp(
  mcp: McpEndpoint = answerWhole,
  limits: Partial<HttpLimits> = {},
  more: Partial<AppOptions> = {},
  listening: Pick<HttpServerOptions, 'certificate' | 'clientAddress'> = {},
) {
  const errors: unknown[] = []
  const closed: object[] = []
  const onError = (error: unknown) => errors.push(error)
  const app = createApp({ mcp, guard: createGuard({ listenHost: '127.0.0.1' }), onError, ...more })
  const server = await openHttpServer({
    app,
    ...listening,
    address: { host: '127.0.0.1', port: 0 },
    limits: { drainTimeoutMs: 200, ...limits },
    onConnectionClosed: (connection) => closed.push(connection),
    onError,
  })
  onTestFinished(() => server.close())
  return { ...server, errors, closed }
}

export interface Wire {
  socket: Socket
  connected: Promise<void>
  send(text: string): void
  /** All that came so far. */
  received(): string
  /** Resolves with all that came once `pattern` is in it; rejects when the connection closes before. */
  until(pattern: RegExp): Promise<string>
  /** Resolves with all that came when the other side has closed. */
  ended: Promise<string>
}

/** A connection that sends what it is told, right or wrong. */
export function openWire(port: number): Wire {
  const socket = connect({ port, host: '127.0.0.1' })
  onTestFinished(() => void socket.destroy())
  let text = ''
  const looks = new Set<() => void>()
  const look = () => {
    for (const one of looks) one()
  }
  socket.setEncoding('latin1')
  socket.on('data', (chunk) => {
    text += chunk
    look()
  })
  // A reset is one of the ways to be refused.
  socket.on('error', () => undefined)
  const connected = new Promise<void>((resolve) => socket.once('connect', () => resolve()))
  const ended = new Promise<string>((resolve) => socket.once('close', () => resolve(text)))
  const until = (pattern: RegExp) =>
    new Promise<string>((resolve, reject) => {
      const one = () => {
        if (!pattern.test(text)) return
        looks.delete(one)
        resolve(text)
      }
      looks.add(one)
      one()
      void ended.then(() => reject(new Error(`closed without ${pattern}: ${text.slice(0, 500)}`)))
    })
  return { socket, connected, send: (sent) => void socket.write(sent), received: () => text, until, ended }
}

/** A request as it stands on the wire. */
export function requestText(line: string, headers: readonly string[] = [], body = ''): string {
  const length = body === '' ? [] : [`Content-Length: ${Buffer.byteLength(body)}`]
  return [`${line} HTTP/1.1`, 'Host: localhost', ...length, ...headers, '', body].join('\r\n')
}

export const POST = requestText('POST /mcp', ['Content-Type: application/json'], '{}')

/** How many responses there are in what came. */
export function statuses(text: string): number[] {
  return [...text.matchAll(/HTTP\/1\.1 (\d{3})/g)].map(([, status]) => Number(status))
}

/** A stream of events that stays open until it is told to end or to break. */
export function openEvents() {
  let control: ReadableStreamDefaultController<Uint8Array> | undefined
  let isCancelled = false
  const body = new ReadableStream<Uint8Array>({
    start: (controller) => {
      control = controller
    },
    cancel: () => {
      isCancelled = true
    },
  })
  return {
    response: new Response(body, {
      headers: { 'content-type': 'text/event-stream', connection: 'keep-alive' },
    }),
    say: (text: string) => control?.enqueue(new TextEncoder().encode(`data: ${text}\n\n`)),
    end: () => control?.close(),
    break: (error: unknown) => control?.error(error),
    isCancelled: () => isCancelled,
  }
}
