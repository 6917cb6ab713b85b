import { MemoryError } from '../core/errors.ts'
import { abortError, closedError, createTurns } from './turns.ts'

export interface QueuedWork<T> {
  run(): Promise<T>
  signal?: AbortSignal | undefined
}

/** Runs work one after the other, in the order it came. What is aborted before its turn never starts. */
export function createWriteQueue() {
  const { take, giveBack, isFree } = createTurns([{}])
  let isClosed = false
  return {
    async add<T>({ run, signal }: QueuedWork<T>): Promise<T> {
      if (isClosed) throw closedError()
      if (signal?.aborted) throw abortError(signal)
      const turn = await take(signal)
      try {
        if (signal?.aborted) throw abortError(signal)
        return await run()
      } finally {
        giveBack(turn)
      }
    },
    /** Runs work if nothing else is running or waiting. */
    async addNow<T>(work: QueuedWork<T>): Promise<T> {
      if (!isFree()) throw busyError()
      return this.add(work)
    },
    /** Refuses what comes later and waits for what was added. */
    async close(): Promise<void> {
      isClosed = true
      giveBack(await take())
    },
  }
}

/** For a call that does not wait. */
export function busyError(): MemoryError {
  return new MemoryError('UNAVAILABLE', 'another write is going on; nothing was changed. Try again')
}
