import type { Database } from 'better-sqlite3'
import type { Hash64 } from '../../core/digest.ts'
import type { Reclaimed } from '../../core/port/store.ts'
import { backupName } from '../../util/files/backup-name.ts'
import { monotonicMs } from '../../util/monotonic.ts'
import type { Outcome } from '../write-queue.ts'
import { batchRuns, type Job } from './batch.ts'
import type { CallStates } from './call-state.ts'
import { preparing, shrink } from './database/driver.ts'
import { isBusy, translateError } from './database/errors.ts'
import { migrate } from './database/migrate.ts'
import {
  BUSY_TIMEOUT_MS,
  openWriter,
  schemaVersion,
  setWriteCache,
  type WriterOptions,
} from './database/open.ts'
import { refuseForeign } from './database/schema.ts'
import { backUp, backUpAsIs } from './health/backup.ts'
import { reclaim } from './health/reclaim.ts'
import { repairSchema } from './health/repair-schema.ts'
import { scrub } from './health/scrub.ts'
import { NEWEST_SCHEMA } from './migrations/index.ts'

export interface BatchOptions {
  durable: boolean
  /** The time of the batch: milliseconds since 1970. */
  now: number
  /** How long to wait for another process that holds the lock. */
  waitMs: number
}

/** The one handle that writes, wherever it runs. It is opened by the first request, and gets one request at a time. */
export interface Writer {
  /**
   * Runs operations one after the other in one transaction; each fails or succeeds by itself. Returns the outcomes of the first
   * ones, in order: the others did not run, because the batch took long enough or another process holds the lock.
   */
  run(jobs: readonly Job[], options: BatchOptions): Promise<Outcome[]>
  command(name: WriterCommand, ...args: unknown[]): Promise<unknown>
  close(): Promise<void>
}

export type WriterCommand = keyof OpenWriter['commands']
type OpenWriter = ReturnType<typeof openForWriting>

/** The writer in this thread, which waits for the disk with it. It runs any operation, also one that is not in `OPERATIONS`. */
export function createWriter(
  options: WriterOptions,
  hash: Hash64,
  calls: CallStates,
): Writer & { shrink(): void } {
  let opened: OpenWriter | undefined
  async function using<T>(work: (writer: OpenWriter) => T | Promise<T>): Promise<T> {
    try {
      opened ??= openForWriting(options, hash, calls)
      return await work(opened)
    } catch (error) {
      throw translateError(error)
    }
  }
  return {
    run: (jobs, options) => using(({ run }) => run(jobs, options)),
    command: (name, ...args) =>
      using(({ commands }) => (commands[name] as (...args: unknown[]) => unknown)(...args)),
    shrink: () => opened?.shrink(),
    close: async () => opened?.close(),
  }
}

/** How long upkeep waits for a lock if it can be retried later. */
const UPKEEP_WAIT_MS = 250

function openForWriting(options: WriterOptions, hash: Hash64, calls: CallStates) {
  const db = openWriter(options)
  const migrationBackup = migrateWithBackup(db, options.file)
  const runOwn = runsOn(db, hash, calls)

  async function run(jobs: readonly Job[], batch: BatchOptions): Promise<Outcome[]> {
    const staged = jobs[0]?.staged
    if (staged !== undefined) return runStaged(staged, jobs, batch)
    synchronize(batch.durable)
    return jobs[0]?.source === undefined ? runOwn(jobs, batch) : runLarge(jobs, batch)
  }
  async function runLarge(jobs: readonly Job[], batch: BatchOptions): Promise<Outcome[]> {
    setWriteCache(db, 'large')
    try {
      return await runOwn(jobs, batch)
    } finally {
      setWriteCache(db, 'small')
    }
  }
  /** On a handle of its own: one that has looked at the search index would not notice that it is replaced. */
  async function runStaged(staged: string, jobs: readonly Job[], batch: BatchOptions): Promise<Outcome[]> {
    const apart = openWriter(options)
    try {
      setWriteCache(apart, 'large')
      apart.prepare('ATTACH ? AS staged').run(staged)
      return await runsOn(apart, hash, calls)(jobs, batch)
    } finally {
      apart.close()
    }
  }
  /** A write that need not survive a loss of power is not synced; the next durable write syncs it, too. */
  let isSynchronized = true
  function synchronize(durable: boolean): void {
    if (durable === isSynchronized || options.synchronous === 'normal') return
    db.pragma(`synchronous = ${durable ? 'full' : 'normal'}`)
    isSynchronized = durable
  }

  const commands = {
    backup(file: string): void {
      refuseForeign(db)
      backUp(db, file)
    },
    repairSchema: (backup: string): void => void repairSchema(db, backup),
    /** The copy that was made before this writer migrated the database, if it did. */
    migrationBackup: (): string | null => migrationBackup,
    reclaim: (options: { rewrite: boolean }): Reclaimed => reclaim(db, options),
    scrub({ wait = true }: { wait?: boolean }): boolean {
      setBusyTimeout(db, wait ? BUSY_TIMEOUT_MS : UPKEEP_WAIT_MS)
      try {
        return scrub(db)
      } finally {
        setBusyTimeout(db, 0)
      }
    },
  }
  return { run, commands, shrink: (): void => shrink(db), close: (): void => void db.close() }
}

/** Runs batches on a handle, each as soon as it gets the lock. */
function runsOn(db: Database, hash: Hash64, calls: CallStates) {
  setBusyTimeout(db, 0)
  const beginStatement = db.prepare('BEGIN IMMEDIATE')
  const runBatch = batchRuns({ db, hash, calls, tryBegin: () => tryBegin(0) })

  function tryBegin(waitMs: number): boolean {
    if (waitMs > 0) setBusyTimeout(db, waitMs)
    try {
      beginStatement.run()
      return true
    } catch (error) {
      if (isBusy(error)) return false
      throw error
    } finally {
      if (waitMs > 0) setBusyTimeout(db, 0)
    }
  }
  return async (jobs: readonly Job[], { now, waitMs }: BatchOptions): Promise<Outcome[]> => {
    const since = monotonicMs()
    if (tryBegin(0)) return runBatch(jobs, now)
    if (waitMs === 0 || !tryBegin(waitMs)) return []
    return runBatch(jobs, now + Math.round(monotonicMs() - since))
  }
}

function setBusyTimeout(db: Database, ms: number): void {
  db.pragma(`busy_timeout = ${Math.ceil(ms)}`)
}

/** A migration cannot be undone, so the database is copied first. Returns the copy; null if nothing was migrated. */
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
