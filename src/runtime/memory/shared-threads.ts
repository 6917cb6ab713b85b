import { availableParallelism } from 'node:os'
import { createStoreThreads, type StoreThreads } from '../../store/sqlite/store-threads.ts'
import { createPrepareThreads, type PrepareThreads } from './prepare-threads.ts'

/** Each takes some 20 MB. With fewer, a few long jobs would hold up everybody. */
const LEAST_STORE_THREADS = 4
const IDLE_MS = 30_000

/** Threads that the memories of one process share. */
export interface SharedThreads {
  store: StoreThreads
  prepare: PrepareThreads
  /** To be called when all of these memories are closed. */
  close(): Promise<void>
}

export function createSharedThreads(): SharedThreads {
  const max = Math.max(LEAST_STORE_THREADS, availableParallelism())
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
