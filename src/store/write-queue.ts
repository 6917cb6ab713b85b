import { MemoryError } from '../core/errors.ts'

export interface QueuedWork<T> {
  run(): Promise<T>
  signal?: AbortSignal | undefined
}

/** Runs work one after the other, in the order it came. What is aborted before its turn never starts. */
export function createWriteQueue() {
  /** Each starts its work. */
  const waiting: (() => void)[] = []
  const idle: (() => void)[] = []
  let isRunning = false
  let isClosed = false

  function next(): void {
    isRunning = false
    const start = waiting.shift()
    if (start) start()
    else for (const resolve of idle.splice(0)) resolve()
  }
  async function run<T>(work: () => Promise<T>): Promise<T> {
    isRunning = true
    try {
      return await work()
    } finally {
      next()
    }
  }
  function wait<T>({ run: work, signal }: QueuedWork<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      const start = (): void => {
        signal?.removeEventListener('abort', drop)
        resolve(run(work))
      }
      const drop = (): void => {
        waiting.splice(waiting.indexOf(start), 1)
        reject(abortError(signal))
      }
      signal?.addEventListener('abort', drop, { once: true })
      waiting.push(start)
    })
  }

  return {
    add<T>(work: QueuedWork<T>): Promise<T> {
      if (isClosed) return Promise.reject(closedError())
      if (work.signal?.aborted) return Promise.reject(abortError(work.signal))
      return isRunning ? wait(work) : run(work.run)
    },
    /** Runs work if nothing else is running or waiting. */
    async addNow<T>(work: QueuedWork<T>): Promise<T> {
      if (isRunning) throw busyError()
      return this.add(work)
    },
    /** Refuses what comes later and waits for what was added. */
    close(): Promise<void> {
      isClosed = true
      return isRunning ? new Promise((resolve) => idle.push(resolve)) : Promise.resolve()
    },
  }
}

/** What whoever gave a call up gets: the reason that was given, where that is an error. */
export function abortError(signal: AbortSignal | undefined): Error {
  const reason: unknown = signal?.reason
  return reason instanceof Error
    ? reason
    : new MemoryError('UNAVAILABLE', 'the call was cancelled; nothing was changed', { cause: reason })
}

function busyError(): MemoryError {
  return new MemoryError('UNAVAILABLE', 'another write is going on; nothing was changed. Try again')
}

export function closedError(): MemoryError {
  return new MemoryError('UNAVAILABLE', 'the memory is closed; open it again')
}
