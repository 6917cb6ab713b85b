import { createMcpHandler, type JSONRPCMessage, type McpServerFactory } from '@modelcontextprotocol/server'
import type { Served } from '../model/served.ts'
import { createServer } from '../server.ts'
import { createConnection } from '../sessions/connection.ts'
import { envelopeClient, metaOf } from '../sessions/identity.ts'
import type { Registry } from '../sessions/registry.ts'
import type { Audience } from '../subscriptions/audience.ts'
import { createHeld, type Held } from '../subscriptions/held.ts'
import { narrowListen, urisListenedTo } from '../subscriptions/narrow-listen.ts'
import { isListen } from './era.ts'
import type { Answer } from './sessions.ts'

export interface StatelessParts {
  served: Served
  registry: Registry
  audience: Audience
  maxStreams: number
  onProblem: (error: unknown) => void
}

interface Asked {
  message: JSONRPCMessage
  /** Of the client. It may open a connection for every request: all of them together are its session. */
  address: string
  /** What the registry knows the client by. */
  key: string
  /** The request is over. */
  leave: () => void
}

interface StatelessRequest {
  body: unknown
  address: string
  /** What tells it apart from others at this address. */
  client: string
}

/** Serves 2026-07-28: a server object for each request, and streams that tell of changes. */
export function createStateless({ served, registry, audience, maxStreams, onProblem }: StatelessParts) {
  // The SDK passes on the request it was given, and nothing else that is ours.
  const asked = new WeakMap<Request, Asked>()
  const serverFor: McpServerFactory = ({ requestInfo }) => {
    const request = requestInfo && asked.get(requestInfo)
    const speaker = createConnection(registry, request ? { key: request.key, address: request.address } : {})
    // Only here: the SDK has refused what does not fit before it wants a server.
    if (request) {
      speaker.received(request.message)
      request.leave = registry.hold(request.key, envelopeClient(metaOf(request.message)))
    }
    const subscribed = createHeld(audience.watches)
    return createServer(served, { era: 'modern', callerOf: speaker.callerOf, subscribed, audience })
  }
  const options = { legacy: 'reject', maxSubscriptions: maxStreams, onerror: onProblem } as const
  // Two, because one can only end streams and requests at once, and streams end first.
  const asking = createMcpHandler(serverFor, options)
  let listening = createMcpHandler(serverFor, options)
  const leave = audience.join({
    updated: (uri) => listening.notify.resourceUpdated(uri),
    cold: () => undefined,
  })

  /** Whoever is acknowledged is told of all that follows. */
  async function listened(message: JSONRPCMessage, held: Held): Promise<JSONRPCMessage> {
    const narrowed = narrowListen(message, audience.canSubscribe)
    await Promise.all(urisListenedTo(narrowed).map(held.add))
    return narrowed
  }

  return {
    async fetch(request: Request, { body, address, client }: StatelessRequest): Promise<Answer> {
      const held = createHeld(audience.watches)
      const onEnd = (): void => {
        held.clear()
        asked.get(request)?.leave()
      }
      try {
        // Whatever it is: the SDK says what is wrong with it.
        const isListening = isListen(body)
        const given = body as JSONRPCMessage
        const message = isListening ? await listened(given, held) : given
        asked.set(request, { message, address, key: `${client}@${address}`, leave: () => undefined })
        const handler = isListening ? listening : asking
        return { response: await handler.fetch(request, { parsedBody: message }), onEnd }
      } catch (error) {
        onEnd()
        throw error
      }
    },
    /** Each with its result. Others may begin. */
    async endStreams(): Promise<void> {
      const ended = listening
      listening = createMcpHandler(serverFor, options)
      await ended.close()
    },
    /** Ends what is still being answered, and streams that began while the others ended. */
    async close(): Promise<void> {
      leave()
      await Promise.all([asking.close(), listening.close()])
    },
  }
}
