import { createFairTurns, type FairTurnsOptions } from './fair-turns.ts'
import { closedError } from './turns.ts'

/** A thread of a pool. It does one thing at a time. */
export interface PoolThread {
  /** Ends it. It is asked nothing afterwards. Never fails. */
  end(): Promise<void>
}

export interface ThreadPoolOptions<T> extends FairTurnsOptions {
  /** `onGone`: to be called when the thread has ended by itself. */
  start(onGone: () => void): T
  /** How long a thread that has nothing to do is kept. Default: until the pool is closed. */
  idleMs?: number
  /** Calls `work` once after `ms`, unless the process ends before; the answer takes that back. */
  setTimer?: (work: () => void, ms: number) => () => void
}

export interface UseOptions<T> {
  /** Aborted before its turn: it never begins. */
  signal?: AbortSignal | undefined
  /** Of those that have nothing to do, the thread with the highest rank is taken; one below 0 only if no other may be started. */
  rank?: (thread: T) => number
}

/** Threads that clients share. They are started as needed; a call that finds none free waits for one. */
export function createThreadPool<T extends PoolThread>(options: ThreadPoolOptions<T>) {
  const { max, start, idleMs, setTimer = setUnheldTimer } = options
  const turns = createFairTurns(options)
  const threads = new Set<T>()
  /** Those that have nothing to do, the one that was used last at the end. What is kept of each cancels its end. */
  const idle = new Map<T, () => void>()
  const ending = new Map<T, Promise<void>>()
  const asked = new Set<Promise<unknown>>()
  let closing: Promise<void> | undefined

  function startThread(): T {
    const thread = start(() => {
      threads.delete(thread)
      rouse(thread)
    })
    threads.add(thread)
    return thread
  }
  /** Its end is not near any more. */
  function rouse(thread: T): T {
    idle.get(thread)?.()
    idle.delete(thread)
    return thread
  }
  function pick(rank: (thread: T) => number): T {
    const [best] = [...idle.keys()].reverse().sort((one, other) => rank(other) - rank(one))
    const isWanted = best !== undefined && (rank(best) >= 0 || threads.size >= max)
    return isWanted ? rouse(best) : startThread()
  }
  function rest(thread: T): void {
    if (!threads.has(thread)) return
    idle.set(thread, idleMs === undefined ? () => undefined : setTimer(() => void end(thread), idleMs))
  }
  function end(thread: T): Promise<void> {
    threads.delete(thread)
    rouse(thread)
    const ended = thread.end().finally(() => ending.delete(thread))
    ending.set(thread, ended)
    return ended
  }
  async function run<R>(client: object, work: (thread: T) => Promise<R>, use: UseOptions<T>): Promise<R> {
    await turns.take(client, use.signal)
    let thread: T | undefined
    try {
      thread = pick(use.rank ?? (() => 0))
      return await work(thread)
    } finally {
      if (thread) rest(thread)
      turns.giveBack(client)
    }
  }
  async function endAll(): Promise<void> {
    await Promise.allSettled(asked)
    await Promise.all([...ending.values(), ...[...threads].map(end)])
  }

  return {
    /** Runs `work` with a thread that does nothing else meanwhile. Clients that wait take turns. */
    use<R>(client: object, work: (thread: T) => Promise<R>, options: UseOptions<T> = {}): Promise<R> {
      if (closing) return Promise.reject(closedError())
      const done = run(client, work, options).finally(() => asked.delete(done))
      asked.add(done)
      return done
    },
    /** Those that run, those that are about to end too. */
    threads: (): T[] => [...threads, ...ending.keys()],
    /** Refuses what comes later, waits for what is running or waiting, and ends all threads. */
    close(): Promise<void> {
      closing ??= endAll()
      return closing
    },
  }
}

function setUnheldTimer(work: () => void, ms: number): () => void {
  const timer = setTimeout(work, ms).unref()
  return () => clearTimeout(timer)
}
