import type { Hash64 } from '../../core/digest.ts'
import { MemoryError } from '../../core/errors.ts'
import type { ChangeHandler, WatchOptions } from '../../core/port/change-feed.ts'
import type { Call, Engine, Operation, ReadTx, ReadTxOptions, WriteTx } from '../../core/port/store.ts'
import { utf8Length } from '../../core/tokens.ts'
import { byCodePoint } from '../../util/code-points.ts'
import { openTx, type Sync, txMethods } from '../tx.ts'
import { abortError, closedError, createWriteQueue } from '../write-queue.ts'
import { checkReferences, commits } from './commit.ts'
import { documentReads } from './documents.ts'
import { heatReads, mapReads, overviewOf } from './heat.ts'
import { historyReads } from './history.ts'
import { linkReads } from './links.ts'
import { nodeReads } from './nodes.ts'
import { scanReads } from './scan.ts'
import { searchReads } from './search.ts'
import { draftOf, emptyTables, type Tables, withoutExpired } from './tables.ts'

export interface InMemoryOptions {
  hash: Hash64
  /** Milliseconds since 1970. Default: the system's clock. */
  now?: () => number
}

/**
 * A memory that lasts as long as its process: for tests, and to show what an engine has to do and no more. Every question looks at
 * all rows there are.
 */
export async function openInMemory({ hash, now = Date.now }: InMemoryOptions): Promise<Engine> {
  const queue = createWriteQueue()
  const feed = createFeed()
  const running = new Set<Promise<unknown>>()
  let stored = emptyTables(now())
  let writes = 0
  let asked = 0
  let isClosed = false

  async function answer<T>(tables: Tables, fn: (tx: ReadTx) => Promise<T>): Promise<T> {
    const version = String(writes)
    const transaction = openTx<ReadTx>(methodsOf(readQueries(tables, () => version)))
    try {
      const result = await fn(transaction.tx)
      transaction.end()
      return result
    } finally {
      transaction.refuse()
    }
  }
  function read<T>(fn: (tx: ReadTx) => Promise<T>, { includeExpired }: ReadTxOptions = {}): Promise<T> {
    if (isClosed) return Promise.reject(closedError())
    const reading = answer(includeExpired ? stored : withoutExpired(stored, now()), fn)
    running.add(reading)
    const forget = (): void => void running.delete(reading)
    reading.then(forget, forget)
    return reading
  }
  async function run<I, O>(operation: Operation<I, O>, input: I, call: Call): Promise<O> {
    const draft = draftOf(stored)
    const { kinds, ...committing } = commits(draft)
    // A transaction changes what it reads: no two of its answers are of the same version.
    const reads = readQueries(draft.tables, () => `${writes} own ${++asked}`)
    const transaction = openTx<WriteTx>(methodsOf({ ...reads, ...committing }))
    try {
      const tools = { hash, now: now(), source: call.source ?? NOTHING }
      const result = await operation.run(transaction.tx, input, tools)
      transaction.end()
      call.signal?.throwIfAborted()
      checkReferences(draft)
      keep(draft.tables, kinds())
      return result
    } catch (error) {
      throw call.signal?.aborted ? abortError(call.signal) : error
    } finally {
      transaction.refuse()
    }
  }
  function keep(tables: Tables, kinds: ReadonlySet<string>): void {
    if (kinds.size === 0) return
    stored = tables
    writes++
    feed.tell(kinds)
  }

  return {
    store: {
      read,
      write(operation, input, call = {}) {
        const work = { run: () => run(operation, input, call), signal: call.signal }
        return call.wait === false ? queue.addNow(work) : queue.add(work)
      },
    },
    maintenance: {
      backup: async () => refuseFiles('back up'),
      repairSchema: async () => refuseFiles('repair'),
      // What is gone left no trace on a disk.
      scrub: () =>
        queue.add({
          run: async () => {
            const draft = draftOf(stored)
            draft.setSpace({ pendingScrubs: 0 })
            stored = draft.tables
            return true
          },
        }),
      sizeBytes: async () =>
        [...stored.texts].reduce((sum, [digest, { text }]) => sum + digest.length + utf8Length(text), 0),
    },
    watch: feed.watch,
    // Nobody else can hold a lock.
    limitLockWait: () => undefined,
    async close() {
      isClosed = true
      feed.close()
      await Promise.all([Promise.allSettled(running), queue.close()])
    },
  }
}

const NOTHING: AsyncIterable<never> = {
  [Symbol.asyncIterator]: () => ({ next: async () => ({ done: true, value: undefined }) }),
}

function refuseFiles(what: string): never {
  const message = `this memory is in no file, so there is nothing to ${what}; export it instead`
  throw new MemoryError('FORBIDDEN', message)
}

/** Everything a read can ask. */
function readQueries(tables: Tables, version: () => string): Sync<ReadTx> {
  return {
    ...{ ...nodeReads(tables), ...documentReads(tables), ...historyReads(tables, version) },
    ...{ ...heatReads(tables), ...mapReads(tables), ...searchReads(tables) },
    ...{ ...scanReads(tables), ...linkReads() },
    listFileFacts(root, scope = '') {
      const isWithin = (path: string): boolean =>
        scope === '' || path === scope || path.startsWith(`${scope}/`)
      const own = [...tables.files.values()].filter((one) => one.root === root && isWithin(one.path))
      const facts = own.map(({ root: _, ...rest }) => rest)
      return facts.sort((a, b) => byCodePoint(a.path, b.path))
    },
    lease: (name) => tables.leases.get(name),
    overview: (thresholds) => overviewOf(tables, thresholds),
    health: () => [],
  }
}

/** What goes in and comes out is copied: nobody can change a row that is stored. */
function methodsOf(queries: object): object {
  type Query = (...args: unknown[]) => unknown
  const isolated = Object.entries(queries as Record<string, Query>).map(([name, query]) => {
    const copying: Query = (...args) => structuredClone(query(...(structuredClone(args) as unknown[])))
    return [name, copying]
  })
  return txMethods(Object.fromEntries(isolated))
}

/** Tells of what was committed, as soon as whoever did it is through. */
function createFeed() {
  const watching = new Set<(kinds: ReadonlySet<string>) => void>()
  let isClosed = false
  return {
    watch(handler: ChangeHandler, { onError = () => undefined }: WatchOptions = {}): () => void {
      if (isClosed) throw closedError()
      let waiting = new Set<string>()
      const note = (kinds: ReadonlySet<string>): void => {
        if (waiting.size === 0) queueMicrotask(flush)
        for (const kind of kinds) waiting.add(kind)
      }
      function flush(): void {
        const kinds = waiting
        waiting = new Set()
        // Somebody else's code: whatever it does, the next change is told.
        if (watching.has(note)) void (async () => handler(kinds))().catch(onError)
      }
      watching.add(note)
      return () => void watching.delete(note)
    },
    tell(kinds: ReadonlySet<string>): void {
      for (const note of watching) note(kinds)
    },
    close(): void {
      isClosed = true
      watching.clear()
    },
  }
}
