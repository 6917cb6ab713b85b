import { createThreadPool, type ThreadPoolOptions } from '../thread-pool.ts'
import { closedError } from '../turns.ts'
import { newCallStates } from './call-state.ts'
import { type AskOptions, type StoreThread, startStoreThread } from './thread.ts'
import type { HostedDatabase, Task } from './thread-messages.ts'

export interface StoreThreadsOptions
  extends Pick<ThreadPoolOptions<StoreThread>, 'max' | 'maxPerClient' | 'idleMs' | 'setTimer'> {
  /** On how many databases one thread has handles at most. */
  maxDatabases?: number
}

export interface HostOptions extends AskOptions {
  /** Aborted before its turn: it never begins. */
  signal?: AbortSignal | undefined
}

/** A database whose tasks are carried out by the threads of a pool. */
export interface Hosted {
  ask(task: Task, options?: HostOptions): Promise<unknown>
  /** Whether a thread has handles on it. */
  isOpen(): boolean
  /** Refuses what comes later, waits for what was asked, and closes its handles in every thread. */
  close(): Promise<void>
}

export type StoreThreads = ReturnType<typeof createStoreThreads>

const MAX_DATABASES = 64
let lastId = 0

/**
 * Threads that many memories of one process share. A source of parts must not ask the pool itself: it would wait for the thread that
 * waits for it.
 */
export function createStoreThreads({ maxDatabases = MAX_DATABASES, ...options }: StoreThreadsOptions) {
  const pool = createThreadPool<StoreThread>({
    ...options,
    start: (onGone) => startStoreThread({ maxDatabases, onGone }),
  })

  function host(database: Pick<HostedDatabase, 'options'> & Partial<HostedDatabase>): Hosted {
    const hosted = { calls: newCallStates(), ...database, id: ++lastId }
    const { id } = hosted
    const asked = new Set<Promise<unknown>>()
    let closing: Promise<void> | undefined
    const rank = (thread: StoreThread): number => (thread.has(id) ? 1 : thread.isFull() ? -1 : 0)

    async function release(): Promise<void> {
      await Promise.allSettled(asked)
      await Promise.all(pool.threads().map((thread) => thread.release(id)))
    }
    return {
      ask(task, { signal, ...sending } = {}) {
        if (closing) return Promise.reject(closedError())
        const answer = pool
          .use(hosted, (thread) => thread.ask(hosted, task, sending), { signal, rank })
          .finally(() => asked.delete(answer))
        asked.add(answer)
        return answer
      },
      isOpen: () => pool.threads().some((thread) => thread.has(id)),
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
