import type { Hash64 } from '../../core/digest.ts'
import { checkMemory } from '../../core/doctor/check-memory.ts'
import { runOperation } from '../../core/operations/run-operation.ts'
import type { Call, Engine, Operation, ReadTx, ReadTxOptions, WriteTx } from '../../core/port/store.ts'
import { heatSummary } from '../../core/rows/heat-summary.ts'
import { utf8Length } from '../../core/tokens.ts'
import { isUnder } from '../../util/files/paths.ts'
import { by } from '../../util/text/order.ts'
import { sha256 } from '../../util/text/sha256.ts'
import { abortError, closedError } from '../call-errors.ts'
import { contentReads } from '../contents.ts'
import { createLocalFeed } from '../local-feed.ts'
import { inTx, NO_PARTS, runQuery, type Sync, txMethods } from '../tx.ts'
import { createTurns } from '../write-queue.ts'
import { checkReferences, commits } from './commit.ts'
import { documentReads } from './documents.ts'
import { historyReads } from './history.ts'
import { linkReads } from './links.ts'
import { heatOf, liveNodes, nodeReads } from './nodes.ts'
import { scanReads } from './scan.ts'
import { searchReads } from './search.ts'
import { copyOf, emptyTables, isSame, rowsOf, type Tables, withoutExpired } from './tables.ts'
import { walkReads } from './walks.ts'

export interface InMemoryOptions {
  hash: Hash64
  /** Milliseconds since 1970. Default: the system's clock. */
  now?: () => number
}

/**
 * A memory that lasts as long as its process: for tests, and as a minimal example of an engine. Every read scans all rows.
 */
export async function openInMemory({ hash, now = Date.now }: InMemoryOptions): Promise<Engine> {
  const queue = createTurns()
  const feed = createLocalFeed()
  const running = new Set<Promise<unknown>>()
  let stored = emptyTables(now())
  let writes = 0
  let asked = 0
  let isClosed = false

  function read<T>(fn: (tx: ReadTx) => Promise<T>, { includeExpired }: ReadTxOptions = {}): Promise<T> {
    if (isClosed) return Promise.reject(closedError())
    const tables = includeExpired ? stored : withoutExpired(stored, now())
    // Where something has expired, time alone may change what is read.
    const version = tables === stored ? String(writes) : `${writes} at ${now()}`
    const methods = methodsOf(readQueries(tables, () => version, now))
    const reading: Promise<T> = inTx(methods, fn).finally(() => running.delete(reading))
    running.add(reading)
    return reading
  }
  async function run<I, O>(operation: Operation<I, O>, input: I, call: Call): Promise<O> {
    const tables = copyOf(stored)
    const { kinds, ...committing } = commits(tables)
    // A transaction changes what it reads: no two of its answers are of the same version.
    const reads = readQueries(tables, () => `${writes} own ${++asked}`, now)
    const tools = { hash, sha256, now: now(), source: call.source ?? NO_PARTS }
    const work = (tx: WriteTx): Promise<O> => runOperation(operation, tx, input, tools)
    // The index is made from the nodes at every search: it cannot be wrong.
    const methods = methodsOf({ ...reads, ...committing, engineHeal: () => undefined })
    const result = await inTx(methods, work).finally(() => {
      if (call.signal?.aborted) throw abortError(call.signal)
    })
    if (isSame(stored, tables)) return result
    checkReferences(tables)
    stored = tables
    writes++
    feed.notify(kinds.size > 0 ? kinds : new Set(['update']))
    return result
  }

  return {
    store: {
      read,
      query: (query, input, { signal } = {}) =>
        runQuery({ store: { read }, handle: queue, hash, now: now() }, query, input, signal),
      write: (operation, input, call = {}) => queue.add(() => run(operation, input, call), call),
    },
    maintenance: {
      // Nothing was on disk.
      scrub: () => queue.add(async () => true),
      check: () => read((tx) => checkMemory(tx, { hash }), { includeExpired: true }),
      sizeBytes: async () =>
        rowsOf(stored.texts).reduce((sum, { digest, text }) => sum + utf8Length(digest + text), 0),
    },
    watch: feed.watch,
    async close() {
      isClosed = true
      feed.close()
      await Promise.all([Promise.allSettled(running), queue.close()])
    },
  }
}

/** Everything a read can ask. */
function readQueries(tables: Tables, version: () => string, now: () => number): Sync<ReadTx> {
  const building = { ...nodeReads(tables), ...documentReads(tables), ...linkReads(tables) }
  const namesOf = (id: number) => rowsOf(tables.documentNames, ({ documentId }) => documentId === id)
  return {
    ...{ ...building, ...contentReads(building, namesOf), ...historyReads(tables, version) },
    ...{ ...walkReads(tables), ...searchReads(tables), ...scanReads(tables) },
    listFileFacts(root, scope = '') {
      const own = rowsOf(tables.fileFacts, (one) => one.root === root && isUnder(scope, one.path))
      return own.map(({ root: _, ...facts }) => facts).sort(by(({ path }) => [path]))
    },
    summary(thresholds) {
      const heats = liveNodes(tables).map(({ key }) => heatOf(tables, key))
      const counters = Object.fromEntries([...tables.counters].filter(([, value]) => value !== 0))
      const heat = heatSummary(heats, thresholds)
      return { counters, snapshots: tables.snapshots.size, indexRows: heats.length, heat }
    },
    engineChecks: () => ({ checks: [], isReadable: true, now: now() }),
  }
}

/** Input and output are copied, so that callers cannot change stored rows. */
function methodsOf(queries: object): object {
  type Query = (...args: unknown[]) => unknown
  const isolated = Object.entries(queries as Record<string, Query>).map(([name, query]) => {
    const copying: Query = (...args) => structuredClone(query(...(structuredClone(args) as unknown[])))
    return [name, copying]
  })
  return txMethods(Object.fromEntries(isolated))
}
