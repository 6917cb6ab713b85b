import {
  isJSONRPCNotification,
  type JSONRPCMessage,
  ProtocolErrorCode,
  type RequestId,
  WebStandardStreamableHTTPServerTransport,
} from '@modelcontextprotocol/server'
import { base62 } from '../../util/text/base62.ts'
import { contentDigest } from '../../util/text/hash.ts'
import { inOldWords } from '../model/errors.ts'
import type { Served } from '../model/served.ts'
import { createServer } from '../server.ts'
import { createConnection } from '../sessions/connection.ts'
import type { Registry } from '../sessions/registry.ts'
import type { Audience } from '../subscriptions/audience.ts'
import { createHeld } from '../subscriptions/held.ts'
import { createListener } from '../subscriptions/listener.ts'
import type { SessionEvents } from './events.ts'
import { createPending, isRequestId } from './pending.ts'
import { refusal } from './refusal.ts'

export interface SessionParts {
  served: Served
  registry: Registry
  audience: Audience
  /** Whoever has it is the client. */
  id: string
  /** Where it was begun from. */
  address: string
  events: SessionEvents
  onProblem: (error: unknown) => void
  /** Called once, whatever ended it. */
  onEnd: () => void
}

export interface WebSession {
  fetch(request: Request, body: unknown): Promise<Response>
  /** Whether there was a handshake. */
  hasBegun(): boolean
  /** Whether a request has no answer yet, also where its client lost the connection. */
  isAnswering(): boolean
  /** Ends the stream that tells of changes; answers still go out. */
  endStream(): void
  close(): Promise<void>
}

/**
 * How a session is shown, in `remindb://sessions`, in logs and in names of files. Its id is no name: whoever knows it can
 * speak as the client, so it is seen nowhere but in the client's own headers. A client can compute its name.
 */
export function sessionName(id: string): string {
  return base62(BigInt(`0x${contentDigest(id).slice(0, 16)}`))
}

/** A client of the old era: a server object, a transport and a place in the audience of its own. */
export async function openSession(parts: SessionParts): Promise<WebSession> {
  const { served, registry, audience, id, events, onProblem, onEnd } = parts
  const connection = createConnection(registry, { sessionId: sessionName(id), address: parts.address })
  const subscribed = createHeld(audience.watches)
  const server = createServer(served, {
    ...{ era: 'legacy', callerOf: connection.callerOf, subscribed, audience },
  })
  const transport = new WebStandardStreamableHTTPServerTransport({
    sessionIdGenerator: () => id,
    eventStore: events,
  })
  const pending = createPending()
  const send = transport.send.bind(transport)
  transport.send = async (message, options) => {
    connection.sent(message)
    await send(inOldWords(message), options)
    if (!('method' in message) && message.id !== undefined) pending.answered(message.id)
  }
  // The SDK calls this before it looks at the message itself.
  transport.onmessage = (message) => {
    connection.received(message)
    const cancelled = cancelledId(message)
    if (cancelled !== undefined) endStream(transport, cancelled)
  }
  server.onerror = onProblem
  await server.connect(transport)
  const leave = audience.join(createListener(() => ({ server, era: 'legacy' }), subscribed))
  server.onclose = () => {
    leave()
    subscribed.clear()
    connection.close()
    events.clear()
    onEnd()
  }
  return {
    async fetch(request, body) {
      const giveBack = pending.take(body)
      if (!giveBack) return inUse(body)
      const response = await transport.handleRequest(request, body === undefined ? {} : { parsedBody: body })
      // Refused: nobody will answer.
      if (!response.ok) giveBack()
      return response
    },
    hasBegun: () => transport.sessionId !== undefined,
    isAnswering: () => pending.size() > 0,
    endStream: () => transport.closeStandaloneSSEStream(),
    close: () => server.close(),
  }
}

function cancelledId(message: JSONRPCMessage): RequestId | undefined {
  if (!isJSONRPCNotification(message) || message.method !== 'notifications/cancelled') return undefined
  const { requestId } = (message.params ?? {}) as { requestId?: unknown }
  return isRequestId(requestId) ? requestId : undefined
}

function inUse(body: unknown): Response {
  return refusal('invalid', 'a request with this id is still being answered; give each an id of its own', {
    body,
  })
}

/**
 * What is cancelled gets no answer, and without one the SDK would keep its stream open for ever. The stream ends first, so
 * the error goes nowhere; it is how the transport forgets the request.
 */
function endStream(transport: WebStandardStreamableHTTPServerTransport, id: RequestId): void {
  transport.closeSSEStream(id)
  const error = { code: ProtocolErrorCode.InvalidRequest, message: 'the request was cancelled' }
  transport.send({ jsonrpc: '2.0', id, error }).catch(ignoreAnswered)
}

/** It had its answer already. */
function ignoreAnswered(): void {}
