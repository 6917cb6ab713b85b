import type { Store } from '../../core/port/store.ts'
import { monotonicMs } from '../../util/monotonic.ts'
import type { createWriteQueue } from './write-queue.ts'
import type { WriterClient } from './writer-client.ts'

/** Writes one after the other. Each has a deadline of its own from the moment it is asked for. */
export function createWrites(
  writer: WriterClient,
  queue: ReturnType<typeof createWriteQueue>,
  lockWaitMs: number,
): Store['write'] {
  return (operation, input, { wait = true, durable = true, signal, source = NO_PARTS } = {}) => {
    const deadline = wait ? monotonicMs() + lockWaitMs : 0
    const run = () =>
      untilAborted(() => writer.run(operation, input, { deadline, durable, source }), writer.cancel, signal)
    return wait ? queue.add({ run, deadline, signal }) : queue.addNow({ run, signal })
  }
}

const NO_PARTS: AsyncIterable<never> = {
  [Symbol.asyncIterator]: () => ({ next: async () => ({ done: true, value: undefined }) }),
}

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
  signal.addEventListener('abort', abort)
  try {
    return await run()
  } catch (error) {
    throw isCancelled ? signal.reason : error
  } finally {
    signal.removeEventListener('abort', abort)
  }
}
