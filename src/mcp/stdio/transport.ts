import type { Readable, Writable } from 'node:stream'
import {
  isJSONRPCErrorResponse,
  isJSONRPCNotification,
  isJSONRPCRequest,
  isJSONRPCResultResponse,
  type JSONRPCMessage,
  type JSONRPCNotification,
  type RequestId,
  serializeMessage,
  type Transport,
} from '@modelcontextprotocol/server'
import { createLineQueue } from '../../util/line-queue.ts'
import { parseLine } from './parse-message.ts'

/** The longest message that is read: a large note fits. */
const MAX_MESSAGE_BYTES = 64 * 1024 * 1024
/** Requests that are worked on at once. The rest waits where it is: nobody can fill the memory by asking. */
const MAX_UNANSWERED = 64
/** How long the next answer may take after the client closed its end. */
const DRAIN_MS = 10_000

export interface StdioOptions {
  input: Readable
  output: Writable
  /** Every message in passing; what comes back is what goes on. Undefined: whoever took it passes it on later. */
  onInbound?: (message: JSONRPCMessage) => JSONRPCMessage | undefined
  onOutbound?: (message: JSONRPCMessage) => JSONRPCMessage
  drainMs?: number
  maxMessageBytes?: number
}

/**
 * Lines of JSON on two streams. The SDK's own drops whatever was asked before the input ended; here it is answered first:
 * a script may write its requests and close.
 */
export function createStdioTransport(options: StdioOptions): Transport & { drain(): Promise<void> } {
  const { input, output, onInbound = same, onOutbound = same, drainMs = DRAIN_MS } = options
  const queue = createLineQueue(options.maxMessageBytes ?? MAX_MESSAGE_BYTES)
  const unanswered = new Set<RequestId>()
  const drained = Promise.withResolvers<void>()
  let isEnding = false
  let isClosed = false
  let isTaking = false
  let patience: NodeJS.Timeout | undefined

  const transport: Transport & { drain(): Promise<void> } = {
    async start() {
      input.on('data', onData)
      input.on('end', onEnd)
      input.on('close', onEnd)
      input.on('error', onError)
      output.on('error', onBroken)
      output.on('drain', take)
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
    const isTaken = queue.push(chunk)
    take()
    if (isTaken) return
    onError(new RangeError('a message is too long'))
    onEnd()
  }

  /** As many messages as may be worked on now. Called again with every answer. */
  function take(): void {
    // A message may be answered before this is over.
    if (isTaking) return
    isTaking = true
    for (let line = nextLine(); line !== undefined; line = nextLine()) receive(line)
    isTaking = false
    if (isClosed) return
    if (isEnding) closeWhenDone()
    else if (isFull()) input.pause()
    else input.resume()
  }

  function nextLine(): string | undefined {
    return isFull() ? undefined : queue.next()
  }

  /** Also of answers that the client does not read. */
  function isFull(): boolean {
    return isClosed || unanswered.size >= MAX_UNANSWERED || output.writableNeedDrain
  }

  function receive(line: string): void {
    const parsed = parseLine(line)
    if (parsed === undefined) return
    const { message, refusals } = parsed
    if (!message) {
      onError(new TypeError('a line is no message'))
      for (const refusal of refusals) transport.send(refusal).catch(onError)
      return
    }
    // Its answer comes only when it ends.
    if (isJSONRPCRequest(message) && message.method !== 'subscriptions/listen') unanswered.add(message.id)
    if (isJSONRPCNotification(message) && message.method === 'notifications/cancelled')
      unanswered.delete(cancelledId(message))
    const passed = onInbound(message)
    if (passed) transport.onmessage?.(passed)
  }

  function settle(id: RequestId | undefined): void {
    if (id !== undefined) unanswered.delete(id)
    // Whoever still gets answers is not given up.
    if (isEnding) patience?.refresh()
    take()
  }

  function closeWhenDone(): void {
    if (unanswered.size === 0 && !isFull()) void transport.close()
  }

  function onEnd(): void {
    if (isEnding) return
    isEnding = true
    input.off('data', onData)
    patience = setTimeout(() => void transport.close(), drainMs)
    take()
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

function cancelledId({ params }: JSONRPCNotification): RequestId {
  return (params as { requestId?: RequestId } | undefined)?.requestId ?? ''
}
