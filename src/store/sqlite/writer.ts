import type { Database } from 'better-sqlite3'
import type { Hash64 } from '../../core/digest.ts'
import type { DocumentToPlan } from '../../core/document-to-plan.ts'
import { MemoryError } from '../../core/errors.ts'
import type { WriteOptions, WriteSteps } from '../../core/port/store.ts'
import { backupName } from '../../util/backup-name.ts'
import { backUp, backUpAsIs } from './backup.ts'
import { isBusy } from './errors.ts'
import { refuseForeign } from './foreign-objects.ts'
import { migrate } from './migrate.ts'
import { NEWEST_SCHEMA } from './migrations/index.ts'
import { openContext, openWriter, schemaVersion, type WriterOptions } from './open.ts'
import type { Patience } from './patience.ts'
import { removeForeign } from './remove-foreign.ts'
import { scrub } from './scrub.ts'
import type { Sync } from './statements.ts'
import { writeQueries } from './transaction.ts'
import { dataVersion } from './unchanged.ts'

export interface WriterSettings extends WriterOptions {
  /** How long to wait for another process's write before giving up. */
  lockWaitMs: number
}

export interface Begin extends Required<Pick<WriteOptions, 'wait' | 'durable'>> {
  /** Only if nobody else has written since the last transaction, from which on the caller knows what is stored. */
  unchanged: boolean
}

const LOST_TRANSACTION =
  'the writer was restarted in the middle of a write; nothing of it was stored. Try again'

/** SQLite cannot be woken from its sleep: so often a write that waits looks whether it still may. */
const SLEEP_MS = 250

/** The one handle that writes: commands come in by name, so that it can live in a thread of its own. */
export function createWriter(settings: WriterSettings, hash: Hash64, patience: Patience) {
  const db = openWriter(settings)
  const migrationBackup = migrateWithBackup(db, settings.file)
  sleepWhenBusy(SLEEP_MS)
  const queries = writeQueries(openContext(db, hash, Date.now))
  const beginStatement = db.prepare('BEGIN IMMEDIATE')
  const commitStatement = db.prepare('COMMIT')

  const steps = stepsOf(queries)
  const commands = {
    /** False, and nothing has begun: somebody else wrote since the last transaction, and that was not to be. */
    begin({ wait, durable, unchanged }: Begin): boolean {
      synchronize(durable)
      if (wait) beginWithin(settings.lockWaitMs)
      else beginNow()
      const isOutdated = othersWrote() && unchanged
      hasFailed = isOutdated
      if (isOutdated) db.exec('ROLLBACK')
      else queries.begin()
      return !isOutdated
    },
    commit(): void {
      if (hasFailed) throw new Error('a call in this transaction failed; nothing of it is stored')
      checkBegun()
      queries.finish()
      commitStatement.run()
    },
    rollback: (): void => void (db.inTransaction && db.exec('ROLLBACK')),
    backup(file: string): void {
      refuseForeign(db)
      backUp(db, file)
    },
    repairSchema: (backup: string): void => void removeForeign(db, backup),
    /** The copy that was made before this writer migrated the database, if it did. */
    migrationBackup: (): string | null => migrationBackup,
    scrub: scrubPatiently,
    pragma: (name: string): unknown => db.pragma(name, { simple: true }),
    close: (): void => void db.close(),
  }
  const work = {
    ...queries,
    async putNodes(input: DocumentToPlan, snapshotId: number): Promise<void> {
      planning ??= import('../../core/put-nodes.ts')
      await (await planning).putNodes(steps, hash, input, snapshotId)
    },
  }
  /** Loaded by the first who needs it: the thread starts sooner without. */
  let planning: Promise<typeof import('../../core/put-nodes.ts')> | undefined

  // This handle is told of what others write, not of what it writes itself.
  const version = dataVersion(db)
  let lastVersion: number | undefined
  function othersWrote(): boolean {
    const before = lastVersion
    lastVersion = version()
    return before !== lastVersion
  }
  /** A writer that took over from one that died must not go on with half of its transaction, nor end it. */
  function checkBegun(): void {
    if (!db.inTransaction) throw new MemoryError('UNAVAILABLE', LOST_TRANSACTION)
  }
  // Whoever asks does not wait for every answer: nothing may be committed behind a call that failed.
  let hasFailed = false
  /** What need not survive a loss of power is not waited for until it is on disk; what is stored next takes it along. */
  let isSynchronized = true
  function synchronize(durable: boolean): void {
    if (durable === isSynchronized || settings.synchronous !== 'full') return
    db.pragma(`synchronous = ${durable ? 'full' : 'normal'}`)
    isSynchronized = durable
  }
  function beginWithin(waitMs: number): void {
    const deadline = Date.now() + waitMs
    while (!tryBegin(beginStatement, patience.atMost(deadline))) {
      // busy_timeout has slept already; the loop only asks again.
    }
  }
  function beginNow(): void {
    sleepWhenBusy(0)
    try {
      beginStatement.run()
    } finally {
      sleepWhenBusy(SLEEP_MS)
    }
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
    db.pragma(`busy_timeout = ${Math.min(busyTimeoutMs, lockWaitMs, atMostMs)}`)
  }

  function failed(error: unknown): never {
    hasFailed = true
    throw error
  }
  /** Throws, or gives a promise, as the command does. */
  return function run(command: string, args: unknown[]): unknown {
    const table = (command in commands ? commands : work) as Record<string, (...args: unknown[]) => unknown>
    const asked = table[command]
    if (!asked) throw new Error(`the writer has no command ${command}`)
    if (table !== commands) checkBegun()
    try {
      const answer = asked(...args)
      return answer instanceof Promise ? answer.catch(failed) : answer
    } catch (error) {
      return failed(error)
    }
  }
}

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

/** What core asks for with `await`. Nothing is waited for: a transaction must not be left between two steps. */
function stepsOf(queries: Sync<WriteSteps>): WriteSteps {
  const named = Object.entries(queries as unknown as Record<string, (...args: unknown[]) => unknown>)
  const steps = named.map(([name, query]) => [name, async (...args: unknown[]) => query(...args)])
  return Object.fromEntries(steps)
}

function tryBegin(begin: { run(): unknown }, deadline: number): boolean {
  try {
    begin.run()
    return true
  } catch (error) {
    if (isBusy(error) && Date.now() < deadline) return false
    throw error
  }
}
