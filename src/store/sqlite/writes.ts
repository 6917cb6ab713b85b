import type { Call, Operation } from '../../core/port/store.ts'
import { monotonicMs } from '../../util/monotonic.ts'
import { abortError } from '../call-errors.ts'
import { createWriteQueue, type Outcome, type QueuedCall } from '../write-queue.ts'
import type { Job } from './batch.ts'
import { type CallStates, MAX_BATCH } from './call-state.ts'
import { lockedTooLong } from './database/errors.ts'
import type { Writer } from './writer.ts'

export interface WritesParts {
  writer: Writer
  /** Shared with the writer. */
  calls: CallStates
  /** How long a call may wait for the lock of another process. */
  lockWaitMs: number
  /** Aborted: no call waits for a lock any longer. */
  leaving?: AbortSignal | undefined
  now: () => number
}

interface Write {
  job: Job
  durable: boolean
  /** By the clock of `waitedMs`. */
  deadline: number
}

/** A write, or something else for the writer to do, outside any transaction. */
type Work = Write | { command: () => Promise<unknown> }

/** SQLite cannot be woken from its sleep: a write that waits for a lock checks this often whether it may still wait. */
const SLEEP_MS = 250

/** Writes in the order they came, several in one batch. Each has a deadline of its own, from the moment it is called. */
export function createWrites({ writer, calls, lockWaitMs, leaving, now }: WritesParts) {
  const queue = createWriteQueue<Work>({ run, joins, cancel: (place) => calls.cancel(place) === 'unbegun' })
  /**
   * How long calls have waited for a lock so far, by a monotonic clock. What the calls before it have waited counts for a call, but
   * not how long they worked.
   */
  let waitedMs = 0
  /** Another process held the lock when the last batch was due. */
  let isLocked = false

  async function run(batch: readonly QueuedCall<Work>[]): Promise<(Outcome | undefined)[]> {
    const works = batch.map(({ work }) => work)
    const [first] = works
    if (first && 'command' in first) return [{ result: await first.command() }]
    const outcomes = await runBatch(works as Write[])
    return batch.map(({ work, signal }, place) => {
      if (calls.isCancelled(place)) return { error: abortError(signal) }
      const isGivenUp = isLocked && !signal?.aborted && isLate(work as Write)
      return isGivenUp ? { error: lockedTooLong() } : outcomes[place]
    })
  }
  async function runBatch(writes: readonly Write[]): Promise<Outcome[]> {
    const since = monotonicMs()
    const waitMs = lockWaitOf(writes)
    isLocked = false
    calls.reset()
    const durable = writes.some((write) => write.durable)
    const jobs = writes.map(({ job }) => job)
    const outcomes = await writer.run(jobs, { durable, now: now(), waitMs })
    isLocked = outcomes.length === 0
    if (isLocked) waitedMs += monotonicMs() - since
    return outcomes
  }
  /** The first call of a batch has the earliest deadline. */
  function lockWaitOf([first]: readonly Write[]): number {
    return isLocked && first ? Math.max(0, Math.min(SLEEP_MS, first.deadline - waitedMs)) : 0
  }
  function isLate({ deadline }: Write): boolean {
    return deadline <= waitedMs || leaving?.aborted === true
  }

  return {
    write<I, O>(operation: Operation<I, O>, input: I, call: Call = {}): Promise<O> {
      const { wait = true, durable = true, signal, source, staged } = call
      const deadline = wait ? waitedMs + lockWaitMs : waitedMs
      return queue.add({ job: { operation, input, source, staged }, durable, deadline }, { signal, wait })
    },
    /** Takes its turn among the writes. */
    command: <T>(command: () => Promise<T>): Promise<T> => queue.add({ command }),
    close: queue.close,
  }
}

/** Commands run alone, and so do operations that ask for parts or take over a staging. */
function joins(batch: readonly QueuedCall<Work>[], next: Work): boolean {
  const isAlone = (work: Work | undefined): boolean =>
    !work || !('job' in work) || work.job.source !== undefined || work.job.staged !== undefined
  return batch.length < MAX_BATCH && !isAlone(batch[0]?.work) && !isAlone(next)
}
