import { MemoryError } from '../../core/errors.ts'
import { fromFailure } from '../../core/failure.ts'
import { type Preparation, type Prepare, prepareInPlace } from '../../core/prepare.ts'
import type { Redactor } from '../../ingest/redact/redactor.ts'
import { closedError } from '../../store/call-errors.ts'
import { createWorkerThread } from '../../store/worker-thread.ts'
import { createTurns } from '../../store/write-queue.ts'
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
  const queue = createTurns()
  let inPlace: Promise<Prepare> | undefined
  return {
    async prepare<I, O>(preparation: Preparation<I, O>, input: I, signal?: AbortSignal): Promise<O> {
      if (preparation.lengthOf(input) > inPlaceLength)
        return queue.add(() => thread.ask({ name: preparation.name, input }), { signal })
      inPlace ??= loadPrepareTools(redaction, { maxNodeTokens }).then(prepareInPlace)
      return (await inPlace)(preparation, input)
    },
    close: thread.close,
  }
}

/** It ends when there was no request for a while. */
function createThread(workerData: PrepareSettings, { setTimer = setIdleTimer, entry }: ThreadOptions) {
  let isClosed = false
  let cancelStop: () => void = () => undefined
  const thread = createWorkerThread<PrepareRequest, PrepareReply>({
    file: () => entry ?? threadFile('prepare-thread', import.meta.url),
    options: { workerData },
    outcomeOf(reply) {
      cancelStop = setTimer(() => void thread.stop(), IDLE_MS)
      return 'failure' in reply ? { error: fromFailure(reply.failure) } : { result: reply.output }
    },
    failed: threadDeath,
    exited: (code) => threadDeath(new Error(`exit code ${code}`)),
  })
  return {
    async ask(request: PrepareRequest): Promise<unknown> {
      if (isClosed) throw closedError()
      cancelStop()
      return thread.ask(request)
    },
    async close(): Promise<void> {
      isClosed = true
      cancelStop()
      await thread.stop(closedError())
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
