import type { StoreQuery } from '../../core/port/store.ts'
import { createPool } from '../pool.ts'
import { createThread } from './thread-client.ts'

/** A thread with no query for this long is stopped: its heap is a large part of an idle server. */
const IDLE_MS = 20_000

export interface ReaderThreadsParts {
  file: string
  /** How many there are at most. */
  limit: number
  idleMs?: number
}

interface AskOptions {
  now: number
  /** A query that is aborted before its turn never begins. */
  signal?: AbortSignal | undefined
}

/** Threads that answer queries, one at a time each. */
export function createReaderThreads({ file, limit, idleMs = IDLE_MS }: ReaderThreadsParts) {
  const pool = createPool({
    open: () => createThread({ options: { file } }, 'the thread that was to answer has stopped; retry'),
    // A failure means that the thread has already exited.
    close: (thread) => thread.close().catch(() => undefined),
    limit,
    idleMs,
  })
  return {
    query: <I, O>({ name }: StoreQuery<I, O>, input: I, { now, signal }: AskOptions): Promise<O> =>
      pool.use((thread) => thread.ask({ kind: 'query', name, input, now }) as Promise<O>, signal),
    close: pool.close,
  }
}
