import { availableParallelism } from 'node:os'
import { parentPort, receiveMessageOnPort, workerData } from 'node:worker_threads'
import { loadXxh64 } from '../../util/xxh64.ts'
import { patienceOf } from './patience.ts'
import { type ThreadFailure, toFailure } from './thread-failure.ts'
import { createWriter, type WriterSettings } from './writer.ts'

/** What crosses the thread boundary: errors keep their code, everything else is plain data. */
export type WriterCall = [command: string, args: unknown[]]
export interface WriterMessage {
  calls: WriterCall[]
  /** False: the answers come with those to the next message. */
  isAwaited: boolean
}
/** Answers to calls in the order they came. */
export interface WriterReply {
  answers: unknown[]
  /** Those that have none. */
  failures: WriterFailure[]
}
export interface WriterFailure extends ThreadFailure {
  /** Its place among the answers. */
  at: number
}
/** What the thread is started with. */
export interface WriterStart {
  settings: WriterSettings
  patience: SharedArrayBuffer
}
const port = parentPort
if (!port) throw new Error('writer-thread.ts runs as a worker only')

const hash = await loadXxh64()
let writer: ReturnType<typeof createWriter> | undefined

function open({ settings, patience }: WriterStart): ReturnType<typeof createWriter> {
  return createWriter(settings, hash, patienceOf(patience))
}

/** Opened by the first call, so that a failure to open is an answer and not a dead thread. */
function run([command, args]: WriterCall): unknown {
  if (command !== 'close') writer ??= open(workerData as WriterStart)
  return writer?.(command, args)
}

let reply: WriterReply = { answers: [], failures: [] }
async function answerAll({ calls, isAwaited }: WriterMessage): Promise<void> {
  const { answers, failures } = reply
  for (const call of calls) {
    try {
      const answer = run(call)
      // Few are promises, and each that is awaited takes a turn.
      answers.push(answer instanceof Promise ? await answer : answer)
    } catch (thrown) {
      failures.push({ at: answers.push(undefined) - 1, ...toFailure(thrown) })
    }
  }
  if (isAwaited) {
    port?.postMessage(reply)
    reply = { answers: [], failures: [] }
  }
  if (calls.some(([command]) => command === 'close')) port?.close()
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
