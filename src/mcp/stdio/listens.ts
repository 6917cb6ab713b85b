import {
  isJSONRPCErrorResponse,
  isJSONRPCNotification,
  isJSONRPCRequest,
  isJSONRPCResultResponse,
  type JSONRPCMessage,
  type RequestId,
} from '@modelcontextprotocol/server'
import { isMemoryUri } from '../model/names.ts'
import type { Audience } from '../subscriptions/audience.ts'
import { createHeld, type Held } from '../subscriptions/held.ts'
import { narrowListen, urisListenedTo } from '../subscriptions/narrow-listen.ts'

export interface ListensParts extends Pick<Audience, 'watches'> {
  /** Whether the client may be notified of changes of this resource. */
  canSubscribe: (uri: string) => boolean
  deliver: (message: JSONRPCMessage) => void
}

/** The subscriptions of a client of the new era, by the id of its request: the SDK does not expose them. */
export function createListens({ canSubscribe, watches, deliver }: ListensParts) {
  const listens = new Map<RequestId, Held>()

  function end(id: RequestId | undefined): void {
    if (id === undefined) return
    listens.get(id)?.clear()
    listens.delete(id)
  }

  /** The message is delivered once all its resources are resolved: an acknowledged client is notified of everything that follows. */
  function begin(id: RequestId, message: JSONRPCMessage): JSONRPCMessage | undefined {
    end(id)
    const uris = urisListenedTo(message).filter(isMemoryUri)
    if (uris.length === 0) return message
    const held = createHeld(watches)
    listens.set(id, held)
    void Promise.all(uris.map(held.add)).then(() => {
      // It may have been cancelled meanwhile.
      if (listens.get(id) === held) deliver(message)
    })
    return undefined
  }

  return {
    /** The message to deliver; undefined: it is delivered later. */
    received(message: JSONRPCMessage): JSONRPCMessage | undefined {
      if (isJSONRPCRequest(message) && message.method === 'subscriptions/listen')
        return begin(message.id, narrowListen(message, canSubscribe))
      if (isJSONRPCNotification(message) && message.method === 'notifications/cancelled')
        end((message.params as { requestId?: RequestId } | undefined)?.requestId)
      return message
    },
    /** A listen that is answered is over, or was refused. */
    sent(message: JSONRPCMessage): void {
      if (isJSONRPCResultResponse(message) || isJSONRPCErrorResponse(message)) end(message.id)
    },
    close(): void {
      for (const held of listens.values()) held.clear()
      listens.clear()
    },
  }
}
