import type { CheckResult, StoreQuery } from '../../core/port/store.ts'
import type { WriterOptions } from './database/open.ts'
import { createStoreThreads, type StoreThreads } from './store-threads.ts'
import type { Owned } from './thread-messages.ts'
import { createThreadWriter } from './thread-writer.ts'
import type { Writer } from './writer.ts'

/** Threads for reading with no query for this long are ended: their heap is a large part of an idle server. */
const IDLE_MS = 20_000

export interface MemoryThreadsParts {
  options: WriterOptions
  /** Shared with the writer. */
  calls: SharedArrayBuffer
  /** Those that it shares with other memories. Default: its own. */
  shared: StoreThreads | undefined
  /** How many of its own answer queries. */
  readerThreads: number
}

export interface QueryOptions {
  /** When it was asked: milliseconds since 1970. */
  now: number
  signal?: AbortSignal | undefined
}

/** What the threads do for one memory: they write, and answer queries unless it has none for that. They are started as needed. */
export function createMemoryThreads({ options, calls, shared, readerThreads }: MemoryThreadsParts) {
  const writing = shared ?? createStoreThreads({ max: 1 })
  const reading =
    shared ?? (readerThreads > 0 ? createStoreThreads({ max: readerThreads, idleMs: IDLE_MS }) : undefined)
  const writer: Writer = createThreadWriter(writing.host({ options, calls }), options.file)
  const queries = reading?.host({ options })

  return {
    writer: {
      ...writer,
      async close() {
        await writer.close()
        if (!shared) await writing.close()
      },
    },
    queries: queries && {
      ask: <I, O>({ name }: StoreQuery<I, O>, input: I, { now, signal }: QueryOptions): Promise<O> =>
        queries.ask({ kind: 'query', name, input, now }, { signal }) as Promise<O>,
      async close(): Promise<void> {
        await queries.close()
        if (!shared) await reading?.close()
      },
    },
    /** Runs every check: they read the whole file, and nobody else who uses this process waits for that. */
    async check(owned: Owned): Promise<CheckResult[]> {
      const threads = shared ?? createStoreThreads({ max: 1 })
      const checks = threads.host({ options })
      try {
        return (await checks.ask({ kind: 'check', owned })) as CheckResult[]
      } finally {
        await checks.close()
        if (!shared) await threads.close()
      }
    },
  }
}
