import type { Store } from '../../core/port/store.ts'
import { NO_PARTS } from '../tx.ts'
import { abortError, type createWriteQueue } from '../write-queue.ts'
import type { WriterClient } from './writer-client.ts'

export interface WritesParts {
  writer: WriterClient
  queue: ReturnType<typeof createWriteQueue>
  /** How long a call may wait for the lock of another process. */
  lockWaitMs: number
  now: () => number
}

/** Writes one after the other. Each has a deadline of its own, from the moment it is asked for. */
export function createWrites({ writer, queue, lockWaitMs, now }: WritesParts): Store['write'] {
  return (operation, input, { wait = true, durable = true, signal, source = NO_PARTS } = {}) => {
    const deadline = wait ? writer.lockWaitMs() + lockWaitMs : NO_WAIT
    const start = () => writer.run(operation, input, { deadline, durable, source, now: now() })
    const run = () => untilAborted(start, writer.cancel, signal)
    return wait ? queue.add({ run, signal }) : queue.addNow({ run, signal })
  }
}

/** Long ago, as `lockWaitMs` counts. */
const NO_WAIT = -1

/** As long as it is not being committed an aborted call fails with the signal's reason, and nothing of it is stored. */
async function untilAborted<T>(
  run: () => Promise<T>,
  cancel: () => boolean,
  signal: AbortSignal | undefined,
): Promise<T> {
  if (!signal) return run()
  let isCancelled = false
  const abort = (): void => {
    isCancelled = cancel()
  }
  signal.addEventListener('abort', abort, { once: true })
  try {
    return await run()
  } catch (error) {
    throw isCancelled ? abortError(signal) : error
  } finally {
    signal.removeEventListener('abort', abort)
  }
}
