import { statSync } from 'node:fs'
import type { Hash64 } from '../../core/digest.ts'
import { MemoryError } from '../../core/errors.ts'
import type { Engine, WriteOptions, WriteTx } from '../../core/store.ts'
import { createChangeFeed } from './change-feed.ts'
import { migrations } from './migrations/index.ts'
import { inspectFile, openReader, schemaVersion } from './open.ts'
import { createReaders, endedError } from './readers.ts'
import { createTurns } from './turns.ts'
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
    lockWaitMs = 120_000,
  } = options
  const writer = createWriterClient({ file, synchronous, busyTimeoutMs, lockWaitMs })
  if (needsWriter(file, create)) await migrateNow(writer)
  const readers = createReaders(file, hash)
  const turns = createTurns()
  const feed = createChangeFeed(file)
  return {
    store: {
      read: (fn, options) => readers.read(fn, options),
      write: (fn, { wait = true, durable = true } = {}) => {
        const work = () => transact(writer, fn, { wait, durable })
        return wait ? turns.take(work) : turns.takeNow(work)
      },
    },
    maintenance: {
      // Upkeep cannot run inside a transaction: it takes its turn among the writes.
      backup: (target) => turns.take(async () => void (await writer.call('backup', [target]))),
      scrub: () => turns.take(() => writer.call('scrub') as Promise<boolean>),
      sizeBytes: async () => sizeOf(file) + sizeOf(`${file}-wal`),
    },
    watch: feed.watch,
    limitLockWait: writer.limitLockWait,
    async close() {
      feed.close()
      await Promise.all([readers.close(), turns.close()])
      await writer.close()
    },
  }
}

/** Opening the writer creates and migrates; any command opens it. */
async function migrateNow(writer: WriterClient): Promise<void> {
  try {
    await writer.call('pragma', ['user_version'])
  } catch (error) {
    await writer.close()
    throw error
  }
}

function sizeOf(file: string): number {
  return statSync(file, { throwIfNoEntry: false })?.size ?? 0
}

function needsWriter(file: string, create: boolean): boolean {
  const version = inspectFile(file) === 'absent' ? 0 : versionOf(file)
  if (version === 0 && !create) {
    throw new MemoryError(
      'NOT_FOUND',
      'there is no memory here yet; run `remindb compile <folder>` or check --db',
    )
  }
  return version < migrations.length
}

function versionOf(file: string): number {
  const db = openReader(file)
  try {
    return schemaVersion(db)
  } finally {
    db.close()
  }
}

/** Runs `fn` in one transaction. What fails first is thrown, also where taking it back fails too. */
export async function transact<T>(
  writer: WriterClient,
  fn: (tx: WriteTx) => Promise<T>,
  options: Required<WriteOptions>,
): Promise<T> {
  // The thread does one thing after the other: the first question need not wait until it has begun.
  const begun = writer.call('begin', [options])
  if (!options.wait) await begun
  begun.catch(() => undefined)
  const transaction = remoteTx(writer)
  try {
    const result = await fn(transaction.tx)
    await transaction.end()
    return result
  } catch (error) {
    transaction.refuse()
    const undone = failureOf(writer.call('rollback'))
    // What could not begin is why the rest failed.
    const first = (await failureOf(begun)) ?? error
    noteBehind(first, await undone)
    throw first
  }
}

function failureOf(work: Promise<unknown>): Promise<unknown> {
  return work.then(
    () => undefined,
    (error: unknown) => error,
  )
}

/** Where something else failed because of an error, or after it, the error says so: it stays the one that is thrown. */
function noteBehind(first: unknown, second: unknown): void {
  const isFree = first instanceof Error && first.cause === undefined && Object.isExtensible(first)
  if (isFree && second !== undefined) first.cause = second
}

/** `tx` calls become messages to the writer's thread, in order. It refuses calls after the transaction's end. */
function remoteTx(writer: WriterClient) {
  const inFlight = new Set<Promise<unknown>>()
  let ended = false
  let hasFailed = false
  function call(command: string, args: unknown[]): Promise<unknown> {
    if (ended) return Promise.reject(endedError())
    const answer = writer.call(command, args)
    inFlight.add(answer)
    answer.then(
      () => inFlight.delete(answer),
      () => {
        hasFailed = true
      },
    )
    return answer
  }
  const tx = new Proxy({} as WriteTx, {
    // `then` must stay absent: an object that has it is taken for a promise.
    get: (_, name) => (name === 'then' ? undefined : (...args: unknown[]) => call(String(name), args)),
  })
  function refuse(): void {
    ended = true
  }
  return {
    tx,
    refuse,
    /** Commits behind the calls that nobody awaited: a failed one fails the transaction. */
    async end(): Promise<void> {
      refuse()
      // The writer's thread does not know of a call that could not be sent to it.
      if (hasFailed) await Promise.all(inFlight)
      const committed = writer.call('commit')
      committed.catch(() => undefined)
      await Promise.all(inFlight)
      await committed
    },
  }
}
