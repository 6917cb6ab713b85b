import type { Readable, Writable } from 'node:stream'
import { isJSONRPCRequest, type JSONRPCMessage, type Server } from '@modelcontextprotocol/server'
import { serveStdio } from '@modelcontextprotocol/server/stdio'
import type { Audience } from '../audience.ts'
import { coldNotice } from '../cold-notice.ts'
import { createConnection } from '../connection.ts'
import { failureFields, inOldWords } from '../errors.ts'
import type { Served } from '../served.ts'
import { createServer, type Era } from '../server.ts'
import type { Registry } from '../sessions/registry.ts'
import { findSubscribable } from '../subscriptions/subscribable.ts'
import { createStdioTransport } from './transport.ts'

export interface StdioParts {
  served: Served
  registry: Registry
  audience: Audience
  input: Readable
  output: Writable
  /**
   * Called once, when a client has its first answer: what can wait until then, should. A question who we are does not
   * count: many clients start a server only to ask that.
   */
  onAnswered?: () => void
}

export interface StdioServing {
  /** Resolves when the client is gone. */
  closed: Promise<void>
  /** Answers what was asked so far, and no more. */
  drain(): Promise<void>
}

/** Serves one client of either era over two streams. */
export function serveOnStdio(parts: StdioParts): StdioServing {
  const { served, registry, audience, input, output } = parts
  const connection = createConnection(registry)
  const subscribed = new Set<string>()
  const closed = Promise.withResolvers<void>()
  let current: { server: Server; era: Era } | undefined
  let onAnswered = parts.onAnswered
  let isUsed = false

  const transport = createStdioTransport({
    input,
    output,
    onInbound(message) {
      connection.received(message)
      if (isJSONRPCRequest(message) && message.method !== 'server/discover') isUsed = true
      return narrowListen(message)
    },
    onOutbound(message) {
      connection.sent(message)
      if (isUsed && 'id' in message) answered()
      return current?.era === 'legacy' ? inOldWords(message) : message
    },
  })
  const handle = serveStdio(
    ({ era }) => {
      const server = createServer(served, { era, callerOf: connection.callerOf, subscribed })
      current = { server, era }
      return server
    },
    { transport, onerror: (error) => served.log.warn('connection problem', failureFields(error)) },
  )
  /** Told, but not read: whoever reads it then sees what is newest, so that once is enough. */
  const telling = new Set<string>()
  const leave = audience.join({
    updated(uri) {
      // In the new era the SDK knows who listens to what.
      if (!current || telling.has(uri) || (current.era === 'legacy' && !subscribed.has(uri))) return
      telling.add(uri)
      const told = current.server.sendResourceUpdated({ uri })
      told.catch(ignoreClosed).finally(() => telling.delete(uri))
    },
    cold(nodes) {
      if (current?.era === 'legacy') current.server.sendLoggingMessage(coldNotice(nodes)).catch(ignoreClosed)
    },
  })
  const onClose = transport.onclose
  transport.onclose = () => {
    onClose?.()
    leave()
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

/** The client is gone: there is nobody to tell. */
function ignoreClosed(): void {}

/** The SDK would acknowledge every URI: what cannot be subscribed to is left out before it sees it. */
function narrowListen(message: JSONRPCMessage): JSONRPCMessage {
  if (!isJSONRPCRequest(message) || message.method !== 'subscriptions/listen') return message
  const params = message.params as { notifications?: { resourceSubscriptions?: unknown } } | undefined
  const wanted = params?.notifications?.resourceSubscriptions
  if (!Array.isArray(wanted)) return message
  const resourceSubscriptions = wanted.filter(
    (uri) => typeof uri !== 'string' || findSubscribable(uri) !== undefined,
  )
  return {
    ...message,
    params: { ...params, notifications: { ...params?.notifications, resourceSubscriptions } },
  }
}
