import type { Database } from 'better-sqlite3'
import type { Hash64 } from '../../core/digest.ts'
import { MemoryError } from '../../core/errors.ts'
import type { Operation, WriteTx } from '../../core/port/store.ts'
import { backupName } from '../../util/backup-name.ts'
import { monotonicMs } from '../../util/monotonic.ts'
import { backUp, backUpAsIs } from './backup.ts'
import { isBusy } from './errors.ts'
import { refuseForeign } from './foreign-objects.ts'
import { migrate } from './migrate.ts'
import { NEWEST_SCHEMA } from './migrations/index.ts'
import { openContext, openWriter, schemaVersion, type WriterOptions } from './open.ts'
import { removeForeign } from './remove-foreign.ts'
import { scrub } from './scrub.ts'
import type { SharedCall } from './shared-call.ts'
import { writeQueries } from './transaction.ts'
import { openTx, txMethods } from './tx.ts'

export interface WriterSettings extends WriterOptions {
  /** How long to wait for another process's write before giving up. */
  lockWaitMs: number
}

/** How an operation runs. */
export interface RunOptions {
  /** How long it may wait for another process, in monotonic milliseconds. */
  deadline: number
  durable: boolean
  source: AsyncIterable<unknown>
}

/** SQLite cannot be woken from its sleep: a write that waits looks this often whether it still may. */
const SLEEP_MS = 250

/** The one handle that writes. It runs one operation at a time, in this thread or in one of its own. */
export function createWriter(settings: WriterSettings, hash: Hash64, shared: SharedCall) {
  const db = openWriter(settings)
  const migrationBackup = migrateWithBackup(db, settings.file)
  sleepWhenBusy(SLEEP_MS)
  const queries = writeQueries(openContext(db, hash, Date.now))
  const methods = txMethods(queries)
  const beginStatement = db.prepare('BEGIN IMMEDIATE')
  const commitStatement = db.prepare('COMMIT')

  async function run<I, O>(operation: Operation<I, O>, input: I, options: RunOptions): Promise<O> {
    synchronize(options.durable)
    begin(options.deadline)
    const transaction = openTx<WriteTx>(methods)
    try {
      const result = await operation.run(transaction.tx, input, { hash, source: options.source })
      transaction.end()
      queries.finish()
      if (!shared.commit()) throw cancelled()
      commitStatement.run()
      return result
    } catch (error) {
      undo(error)
      throw error
    } finally {
      transaction.refuse()
    }
  }

  /** Waits for another process no longer than it may. */
  function begin(deadline: number): void {
    const leftMs = Math.max(0, deadline - monotonicMs())
    if (leftMs < SLEEP_MS) sleepWhenBusy(leftMs)
    try {
      while (!tryBegin(beginStatement, shared, deadline)) {
        // SQLite has slept already; the loop only asks again.
      }
    } finally {
      if (leftMs < SLEEP_MS) sleepWhenBusy(SLEEP_MS)
    }
    queries.begin()
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

  const commands = {
    backup(file: string): void {
      refuseForeign(db)
      backUp(db, file)
    },
    repairSchema: (backup: string): void => void removeForeign(db, backup),
    /** The copy that was made before this writer migrated the database, if it did. */
    migrationBackup: (): string | null => migrationBackup,
    scrub: scrubPatiently,
    close: (): void => void db.close(),
  }

  /** What need not survive a loss of power is not waited for until it is on disk; what is stored next takes it along. */
  let isSynchronized = true
  function synchronize(durable: boolean): void {
    if (durable === isSynchronized || settings.synchronous !== 'full') return
    db.pragma(`synchronous = ${durable ? 'full' : 'normal'}`)
    isSynchronized = durable
  }
  /** Upkeep asks once only. */
  function scrubPatiently({ wait = true }: { wait?: boolean }): boolean {
    sleepWhenBusy(wait ? settings.busyTimeoutMs : SLEEP_MS)
    try {
      return scrub(db)
    } finally {
      sleepWhenBusy(SLEEP_MS)
    }
  }
  function sleepWhenBusy(atMostMs: number): void {
    const { busyTimeoutMs, lockWaitMs } = settings
    db.pragma(`busy_timeout = ${Math.ceil(Math.min(busyTimeoutMs, lockWaitMs, atMostMs))}`)
  }

  return { run, commands }
}

export type Writer = ReturnType<typeof createWriter>
export type WriterCommand = keyof Writer['commands']

/** A schema that is changed cannot be changed back: what was there is copied first. Returns the copy, null where there is none. */
function migrateWithBackup(db: Database, file: string): string | null {
  const version = schemaVersion(db)
  const now = Date.now()
  const backup = version > 0 && version < NEWEST_SCHEMA ? backupName(file, now) : null
  try {
    if (backup !== null) backUpAsIs(db, backup)
    migrate(db, now)
    return backup
  } catch (error) {
    db.close()
    throw error
  }
}

function tryBegin(begin: { run(): unknown }, shared: SharedCall, deadline: number): boolean {
  if (shared.isCancelled()) throw cancelled()
  try {
    begin.run()
    return true
  } catch (error) {
    if (isBusy(error) && monotonicMs() < shared.atMost(deadline)) return false
    throw error
  }
}

/** The caller has its own error by then. */
function cancelled(): MemoryError {
  return new MemoryError('UNAVAILABLE', 'the call was cancelled; nothing was changed')
}
