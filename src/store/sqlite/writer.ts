import type { Database } from 'better-sqlite3'
import type { Hash64 } from '../../core/digest.ts'
import { MemoryError } from '../../core/errors.ts'
import type { Operation, WriteTx } from '../../core/port/store.ts'
import { runOperation } from '../../core/run-operation.ts'
import { backupName } from '../../util/backup-name.ts'
import { monotonicMs } from '../../util/monotonic.ts'
import { inTx, txMethods } from '../tx.ts'
import { backUp, backUpAsIs } from './backup.ts'
import type { CallState } from './call-state.ts'
import { preparing } from './driver.ts'
import { isBusy, translateError } from './errors.ts'
import { migrate } from './migrate.ts'
import { NEWEST_SCHEMA } from './migrations/index.ts'
import { BUSY_TIMEOUT_MS, openContext, openWriter, schemaVersion, type WriterOptions } from './open.ts'
import { repairSchema } from './repair-schema.ts'
import { refuseForeign } from './schema.ts'
import { scrub } from './scrub.ts'
import { writeQueries } from './transaction.ts'

/** How an operation runs. */
export interface RunOptions {
  durable: boolean
  source: AsyncIterable<unknown>
  /** When its turn came: milliseconds since 1970. */
  now: number
  /** Where another process holds the lock: how long to wait for it before this is asked again. Throws where that is too long. */
  waitMs(): Promise<number>
}

/** The one handle that writes, wherever it runs. It is opened by the first request, and gets one request at a time. */
export interface Writer {
  run<I, O>(operation: Operation<I, O>, input: I, options: RunOptions): Promise<O>
  command(name: WriterCommand, ...args: unknown[]): Promise<unknown>
  close(): Promise<void>
}

export type WriterCommand = keyof OpenWriter['commands']
type OpenWriter = ReturnType<typeof openForWriting>

/** The writer in this thread, which waits for the disk with it. It runs any operation, also one that is not in `OPERATIONS`. */
export function createWriter(options: WriterOptions, hash: Hash64, call: CallState): Writer {
  let opened: OpenWriter | undefined
  async function using<T>(work: (writer: OpenWriter) => T | Promise<T>): Promise<T> {
    try {
      opened ??= openForWriting(options, hash, call)
      return await work(opened)
    } catch (error) {
      throw translateError(error)
    }
  }
  return {
    run: (operation, input, options) => using(({ run }) => run(operation, input, options)),
    command: (name, ...args) =>
      using(({ commands }) => (commands[name] as (...args: unknown[]) => unknown)(...args)),
    close: async () => opened?.close(),
  }
}

/** For how long upkeep that is tried again later waits for others. */
const UPKEEP_WAIT_MS = 250

function openForWriting(options: WriterOptions, hash: Hash64, call: CallState) {
  const db = openWriter(options)
  const migrationBackup = migrateWithBackup(db, options.file)
  setBusyTimeout(0)
  const queries = writeQueries(openContext(db, hash, Date.now))
  const methods = txMethods(queries)
  const beginStatement = db.prepare('BEGIN IMMEDIATE')
  const commitStatement = db.prepare('COMMIT')

  async function run<I, O>(operation: Operation<I, O>, input: I, options: RunOptions): Promise<O> {
    synchronize(options.durable)
    try {
      const waitedMs = await begin(options)
      const tools = { hash, source: options.source, now: options.now + waitedMs }
      const result = await inTx<WriteTx, O>(methods, (tx) => runOperation(operation, tx, input, tools))
      queries.finish()
      if (!call.commit()) throw cancelled()
      commitStatement.run()
      return result
    } catch (error) {
      undo(error)
      throw error
    }
  }
  /** Returns how long it waited for another process. */
  async function begin({ waitMs }: RunOptions): Promise<number> {
    if (call.isCancelled()) throw cancelled()
    const since = monotonicMs()
    const isFree = tryBegin(0)
    let hasBegun = isFree
    while (!hasBegun) hasBegun = tryBegin(await waitMs())
    queries.begin()
    return isFree ? 0 : Math.round(monotonicMs() - since)
  }
  function tryBegin(waitMs: number): boolean {
    if (waitMs > 0) setBusyTimeout(waitMs)
    try {
      beginStatement.run()
      return true
    } catch (error) {
      if (isBusy(error)) return false
      throw error
    } finally {
      if (waitMs > 0) setBusyTimeout(0)
    }
  }
  /** What failed first is what a caller sees; what failed in taking it back is its cause, where it has no other. */
  function undo(error: unknown): void {
    try {
      if (db.inTransaction) db.exec('ROLLBACK')
    } catch (second) {
      if (error instanceof Error && error.cause === undefined && Object.isExtensible(error))
        error.cause = second
    }
  }
  /** What need not survive a loss of power is not waited for until it is on disk; what is stored next takes it along. */
  let isSynchronized = true
  function synchronize(durable: boolean): void {
    if (durable === isSynchronized || options.synchronous === 'normal') return
    db.pragma(`synchronous = ${durable ? 'full' : 'normal'}`)
    isSynchronized = durable
  }
  function setBusyTimeout(ms: number): void {
    db.pragma(`busy_timeout = ${Math.ceil(ms)}`)
  }

  const commands = {
    backup(file: string): void {
      refuseForeign(db)
      backUp(db, file)
    },
    repairSchema: (backup: string): void => void repairSchema(db, backup),
    /** The copy that was made before this writer migrated the database, if it did. */
    migrationBackup: (): string | null => migrationBackup,
    scrub({ wait = true }: { wait?: boolean }): boolean {
      setBusyTimeout(wait ? BUSY_TIMEOUT_MS : UPKEEP_WAIT_MS)
      try {
        return scrub(db)
      } finally {
        setBusyTimeout(0)
      }
    },
  }
  return { run, commands, close: (): void => void db.close() }
}

/** A schema that is changed cannot be changed back: what was there is copied first. Returns the copy, null where there is none. */
function migrateWithBackup(db: Database, file: string): string | null {
  const version = schemaVersion(db)
  const now = Date.now()
  const backup = version > 0 && version < NEWEST_SCHEMA ? backupName(file, now) : null
  preparing(db, () => {
    if (backup !== null) backUpAsIs(db, backup)
    migrate(db, now)
  })
  return backup
}

/** The caller has its own error by then. */
function cancelled(): MemoryError {
  return new MemoryError('UNAVAILABLE', 'the call was cancelled; nothing was changed')
}
