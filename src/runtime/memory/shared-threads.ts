import { availableParallelism } from 'node:os'
import { createStoreThreads, type StoreThreads } from '../../store/sqlite/store-threads.ts'
import { createPrepareThreads, type PrepareThreads } from './prepare-threads.ts'

/** With fewer, two long jobs would block all others. */
const LEAST_THREADS = 3
/** Each takes 20 MB at the start, and 70 MB when it has worked for many memories. */
const MOST_THREADS = 6
const IDLE_MS = 30_000

/** How many threads read and write for the memories of one process at most. */
export function mostThreads(): number {
  return Math.min(MOST_THREADS, Math.max(LEAST_THREADS, availableParallelism()))
}

/** Threads that the memories of one process share. */
export interface SharedThreads {
  store: StoreThreads
  prepare: PrepareThreads
  /** To be called when all of these memories are closed. */
  close(): Promise<void>
}

export function createSharedThreads(): SharedThreads {
  const max = mostThreads()
  const store = createStoreThreads({ max, maxPerHost: max - 1, idleMs: IDLE_MS })
  const prepare = createPrepareThreads({ max: 2 })
  return {
    store,
    prepare,
    async close() {
      await Promise.all([store.close(), prepare.close()])
    },
  }
}
