import type { Readable, Writable } from 'node:stream'
import {
  isJSONRPCErrorResponse,
  isJSONRPCNotification,
  isJSONRPCRequest,
  isJSONRPCResultResponse,
  type JSONRPCMessage,
  type JSONRPCNotification,
  type JSONRPCRequest,
  type RequestId,
  serializeMessage,
  type Transport,
} from '@modelcontextprotocol/server'
import { createLineQueue } from '../../util/line-queue.ts'
import { MAX_RUNNING } from '../model/running.ts'
import { parseLine, refuseLong } from './parse-message.ts'

/** The longest message that is read: a large note fits. */
const MAX_MESSAGE_BYTES = 64 * 1024 * 1024
/**
 * At the limit of running requests, reading continues by this much: a cancellation may come after requests that
 * wait. The rest stays in the stream.
 */
const MAX_HELD = { requests: 32, bytes: 1024 * 1024 }
/** How long the next answer may take after the client closed its end. */
const DRAIN_MS = 10_000

export interface StdioOptions {
  input: Readable
  output: Writable
  /** Sees every message and returns the one to deliver. Undefined: it is delivered later. */
  onInbound?: (message: JSONRPCMessage) => JSONRPCMessage | undefined
  onOutbound?: (message: JSONRPCMessage) => JSONRPCMessage
  drainMs?: number
  maxMessageBytes?: number
}

/**
 * Lines of JSON on two streams. The SDK's own drops requests that are pending when the input ends; here they are answered first:
 * a script may write its requests and close.
 */
export function createStdioTransport(options: StdioOptions): Transport & { drain(): Promise<void> } {
  const { input, output, onInbound = same, onOutbound = same, drainMs = DRAIN_MS } = options
  const maxBytes = options.maxMessageBytes ?? MAX_MESSAGE_BYTES
  const queue = createLineQueue(maxBytes)
  const unanswered = createUnanswered()
  /** Read, and waiting until one that runs has its answer. */
  const held: Held[] = []
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
    /** Stops reading, answers the requests read so far, and closes. */
    async drain() {
      onEnd()
      await drained.promise
    },
  }
  return transport

  function onData(chunk: Buffer): void {
    queue.push(chunk)
    take()
  }

  /** As many messages as may be worked on now. Called again with every answer. */
  function take(): void {
    // A message may be answered before this is over.
    if (isTaking) return
    isTaking = true
    while (!isStuck() && (passHeld() || readLine())) {
      // Each of them takes one step.
    }
    isTaking = false
    if (isClosed) return
    if (isEnding) closeWhenDone()
    else if (isStuck() || !mayHold()) input.pause()
    else input.resume()
  }

  /** The client does not read its answers. */
  function isStuck(): boolean {
    return isClosed || output.writableNeedDrain
  }

  function isBusy(): boolean {
    return unanswered.size() >= MAX_RUNNING
  }

  function mayHold(): boolean {
    const bytes = held.reduce((sum, one) => sum + one.bytes, 0)
    return held.length < MAX_HELD.requests && bytes < MAX_HELD.bytes
  }

  function passHeld(): boolean {
    const next = isBusy() ? undefined : held.shift()
    if (next) pass(next.request)
    return next !== undefined
  }

  function readLine(): boolean {
    const line = mayHold() ? queue.next() : undefined
    if (typeof line === 'string') receive(line)
    else if (line) refuse(new RangeError('a message is too long'), refuseLong(line, maxBytes))
    return line !== undefined
  }

  function receive(line: string): void {
    const parsed = parseLine(line)
    if (parsed === undefined) return
    const { message, refusals } = parsed
    if (!message) refuse(new TypeError('a line is not a message'), refusals)
    else if (isCounted(message) && isBusy()) held.push({ request: message, bytes: line.length })
    else if (!isCancelled(message)) pass(message)
  }

  function refuse(error: Error, refusals: readonly JSONRPCMessage[]): void {
    onError(error)
    for (const refusal of refusals) transport.send(refusal).catch(onError)
  }

  /** A held request is cancelled without being delivered. */
  function isCancelled(message: JSONRPCMessage): boolean {
    if (!isJSONRPCNotification(message) || message.method !== 'notifications/cancelled') return false
    const id = cancelledId(message)
    const at = held.findIndex(({ request }) => request.id === id)
    if (at >= 0) held.splice(at, 1)
    else unanswered.delete(id)
    return at >= 0
  }

  function pass(message: JSONRPCMessage): void {
    if (isCounted(message)) unanswered.add(message.id)
    const passed = onInbound(message)
    if (passed) transport.onmessage?.(passed)
  }

  function settle(id: RequestId | undefined): void {
    if (id !== undefined) unanswered.delete(id)
    // Requests that still get answers are not aborted.
    if (isEnding) patience?.refresh()
    take()
  }

  function closeWhenDone(): void {
    if (unanswered.size() === 0 && !isStuck()) void transport.close()
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

interface Held {
  request: JSONRPCRequest
  bytes: number
}

/** A listen has its answer only when it ends. */
function isCounted(message: JSONRPCMessage): message is JSONRPCRequest {
  return isJSONRPCRequest(message) && message.method !== 'subscriptions/listen'
}

/** How many requests wait for an answer: a client may give several the same id. */
function createUnanswered() {
  const counts = new Map<RequestId, number>()
  let size = 0
  return {
    size: () => size,
    add(id: RequestId): void {
      counts.set(id, (counts.get(id) ?? 0) + 1)
      size++
    },
    delete(id: RequestId): void {
      const count = counts.get(id)
      if (count === undefined) return
      if (count === 1) counts.delete(id)
      else counts.set(id, count - 1)
      size--
    },
  }
}

function same(message: JSONRPCMessage): JSONRPCMessage {
  return message
}

function cancelledId({ params }: JSONRPCNotification): RequestId {
  return (params as { requestId?: RequestId } | undefined)?.requestId ?? ''
}
