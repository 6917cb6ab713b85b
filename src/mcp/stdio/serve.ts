import type { Readable, Writable } from 'node:stream'
import { isJSONRPCRequest, type Server } from '@modelcontextprotocol/server'
import { serveStdio } from '@modelcontextprotocol/server/stdio'
import { failureFields, inOldWords } from '../model/errors.ts'
import type { Era } from '../model/request.ts'
import type { Served } from '../model/served.ts'
import { createServer } from '../server.ts'
import { createConnection } from '../sessions/connection.ts'
import type { Registry } from '../sessions/registry.ts'
import type { Audience } from '../subscriptions/audience.ts'
import { createHeld } from '../subscriptions/held.ts'
import { createListener } from '../subscriptions/listener.ts'
import { createListens } from './listens.ts'
import { createStdioTransport } from './transport.ts'

/** Discovery requests, which need no memory. */
const INTRODUCTIONS: ReadonlySet<string> = new Set(['initialize', 'server/discover'])

export interface StdioParts {
  served: Served
  registry: Registry
  audience: Audience
  input: Readable
  output: Writable
  /**
   * Called once, when a client has its first answer: work that can wait should wait until then. A discovery request does not
   * count: many clients start a server only for that, and others list the tools next.
   */
  onAnswered?: () => void
}

export interface StdioServing {
  /** Resolves when the client disconnects. */
  closed: Promise<void>
  /** Answers the requests so far, and no more. */
  drain(): Promise<void>
}

/** Serves one client of either era over two streams. */
export function serveOnStdio(parts: StdioParts): StdioServing {
  const { served, registry, audience, input, output } = parts
  const connection = createConnection(registry)
  const subscribed = createHeld(audience.watches)
  const listens = createListens({
    watches: audience.watches,
    canSubscribe: audience.canSubscribe,
    deliver: (message) => transport.onmessage?.(message),
  })
  const closed = Promise.withResolvers<void>()
  let current: { server: Server; era: Era } | undefined
  let onAnswered = parts.onAnswered
  let isUsed = false

  const transport = createStdioTransport({
    input,
    output,
    onInbound(message) {
      connection.received(message)
      if (isJSONRPCRequest(message) && !INTRODUCTIONS.has(message.method)) isUsed = true
      return listens.received(message)
    },
    onOutbound(message) {
      connection.sent(message)
      listens.sent(message)
      if (isUsed && 'id' in message) answered()
      return current?.era === 'legacy' ? inOldWords(message) : message
    },
  })
  const handle = serveStdio(
    ({ era }) => {
      const server = createServer(served, { era, callerOf: connection.callerOf, subscribed, audience })
      current = { server, era }
      return server
    },
    { transport, onerror: (error) => served.log.warn('connection problem', failureFields(error)) },
  )
  const leave = audience.join(createListener(() => current, subscribed))
  const onClose = transport.onclose
  transport.onclose = () => {
    onClose?.()
    leave()
    subscribed.clear()
    listens.close()
    connection.close()
    closed.resolve()
  }
  return {
    closed: closed.promise,
    async drain() {
      await transport.drain()
      await handle.close()
    },
  }

  function answered(): void {
    const told = onAnswered
    onAnswered = undefined
    if (told) setImmediate(told)
  }
}
