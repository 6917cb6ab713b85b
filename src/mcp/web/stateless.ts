import { createMcpHandler, type JSONRPCMessage } from '@modelcontextprotocol/server'
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
  const handler = createMcpHandler(
    ({ requestInfo }) => {
      const { message, connection } = (requestInfo && asked.get(requestInfo)) ?? {}
      const speaker = createConnection(registry, connection && { key: connection })
      // Only here: the SDK has refused what does not fit before it wants a server.
      if (message) speaker.received(message)
      return createServer(served, { era: 'modern', callerOf: speaker.callerOf, subscribed: new Set() })
    },
    { legacy: 'reject', maxSubscriptions: maxStreams, onerror: onProblem },
  )
  const leave = audience.join({ updated: handler.notify.resourceUpdated, cold: () => undefined })
  return {
    fetch(request: Request, { body, connection }: { body: unknown; connection: object }): Promise<Response> {
      // Whatever it is: the SDK says what is wrong with it.
      const message = (isListen(body) ? narrowListen(body as JSONRPCMessage) : body) as JSONRPCMessage
      asked.set(request, { message, connection })
      return handler.fetch(request, { parsedBody: message })
    },
    /** Streams end with their result. */
    async close(): Promise<void> {
      leave()
      await handler.close()
    },
  }
}
