import type { Database } from 'better-sqlite3'
import type { Hash64 } from '../../core/digest.ts'
import { MemoryError } from '../../core/errors.ts'
import type { Operation, WriteTx } from '../../core/port/store.ts'
import { runOperation } from '../../core/run-operation.ts'
import { backupName } from '../../util/backup-name.ts'
import { openTx, txMethods } from '../tx.ts'
import { backUp, backUpAsIs } from './backup.ts'
import { isBusy, lockedTooLong } from './errors.ts'
import { refuseForeign } from './foreign-objects.ts'
import { migrate } from './migrate.ts'
import { NEWEST_SCHEMA } from './migrations/index.ts'
import { openContext, openWriter, schemaVersion, type WriterOptions } from './open.ts'
import { removeForeign } from './remove-foreign.ts'
import { scrub } from './scrub.ts'
import type { SharedCall } from './shared-call.ts'
import { writeQueries } from './transaction.ts'

export interface WriterSettings extends WriterOptions {
  /** How long to wait for another process's write before giving up. */
  lockWaitMs: number
}

/** How an operation runs. */
export interface RunOptions {
  /** Until when it may wait for another process, as `lockWaitMs` of `SharedCall` counts. */
  deadline: number
  durable: boolean
  source: AsyncIterable<unknown>
  /** When its turn came: milliseconds since 1970. */
  now: number
}

/** SQLite cannot be woken from its sleep: a write that waits looks this often whether it still may. */
const SLEEP_MS = 250

/** The one handle that writes. It runs one operation at a time, in this thread or in one of its own. */
export function createWriter(settings: WriterSettings, hash: Hash64, shared: SharedCall) {
  const db = openWriter(settings)
  const migrationBackup = migrateWithBackup(db, settings.file)
  sleepWhenBusy(0)
  const queries = writeQueries(openContext(db, hash, Date.now))
  const methods = txMethods(queries)
  const beginStatement = db.prepare('BEGIN IMMEDIATE')
  const commitStatement = db.prepare('COMMIT')

  async function run<I, O>(operation: Operation<I, O>, input: I, options: RunOptions): Promise<O> {
    synchronize(options.durable)
    const waitedMs = begin(options.deadline)
    const transaction = openTx<WriteTx>(methods)
    try {
      const tools = { hash, source: options.source, now: options.now + waitedMs }
      const result = await runOperation(operation, transaction.tx, input, tools)
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

  /** Waits for another process no longer than it may. Tells for how long it did. */
  function begin(deadline: number): number {
    if (shared.isCancelled()) throw cancelled()
    const waitedBefore = shared.lockWaitMs()
    // Most find the lock free.
    if (!tryBegin()) waitAndBegin(deadline)
    queries.begin()
    return shared.lockWaitMs() - waitedBefore
  }
  function waitAndBegin(deadline: number): void {
    shared.setWaiting(true)
    try {
      for (;;) {
        const leftMs = shared.atMost(deadline) - shared.lockWaitMs()
        if (leftMs <= 0) throw lockedTooLong()
        sleepWhenBusy(Math.min(SLEEP_MS, leftMs))
        if (tryBegin()) return
        if (shared.isCancelled()) throw cancelled()
      }
    } finally {
      shared.setWaiting(false)
      sleepWhenBusy(0)
    }
  }
  function tryBegin(): boolean {
    try {
      beginStatement.run()
      return true
    } catch (error) {
      if (isBusy(error)) return false
      throw error
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
      sleepWhenBusy(0)
    }
  }
  function sleepWhenBusy(atMostMs: number): void {
    db.pragma(`busy_timeout = ${Math.ceil(Math.min(settings.busyTimeoutMs, atMostMs))}`)
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

/** The caller has its own error by then. */
function cancelled(): MemoryError {
  return new MemoryError('UNAVAILABLE', 'the call was cancelled; nothing was changed')
}
