import { MemoryError } from '../../core/errors.ts'
import { monotonicMs } from '../../util/monotonic.ts'

export interface QueuedWork<T> {
  run(): Promise<T>
  /** Until when it may wait for its turn, in monotonic milliseconds. */
  deadline?: number
  signal?: AbortSignal | undefined
}

interface Waiting {
  start(): void
  /** It never starts. */
  drop(error: unknown): void
  limit(deadline: number): void
}

/** Runs work one after the other, in the order it came. What is aborted or too late before its turn never starts. */
export function createWriteQueue() {
  const waiting: Waiting[] = []
  let isRunning = false
  let isClosed = false
  let latest = Number.POSITIVE_INFINITY
  const idle: (() => void)[] = []

  function next(): void {
    isRunning = false
    const first = waiting.shift()
    if (first) first.start()
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
  function wait<T>({ run: work, deadline = Number.POSITIVE_INFINITY, signal }: QueuedWork<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      let timer: NodeJS.Timeout | undefined
      const entry: Waiting = {
        start() {
          stop()
          resolve(run(work))
        },
        drop(error) {
          stop()
          waiting.splice(waiting.indexOf(entry), 1)
          reject(error)
        },
        limit(until) {
          clearTimeout(timer)
          const ms = Math.min(deadline, until) - monotonicMs()
          if (ms < MAX_TIMER_MS) timer = setTimeout(() => entry.drop(tooLate()), Math.max(0, ms))
        },
      }
      const abort = (): void => entry.drop(signal?.reason)
      function stop(): void {
        clearTimeout(timer)
        signal?.removeEventListener('abort', abort)
      }
      signal?.addEventListener('abort', abort)
      entry.limit(latest)
      waiting.push(entry)
    })
  }

  return {
    add<T>(work: QueuedWork<T>): Promise<T> {
      if (isClosed) return Promise.reject(closedError())
      if (work.signal?.aborted) return Promise.reject(work.signal.reason)
      return isRunning ? wait(work) : run(work.run)
    },
    /** Runs work if nothing else is running or waiting. */
    async addNow<T>(work: QueuedWork<T>): Promise<T> {
      if (isRunning) throw busyError()
      return this.add(work)
    },
    /** What waits, now or later, gives up after `ms`. */
    limitWait(ms: number): void {
      latest = monotonicMs() + ms
      for (const entry of waiting) entry.limit(latest)
    },
    /** Refuses what comes later and waits for what was added. */
    close(): Promise<void> {
      isClosed = true
      return isRunning ? new Promise((resolve) => idle.push(resolve)) : Promise.resolve()
    },
  }
}

/** A timer cannot wait longer. */
const MAX_TIMER_MS = 2 ** 31 - 1

function tooLate(): MemoryError {
  return new MemoryError(
    'UNAVAILABLE',
    'other writes have been going on for too long; nothing was changed. Try again',
  )
}

function busyError(): MemoryError {
  return new MemoryError('UNAVAILABLE', 'another write is going on; nothing was changed. Try again')
}

export function closedError(): MemoryError {
  return new MemoryError('UNAVAILABLE', 'the memory is closed; open it again')
}
