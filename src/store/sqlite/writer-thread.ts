import { parentPort, workerData } from 'node:worker_threads'
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
  if (!isAwaited) return
  port?.postMessage(replies)
  replies = []
  if (requests.some(({ command }) => command === 'close')) port?.close()
}

let last = Promise.resolve()
port.on('message', (message: WriterMessage) => {
  // One after the other, in the order they came.
  last = last.then(() => answerAll(message))
})
