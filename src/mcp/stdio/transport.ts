import type { Readable, Writable } from 'node:stream'
import {
  isJSONRPCErrorResponse,
  isJSONRPCNotification,
  isJSONRPCRequest,
  isJSONRPCResultResponse,
  type JSONRPCMessage,
  ReadBuffer,
  type RequestId,
  serializeMessage,
  type Transport,
} from '@modelcontextprotocol/server'

/** The longest message that is read: a large note fits. */
const MAX_MESSAGE_BYTES = 64 * 1024 * 1024
/** How long requests that were read are still answered after the client closed its end. */
const DRAIN_MS = 10_000

export interface StdioOptions {
  input: Readable
  output: Writable
  /** Every message in passing; what comes back is what goes on. */
  onInbound?: (message: JSONRPCMessage) => JSONRPCMessage
  onOutbound?: (message: JSONRPCMessage) => JSONRPCMessage
  drainMs?: number
}

/**
 * Lines of JSON on two streams. The SDK's own drops whatever was asked before the input ended; here it is answered first:
 * a script may write its requests and close.
 */
export function createStdioTransport(options: StdioOptions): Transport & { drain(): Promise<void> } {
  const { input, output, onInbound = same, onOutbound = same, drainMs = DRAIN_MS } = options
  const buffer = new ReadBuffer({ maxBufferSize: MAX_MESSAGE_BYTES })
  const unanswered = new Set<RequestId>()
  const drained = Promise.withResolvers<void>()
  let isEnding = false
  let isClosed = false
  let patience: NodeJS.Timeout | undefined

  const transport: Transport & { drain(): Promise<void> } = {
    async start() {
      input.on('data', onData)
      input.on('end', onEnd)
      input.on('close', onEnd)
      input.on('error', onError)
      output.on('error', onBroken)
      if (input.readableEnded || input.destroyed) setImmediate(onEnd)
    },
    async send(message) {
      if (isClosed) throw new Error('the connection is closed')
      await write(serializeMessage(onOutbound(message)))
      if (isJSONRPCResultResponse(message) || isJSONRPCErrorResponse(message)) settle(message.id)
    },
    async close() {
      if (isClosed) return
      isClosed = true
      clearTimeout(patience)
      input.off('data', onData)
      input.pause()
      drained.resolve()
      transport.onclose?.()
    },
    /** Reads nothing more, answers what was read, and closes. */
    async drain() {
      onEnd()
      await drained.promise
    },
  }
  return transport

  function onData(chunk: Buffer): void {
    try {
      buffer.append(chunk)
    } catch (error) {
      onError(error as Error)
      void transport.close()
      return
    }
    for (let message = next(); message !== null; message = next()) receive(message)
  }

  function next(): JSONRPCMessage | null {
    for (;;) {
      try {
        return buffer.readMessage()
      } catch (error) {
        // JSON, but no message: there is nobody to answer.
        onError(error as Error)
      }
    }
  }

  function receive(message: JSONRPCMessage): void {
    if (isEnding) return
    // Its answer comes only when it ends.
    if (isJSONRPCRequest(message) && message.method !== 'subscriptions/listen') unanswered.add(message.id)
    if (isJSONRPCNotification(message) && message.method === 'notifications/cancelled')
      settle((message.params as { requestId?: RequestId } | undefined)?.requestId)
    transport.onmessage?.(onInbound(message))
  }

  function settle(id: RequestId | undefined): void {
    if (id !== undefined) unanswered.delete(id)
    if (isEnding && unanswered.size === 0) void transport.close()
  }

  function onEnd(): void {
    if (isEnding) return
    isEnding = true
    input.off('data', onData)
    if (unanswered.size === 0) return void transport.close()
    patience = setTimeout(() => void transport.close(), drainMs)
  }

  function onError(error: Error): void {
    transport.onerror?.(error)
  }
  function onBroken(error: Error): void {
    if (isClosed) return
    onError(error)
    void transport.close()
  }

  function write(text: string): Promise<void> {
    return new Promise((resolve, reject) => {
      output.write(text, (error) => (error ? reject(error) : resolve()))
    })
  }
}

function same(message: JSONRPCMessage): JSONRPCMessage {
  return message
}
