import { Worker } from 'node:worker_threads'
import { MemoryError } from '../../core/errors.ts'
import { fromFailure } from '../../core/failure.ts'
import { type Preparation, type Prepare, prepareInPlace } from '../../core/prepare.ts'
import type { Redactor } from '../../ingest/redact/redactor.ts'
import { closedError } from '../../store/turns.ts'
import { createWriteQueue } from '../../store/write-queue.ts'
import { threadFile } from '../../util/files/thread-file.ts'
import { type SetTimer, setIdleTimer } from '../timing/timer.ts'
import type { PrepareReply, PrepareRequest } from './prepare-thread.ts'
import { loadPrepareTools, type PrepareSettings } from './prepare-tools.ts'

/** What is longer would keep everybody else who uses this process waiting. */
const IN_PLACE_LENGTH = 256 * 1024
/** How long a thread that has nothing to do is kept. */
const IDLE_MS = 60_000

export interface PreparerOptions extends ThreadOptions {
  redaction: Redactor
  maxNodeTokens: number
  /** What is longer is prepared in the thread. In characters. */
  inPlaceLength?: number
}

interface ThreadOptions {
  setTimer?: SetTimer
  /** What the thread runs. */
  entry?: URL
}

export interface Preparer {
  /** What is aborted before its turn in the thread never begins. */
  prepare<I, O>(preparation: Preparation<I, O>, input: I, signal?: AbortSignal): Promise<O>
  /** Ends the thread at once: what it was given fails. */
  close(): Promise<void>
}

/** Prepares texts to be stored: in place, or where they are long in a thread of its own, one after the other. */
export function createPreparer({
  redaction,
  maxNodeTokens,
  inPlaceLength = IN_PLACE_LENGTH,
  ...options
}: PreparerOptions): Preparer {
  const thread = createThread({ redaction: redaction.settings, maxNodeTokens }, options)
  const queue = createWriteQueue()
  let inPlace: Promise<Prepare> | undefined
  return {
    async prepare<I, O>(preparation: Preparation<I, O>, input: I, signal?: AbortSignal): Promise<O> {
      if (preparation.lengthOf(input) > inPlaceLength)
        return queue.add({ run: () => thread.ask({ name: preparation.name, input }) as Promise<O>, signal })
      inPlace ??= loadPrepareTools(redaction, { maxNodeTokens }).then(prepareInPlace)
      return (await inPlace)(preparation, input)
    },
    close: thread.close,
  }
}

/** It starts with the first request, and ends when there was none for a while. Only one that works keeps the process alive. */
function createThread(workerData: PrepareSettings, { setTimer = setIdleTimer, entry }: ThreadOptions) {
  let thread: Worker | undefined
  let asked: PromiseWithResolvers<unknown> | undefined
  let isClosed = false
  let cancelStop: () => void = () => undefined

  function start(): Worker {
    // Not the flags of the program: one such as --input-type would stop the thread from loading its file.
    const file = entry ?? threadFile('prepare-thread', import.meta.url)
    const worker = new Worker(file, { workerData, execArgv: [] })
    worker.on('message', (reply: PrepareReply) => {
      worker.unref()
      cancelStop = setTimer(() => void stop(), IDLE_MS)
      const { resolve, reject } = taken()
      if ('failure' in reply) reject(fromFailure(reply.failure))
      else resolve(reply.output)
    })
    worker.on('error', (cause) => lose(worker, cause))
    worker.on('messageerror', (cause) => lose(worker, cause))
    worker.on('exit', (code) => lose(worker, new Error(`exit code ${code}`)))
    return worker
  }
  /** A thread that fails reports that twice, and one that was stopped is not lost. */
  function lose(worker: Worker, cause: Error): void {
    if (thread !== worker) return
    const { reject } = taken()
    void stop()
    reject(threadDeath(cause))
  }
  function taken(): Pick<PromiseWithResolvers<unknown>, 'resolve' | 'reject'> {
    const one = asked
    asked = undefined
    return one ?? { resolve: () => undefined, reject: () => undefined }
  }
  async function stop(): Promise<void> {
    cancelStop()
    const worker = thread
    thread = undefined
    await worker?.terminate()
  }
  return {
    async ask(request: PrepareRequest): Promise<unknown> {
      if (isClosed) throw closedError()
      cancelStop()
      thread ??= start()
      thread.postMessage(request)
      thread.ref()
      asked = Promise.withResolvers()
      return asked.promise
    },
    async close(): Promise<void> {
      isClosed = true
      taken().reject(closedError())
      await stop()
    },
  }
}

function threadDeath(cause: Error): MemoryError {
  const reason = 'code' in cause ? cause.code : cause.message
  return new MemoryError(
    'UNAVAILABLE',
    `a thread that prepares long texts stopped (${reason}); nothing was stored. Retry, or write the text in parts`,
    { cause },
  )
}
