import { MemoryError } from '../../core/errors.ts'
import { fromFailure } from '../../core/failure.ts'
import { createPool, type UseOptions } from '../../store/pool.ts'
import { createWorkerThread } from '../../store/worker-thread.ts'
import { threadFile } from '../../util/files/thread-file.ts'
import { type SetTimer, setIdleTimer } from '../timing/timer.ts'
import type { PrepareReply, PrepareRequest } from './prepare-thread.ts'

/** How long a thread that has nothing to do is kept. */
const IDLE_MS = 60_000

export interface PrepareThreadsOptions {
  /** How many run at most. Default: 1. */
  max?: number
  setTimer?: SetTimer
  /** The entry file of a thread. */
  entry?: URL
}

type PrepareThread = ReturnType<typeof createThread>
export type PrepareThreads = ReturnType<typeof createPrepareThreads>

/** Threads that prepare long texts, for one memory or several. */
export function createPrepareThreads({
  max = 1,
  setTimer = setIdleTimer,
  entry,
}: PrepareThreadsOptions = {}) {
  const { use, close } = createPool<PrepareThread>({
    open: () => createThread(entry),
    close: (thread) => thread.stop(),
    limit: max,
    idleMs: IDLE_MS,
    setTimer,
  })
  return {
    /** `leaving`: aborted, its thread is ended, and it fails with the signal's reason, even if it has begun. */
    prepare(
      request: PrepareRequest,
      leaving: AbortSignal,
      options: UseOptions<PrepareThread>,
    ): Promise<unknown> {
      const signals = options.signal ? [options.signal, leaving] : [leaving]
      return use((thread) => askUntil(leaving, thread, request), {
        ...options,
        signal: AbortSignal.any(signals),
      })
    },
    /** To be called when every memory that uses them is closed. */
    close,
  }
}

async function askUntil(
  leaving: AbortSignal,
  thread: PrepareThread,
  request: PrepareRequest,
): Promise<unknown> {
  let stopped: Promise<void> | undefined
  const stop = (): void => {
    stopped = thread.stop(leaving.reason)
  }
  leaving.addEventListener('abort', stop, { once: true })
  try {
    return await thread.ask(request)
  } finally {
    leaving.removeEventListener('abort', stop)
    await stopped
  }
}

function createThread(entry: URL | undefined) {
  return createWorkerThread<PrepareRequest, PrepareReply>({
    file: () => entry ?? threadFile('prepare-thread', import.meta.url),
    options: {},
    outcomeOf: (reply) =>
      'failure' in reply ? { error: fromFailure(reply.failure) } : { result: reply.output },
    failed: threadDeath,
    exited: (code) => threadDeath(new Error(`exit code ${code}`)),
  })
}

function threadDeath(cause: Error): MemoryError {
  const reason = 'code' in cause ? cause.code : cause.message
  return new MemoryError(
    'UNAVAILABLE',
    `a thread that prepares long texts stopped (${reason}); nothing was stored. Retry, or write the text in parts`,
    { cause },
  )
}
