import type { Store } from '../../core/port/store.ts'
import { monotonicMs } from '../../util/monotonic.ts'
import { abortError } from '../turns.ts'
import { NO_PARTS } from '../tx.ts'
import type { createWriteQueue } from '../write-queue.ts'
import type { CallState } from './call-state.ts'
import { lockedTooLong } from './errors.ts'
import type { Writer } from './writer.ts'

export interface WritesParts {
  writer: Writer
  /** Shared with the writer. */
  call: CallState
  queue: ReturnType<typeof createWriteQueue>
  /** How long a call may wait for the lock of another process. */
  lockWaitMs: number
  /** Aborted: no call waits for a lock any longer. */
  leaving?: AbortSignal | undefined
  now: () => number
}

/** SQLite cannot be woken from its sleep: a write that waits for a lock looks this often whether it still may. */
const SLEEP_MS = 250

/** Writes one after the other. Each has a deadline of its own, from the moment it is called. */
export function createWrites(parts: WritesParts): Store['write'] {
  const { writer, call, queue, lockWaitMs, leaving, now } = parts
  /**
   * How long calls have waited for a lock so far, together, on a clock that nobody sets. What the calls before it have waited counts
   * for a call, but not how long they worked.
   */
  let waitedMs = 0

  function lockWait(wait: boolean, signal: AbortSignal | undefined): () => Promise<number> {
    const deadline = wait ? waitedMs + lockWaitMs : waitedMs
    let since: number | undefined
    return async () => {
      const at = monotonicMs()
      waitedMs += at - (since ?? at)
      since = at
      if (signal?.aborted) throw abortError(signal)
      if (waitedMs >= deadline || leaving?.aborted) throw lockedTooLong()
      return Math.min(SLEEP_MS, deadline - waitedMs)
    }
  }

  return (operation, input, { wait = true, durable = true, signal, source = NO_PARTS } = {}) => {
    const waitMs = lockWait(wait, signal)
    /** As long as it is not being committed an aborted call fails with the signal's reason, and nothing of it is stored. */
    async function run() {
      call.reset()
      signal?.addEventListener('abort', call.cancel, { once: true })
      try {
        return await writer.run(operation, input, { durable, source, now: now(), waitMs })
      } catch (error) {
        throw call.isCancelled() ? abortError(signal) : error
      } finally {
        signal?.removeEventListener('abort', call.cancel)
      }
    }
    return wait ? queue.add({ run, signal }) : queue.addNow({ run, signal })
  }
}
