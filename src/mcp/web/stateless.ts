import { createMcpHandler, type JSONRPCMessage, type McpServerFactory } from '@modelcontextprotocol/server'
import { createConnection } from '../connection.ts'
import type { Served } from '../served.ts'
import { createServer } from '../server.ts'
import type { Registry } from '../sessions/registry.ts'
import type { Audience } from '../subscriptions/audience.ts'
import { narrowListen } from '../subscriptions/narrow-listen.ts'
import { isListen } from './era.ts'

export interface StatelessParts {
  served: Served
  registry: Registry
  audience: Audience
  maxStreams: number
  onProblem: (error: unknown) => void
}

interface Asked {
  message: JSONRPCMessage
  connection: object
}

/** Serves 2026-07-28: a server object for each request, and streams that tell of changes. */
export function createStateless({ served, registry, audience, maxStreams, onProblem }: StatelessParts) {
  // The SDK passes on the request it was given, and nothing else that is ours.
  const asked = new WeakMap<Request, Asked>()
  const serverFor: McpServerFactory = ({ requestInfo }) => {
    const { message, connection } = (requestInfo && asked.get(requestInfo)) ?? {}
    const speaker = createConnection(registry, connection && { key: connection })
    // Only here: the SDK has refused what does not fit before it wants a server.
    if (message) speaker.received(message)
    return createServer(served, { era: 'modern', callerOf: speaker.callerOf, subscribed: new Set() })
  }
  const options = { legacy: 'reject', maxSubscriptions: maxStreams, onerror: onProblem } as const
  // Two, because one can only end streams and requests at once, and streams end first.
  const asking = createMcpHandler(serverFor, options)
  const listening = createMcpHandler(serverFor, options)
  const leave = audience.join({ updated: listening.notify.resourceUpdated, cold: () => undefined })
  return {
    fetch(request: Request, { body, connection }: { body: unknown; connection: object }): Promise<Response> {
      // Whatever it is: the SDK says what is wrong with it.
      const isListening = isListen(body)
      const message = (isListening ? narrowListen(body as JSONRPCMessage) : body) as JSONRPCMessage
      asked.set(request, { message, connection })
      return (isListening ? listening : asking).fetch(request, { parsedBody: message })
    },
    /** Each with its result. No more begin. */
    async endStreams(): Promise<void> {
      leave()
      await listening.close()
    },
    /** Ends what is still being answered, and streams that began while the others ended. */
    async close(): Promise<void> {
      await Promise.all([asking.close(), listening.close()])
    },
  }
}
