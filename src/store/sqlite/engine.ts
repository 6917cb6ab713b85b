import type { Hash64 } from '../../core/digest.ts'
import { MemoryError } from '../../core/errors.ts'
import type { CheckResult, Engine, Reclaimed, Store } from '../../core/port/store.ts'
import { given } from '../../util/given.ts'
import { runQuery } from '../tx.ts'
import { callStates, newCallStates } from './call-state.ts'
import { createChangeFeed } from './change-feed.ts'
import { closing } from './database/driver.ts'
import { translating } from './database/errors.ts'
import { bytesOf, inspectFile, openReader, schemaVersion, type WriterOptions } from './database/open.ts'
import { refuseForeign } from './database/schema.ts'
import { NEWEST_SCHEMA } from './migrations/index.ts'
import { createReaders } from './readers.ts'
import { createStagings, removeLeftStagings } from './staging.ts'
import { type Hosted, hostAlone, type StoreThreads, type StoreThreadsOptions } from './store-threads.ts'
import type { Owned } from './thread-messages.ts'
import { createThreadWriter } from './thread-writer.ts'
import { createWriter, type Writer, type WriterCommand } from './writer.ts'
import { createWrites } from './writes.ts'

export interface SqliteOptions extends WriterOptions {
  hash: Hash64
  /** Create the database if it does not exist. Default: refuse, so that a typing error creates nothing. */
  create?: boolean
  /** Every write is refused; a database that would have to be created or migrated is refused. */
  readOnly?: boolean
  /** How long a write may wait for another process that writes. */
  lockWaitMs?: number
  /** Aborted: no write waits for another process any longer. */
  leaving?: AbortSignal
  /** Milliseconds since 1970: what has expired by then is left out of what is read. Default: the system's clock. */
  now?: () => number
  /** How many threads answer queries; none is started before the first. Default 0: queries and short checks run in this thread. */
  readerThreads?: number
  /** Threads that memories of this process share: they write and answer queries. Default: threads of its own. */
  threads?: StoreThreads
  /** Where operations run. `here` blocks this thread: for a moment, or for tests with operations of their own. Default: `thread`. */
  writer?: 'thread' | 'here'
  /** Called with the copy that was made before an older database was migrated. */
  onMigration?: (backup: string) => void
}

/** Threads that answer queries end when there was none for this long: their heap is a large part of an idle server. */
const IDLE_MS = 20_000
/** Checking a database of this size takes about 50 ms, less than starting a thread. */
const SMALL_BYTES = 2 * 1024 * 1024

/** Opens a memory in one SQLite file. Nothing is written unless the file is new or its schema is old. */
export async function openSqlite(options: SqliteOptions): Promise<Engine> {
  const {
    file,
    hash,
    create = false,
    readOnly = false,
    now = Date.now,
    lockWaitMs = 120_000,
    readerThreads = 0,
    onMigration = () => undefined,
  } = options
  const { synchronous = 'full', isStaging = false } = options
  const writing = { file, synchronous, isStaging }
  const shared = newCallStates()
  const calls = callStates(shared)
  const database = { options: writing, calls: shared }
  const host = (own: StoreThreadsOptions): Hosted =>
    options.threads?.host(database) ?? hostAlone(database, own)
  const queries =
    options.threads || readerThreads > 0 ? host({ max: readerThreads, idleMs: IDLE_MS }) : undefined
  const writer: Writer =
    options.writer === 'here'
      ? createWriter(writing, hash, calls)
      : createThreadWriter(host({ max: 1 }), file)
  if (needsWriter(file, create && !readOnly)) {
    if (readOnly) throw oldSchema()
    await migrateNow(writer, onMigration)
  }
  const readers = createReaders(file, hash, now)
  const feed = createChangeFeed(file)
  const writes = createWrites({ writer, calls, lockWaitMs, leaving: options.leaving, now })
  // In a thread of its own, which ends with it: those that memories share are for all of them.
  const stagings = createStagings(file, (part, readOnly) => {
    const staging = { file: part, create: true, readOnly, isStaging: true }
    return openSqlite({ ...given({ writer: options.writer }), hash, now, ...staging })
  })
  if (!readOnly && !isStaging) await removeLeftStagings(file)
  const upkeep = async (name: WriterCommand, ...args: unknown[]): Promise<unknown> => {
    if (readOnly) throw openedReadOnly()
    return writes.command(() => writer.command(name, ...args))
  }
  return {
    store: {
      read: options.threads ? readLeanly(readers) : readers.read,
      query: (query, input, { signal } = {}) =>
        queries
          ? (queries.ask(
              { kind: 'query', name: query.name, input, now: now() },
              { signal },
            ) as Promise<never>)
          : runQuery({ store: readers, handle: readers, hash, now: now() }, query, input, signal),
      write: (operation, input, call) =>
        readOnly ? Promise.reject(openedReadOnly()) : writes.write(operation, input, call),
      stage: (operation, input, call) =>
        readOnly ? Promise.reject(openedReadOnly()) : stagings.stage(operation, input, call),
    },
    maintenance: {
      files: {
        backup: async (target) => void (await upkeep('backup', target)),
        repairSchema: async (target) => void (await upkeep('repairSchema', target)),
        reclaim: (options) => upkeep('reclaim', options) as Promise<Reclaimed>,
      },
      scrub: (options = {}) => upkeep('scrub', options) as Promise<boolean>,
      check() {
        const isHere = !queries && bytesOf(file) <= SMALL_BYTES
        return readers.check(isHere ? undefined : (owned) => checkInThread(host({ max: 1 }), owned))
      },
      sizeBytes: async () => bytesOf(file),
    },
    watch: feed.watch,
    async close() {
      feed.close()
      await stagings.close()
      await Promise.all([readers.close(), queries?.close(), writes.close()])
      await writer.close()
    },
  }
}

/** With many memories in one process, none keeps what it has read: it would add up. */
function readLeanly({ read, shrink }: ReturnType<typeof createReaders>): Store['read'] {
  return (fn, options) => read(fn, options).finally(shrink)
}

/** They read the whole file, and nobody else who uses this process waits for that. */
async function checkInThread({ ask, close }: Hosted, owned: Owned): Promise<CheckResult[]> {
  try {
    return (await ask({ kind: 'check', owned })) as CheckResult[]
  } finally {
    await close()
  }
}

/** Opening the writer creates and migrates; any command opens it. */
async function migrateNow(writer: Writer, onMigration: (backup: string) => void): Promise<void> {
  try {
    const backup = (await writer.command('migrationBackup')) as string | null
    if (backup !== null) onMigration(backup)
  } catch (error) {
    await writer.close()
    throw error
  }
}

function openedReadOnly(): MemoryError {
  return new MemoryError('READ_ONLY', 'this memory was opened read-only; open it for writing to change it')
}

function oldSchema(): MemoryError {
  return new MemoryError(
    'READ_ONLY',
    'the database was written by an older remindb and must be migrated first; open it once without read-only, for example with `remindb inspect`',
  )
}

function needsWriter(file: string, create: boolean): boolean {
  const version = inspectFile(file) === 'absent' ? 0 : versionOf(file)
  if (version === 0 && !create) {
    throw new MemoryError(
      'NOT_FOUND',
      'there is no memory here yet; run `remindb compile <folder>` or check --db',
    )
  }
  return version < NEWEST_SCHEMA
}

function versionOf(file: string): number {
  return closing(openReader(file), (db) => {
    translating(() => refuseForeign(db))
    return schemaVersion(db)
  })
}
