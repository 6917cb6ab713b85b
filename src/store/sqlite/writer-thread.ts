import { availableParallelism } from 'node:os'
import { parentPort, receiveMessageOnPort, workerData } from 'node:worker_threads'
import { MemoryError } from '../../core/errors.ts'
import { loadXxh64 } from '../../util/xxh64.ts'
import { translateError } from './errors.ts'
import { patienceOf } from './patience.ts'
import { createWriter, type WriterSettings } from './writer.ts'

/** What crosses the thread boundary: errors keep their code, everything else is plain data. */
export interface WriterRequest {
  id: number
  command: string
  args: unknown[]
}
export interface WriterMessage {
  requests: WriterRequest[]
  /** False: the answers come with those to the next message. */
  isAwaited: boolean
}
/** What the thread is started with. */
export interface WriterStart {
  settings: WriterSettings
  patience: SharedArrayBuffer
}
export type WriterReply =
  | { id: number; ok: true; value: unknown }
  | { id: number; ok: false; code: string | null; message: string; stack: string | undefined }

const port = parentPort
if (!port) throw new Error('writer-thread.ts runs as a worker only')

const hash = await loadXxh64()
let writer: ReturnType<typeof createWriter> | undefined

function open({ settings, patience }: WriterStart): ReturnType<typeof createWriter> {
  return createWriter(settings, hash, patienceOf(patience))
}

async function answer(request: WriterRequest): Promise<WriterReply> {
  try {
    // Opened by the first request, so that a failure to open is an answer and not a dead thread.
    if (request.command !== 'close') writer ??= open(workerData as WriterStart)
    return { id: request.id, ok: true, value: await writer?.(request.command, request.args) }
  } catch (thrown) {
    const error = translateError(thrown)
    const { message, stack } = error instanceof Error ? error : new Error(String(error))
    return {
      id: request.id,
      ok: false,
      code: error instanceof MemoryError ? error.code : null,
      message,
      stack,
    }
  }
}

let replies: WriterReply[] = []
async function answerAll({ requests, isAwaited }: WriterMessage): Promise<void> {
  for (const request of requests) replies.push(await answer(request))
  if (isAwaited) {
    port?.postMessage(replies)
    replies = []
  }
  if (requests.some(({ command }) => command === 'close')) port?.close()
}

/** What follows at once is waited for here: to sleep and be woken takes longer, where there is a processor to spare. */
const SPIN_MS = availableParallelism() > 1 ? 0.5 : 0

function nextAtOnce(): WriterMessage | undefined {
  const deadline = performance.now() + SPIN_MS
  while (port && performance.now() < deadline) {
    const next = receiveMessageOnPort(port)
    if (next) return next.message as WriterMessage
  }
  return undefined
}

let arrived = 0
async function work(first: WriterMessage): Promise<void> {
  arrived--
  let message: WriterMessage | undefined = first
  do {
    await answerAll(message)
    // What arrived while it worked has its turn next.
    message = message.isAwaited || arrived > 0 ? undefined : nextAtOnce()
  } while (message)
}

let last = Promise.resolve()
port.on('message', (message: WriterMessage) => {
  // One after the other, in the order they came.
  arrived++
  last = last.then(() => work(message))
})
