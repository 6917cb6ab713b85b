import { statSync } from 'node:fs'
import type { Hash64 } from '../../core/digest.ts'
import { MemoryError } from '../../core/errors.ts'
import type { Engine } from '../../core/port/store.ts'
import { createChangeFeed } from './change-feed.ts'
import { translating } from './errors.ts'
import { refuseForeign } from './foreign-objects.ts'
import { NEWEST_SCHEMA } from './migrations/index.ts'
import { inspectFile, openReader, schemaVersion } from './open.ts'
import { createAheadReader } from './read-ahead.ts'
import { createReaders } from './readers.ts'
import { createTransactions } from './transact.ts'
import { createTurns } from './turns.ts'
import type { WriterSettings } from './writer.ts'
import { createWriterClient, type WriterClient } from './writer-client.ts'

export interface SqliteOptions extends Partial<Omit<WriterSettings, 'file'>> {
  file: string
  hash: Hash64
  /** What to do when there is no database yet. Default: refuse, so that a typing error creates nothing. */
  create?: boolean
  /** Nothing is written, whatever is asked for; a database that would have to be created or migrated is refused. */
  readOnly?: boolean
  /** Milliseconds since 1970: what has expired by then is left out of what is read. Default: the system's clock. */
  now?: () => number
  /** Told the copy that was made before an older database was migrated. */
  onMigration?: (backup: string) => void
}

/** Opens a memory in one SQLite file. Nothing is written unless the file is new or its schema is old. */
export async function openSqlite(options: SqliteOptions): Promise<Engine> {
  const {
    file,
    hash,
    create = false,
    readOnly = false,
    now = Date.now,
    synchronous = 'full',
    busyTimeoutMs = 5000,
    lockWaitMs = 120_000,
    onMigration = () => undefined,
  } = options
  const writer = createWriterClient({ file, synchronous, busyTimeoutMs, lockWaitMs })
  if (needsWriter(file, create && !readOnly)) {
    if (readOnly) throw oldSchema()
    await migrateNow(writer, onMigration)
  }
  const readers = createReaders(file, hash, now)
  const ahead = createAheadReader(file, hash)
  const transact = createTransactions(writer, ahead)
  const turns = createTurns()
  const feed = createChangeFeed(file)
  const upkeep = <T>(work: () => Promise<T>): Promise<T> =>
    readOnly ? Promise.reject(openedReadOnly()) : turns.take(work)
  return {
    store: {
      read: (fn, options) => readers.read(fn, options),
      write: (fn, { wait = true, durable = true, repeatable = false } = {}) => {
        if (readOnly) return Promise.reject(openedReadOnly())
        const work = () => transact(fn, { wait, durable, repeatable })
        return wait ? turns.take(work) : turns.takeNow(work)
      },
    },
    maintenance: {
      // Upkeep cannot run inside a transaction: it takes its turn among the writes.
      backup: (target) => upkeep(async () => void (await writer.call('backup', [target]))),
      repairSchema: (target) => upkeep(async () => void (await writer.call('repairSchema', [target]))),
      scrub: (options = {}) => upkeep(() => writer.call('scrub', [options]) as Promise<boolean>),
      sizeBytes: async () => sizeOf(file) + sizeOf(`${file}-wal`),
    },
    watch: feed.watch,
    limitLockWait: writer.limitLockWait,
    async close() {
      feed.close()
      await Promise.all([readers.close(), turns.close()])
      ahead.close()
      await writer.close()
    },
  }
}

/** Opening the writer creates and migrates; any command opens it. */
async function migrateNow(writer: WriterClient, onMigration: (backup: string) => void): Promise<void> {
  try {
    const backup = (await writer.call('migrationBackup')) as string | null
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
  return version < NEWEST_SCHEMA
}

function versionOf(file: string): number {
  const db = openReader(file)
  try {
    const version = schemaVersion(db)
    translating(() => refuseForeign(db, version))
    return version
  } finally {
    db.close()
  }
}
