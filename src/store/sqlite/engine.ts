import { statSync } from 'node:fs'
import type { Hash64 } from '../../core/digest.ts'
import { MemoryError } from '../../core/errors.ts'
import type { Engine, Store, WriteTx } from '../../core/store.ts'
import { migrations } from './migrations/index.ts'
import { inspectFile, openReader, schemaVersion } from './open.ts'
import { createReaders } from './readers.ts'
import type { WriterSettings } from './writer.ts'
import { createWriterClient, type WriterClient } from './writer-client.ts'

export interface SqliteOptions extends Partial<Omit<WriterSettings, 'file'>> {
  file: string
  hash: Hash64
  /** What to do when there is no database yet. Default: refuse, so that a typing error creates nothing. */
  create?: boolean
}

/** Opens a memory in one SQLite file. Nothing is written unless the file is new or its schema is old. */
export async function openSqlite(options: SqliteOptions): Promise<Engine> {
  const {
    file,
    hash,
    create = false,
    synchronous = 'full',
    busyTimeoutMs = 5000,
    lockWaitMs = 60_000,
  } = options
  const writer = createWriterClient({ file, synchronous, busyTimeoutMs, lockWaitMs })
  if (needsWriter(file, create)) await writer.call('pragma', ['user_version'])
  const readers = createReaders(file, hash)
  return {
    store: createStore(readers, writer),
    maintenance: {
      backup: async (target) => void (await writer.call('backup', [target])),
      scrub: () => writer.call('scrub') as Promise<boolean>,
      sizeBytes: async () => sizeOf(file) + sizeOf(`${file}-wal`),
    },
    async close() {
      readers.close()
      await writer.close()
    },
  }
}

function sizeOf(file: string): number {
  return statSync(file, { throwIfNoEntry: false })?.size ?? 0
}

function needsWriter(file: string, create: boolean): boolean {
  if (inspectFile(file) === 'absent') {
    if (create) return true
    throw new MemoryError(
      'NOT_FOUND',
      'there is no memory here yet; run `remindb compile <folder>` or check --db',
    )
  }
  const db = openReader(file)
  try {
    return schemaVersion(db) < migrations.length
  } finally {
    db.close()
  }
}

function createStore(readers: ReturnType<typeof createReaders>, writer: WriterClient): Store {
  let last: Promise<unknown> = Promise.resolve()
  return {
    read: (fn) => readers.read(fn),
    write(fn) {
      const turn = last.then(() => transact(writer, fn))
      // The next write waits for this one, whether it worked or not.
      last = turn.catch(() => undefined)
      return turn
    },
  }
}

async function transact<T>(writer: WriterClient, fn: (tx: WriteTx) => Promise<T>): Promise<T> {
  await writer.call('begin')
  const transaction = remoteTx(writer)
  try {
    const result = await fn(transaction.tx)
    await transaction.settled()
    await writer.call('commit')
    return result
  } catch (error) {
    await writer.call('rollback')
    throw error
  } finally {
    transaction.end()
  }
}

/** `tx` calls become messages to the writer's thread, in order. It refuses calls after the transaction's end. */
function remoteTx(writer: WriterClient) {
  const inFlight = new Set<Promise<unknown>>()
  let ended = false
  function call(command: string, args: unknown[]): Promise<unknown> {
    if (ended) throw new Error('this transaction has ended; await every call inside it')
    const answer = writer.call(command, args)
    inFlight.add(answer)
    answer.then(
      () => inFlight.delete(answer),
      () => undefined,
    )
    return answer
  }
  const tx = new Proxy({} as WriteTx, {
    // `then` must stay absent: an object that has it is taken for a promise.
    get: (_, name) => (name === 'then' ? undefined : (...args: unknown[]) => call(String(name), args)),
  })
  return {
    tx,
    /** Waits for calls nobody awaited; a failed one fails the transaction. */
    settled: async () => void (await Promise.all(inFlight)),
    end() {
      ended = true
    },
  }
}
