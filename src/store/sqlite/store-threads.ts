import { closedError } from '../call-errors.ts'
import { createPool, type PoolParts } from '../pool.ts'
import { type AskOptions, createStoreThread, type StoreThread } from './thread.ts'
import type { HostedDatabase, Task } from './thread-messages.ts'

export interface StoreThreadsOptions extends Pick<PoolParts<StoreThread>, 'idleMs' | 'setTimer'> {
  /** How many threads run at most. */
  max: number
  /** How many of them carry out tasks of one host at once at most. Default: all. */
  maxPerHost?: number
  /** On how many databases one thread has handles at most. */
  maxDatabases?: number
}

export interface HostAskOptions extends AskOptions {
  /** Aborted before its turn: it never begins. */
  signal?: AbortSignal | undefined
}

/** A database whose tasks are carried out by the threads of a pool. */
export interface Hosted {
  ask(task: Task, options?: HostAskOptions): Promise<unknown>
  /** Whether a thread has handles on it. */
  isOpen(): boolean
  /** Refuses what comes later, waits for what was asked, and closes its handles in every thread. */
  close(): Promise<void>
}

export type StoreThreads = ReturnType<typeof createStoreThreads>

/** A database with threads of its own, which end when it is closed. */
export function hostAlone(database: Omit<HostedDatabase, 'id'>, options: StoreThreadsOptions): Hosted {
  const threads = createStoreThreads(options)
  const hosted = threads.host(database)
  async function close(): Promise<void> {
    await hosted.close()
    await threads.close()
  }
  return { ...hosted, close }
}

/** A handle takes some 0.3 MB; to open one again takes longer than most tasks. */
const MAX_DATABASES = 64

let lastId = 0

/**
 * Threads that many memories of one process share. They are started as needed. A source of parts must not ask them for anything: it would
 * wait for the thread that waits for it.
 */
export function createStoreThreads({
  max,
  maxPerHost,
  maxDatabases = MAX_DATABASES,
  idleMs,
  setTimer,
}: StoreThreadsOptions) {
  /** Those that are about to end, too. */
  const threads = new Set<StoreThread>()
  const pool = createPool<StoreThread>({
    ...{ limit: max, limitPerClient: maxPerHost, idleMs, setTimer },
    open() {
      const thread = createStoreThread(maxDatabases)
      threads.add(thread)
      return thread
    },
    async close(thread) {
      await thread.end()
      threads.delete(thread)
    },
  })

  function host(database: Omit<HostedDatabase, 'id'>): Hosted {
    const hosted = { ...database, id: ++lastId }
    const { id } = hosted
    const asked = new Set<Promise<unknown>>()
    let closing: Promise<void> | undefined
    // Rather than make room for it in a thread, another one is started.
    const rank = (thread: StoreThread): number => (thread.has(id) ? 2 : thread.isFull() ? -1 : 1)

    async function release(): Promise<void> {
      await Promise.allSettled(asked)
      await Promise.all([...threads].map((thread) => thread.release(id)))
    }
    return {
      ask(task, { signal, ...sending } = {}) {
        if (closing) return Promise.reject(closedError())
        const answer = pool
          .use((thread) => thread.ask(hosted, task, sending), { signal, client: hosted, rank })
          .finally(() => asked.delete(answer))
        asked.add(answer)
        return answer
      },
      isOpen: () => [...threads].some((thread) => thread.has(id)),
      close() {
        closing ??= release()
        return closing
      },
    }
  }

  return {
    /** Nothing is opened before the first task. */
    host,
    /** To be called when every memory that uses them is closed. */
    close: pool.close,
  }
}
