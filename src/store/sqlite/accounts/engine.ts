import { setTimeout as sleep } from 'node:timers/promises'
import type { Database } from 'better-sqlite3'
import type { AccountReads, AccountStore, AccountTx } from '../../../core/accounts/port.ts'
import { createGate } from '../../../util/gate.ts'
import { monotonicMs } from '../../../util/monotonic.ts'
import { closedError } from '../../call-errors.ts'
import { inTx, txMethods } from '../../tx.ts'
import { createTurns } from '../../write-queue.ts'
import { isBusy, lockedTooLong, translateError } from '../database/errors.ts'
import { statement } from '../database/statements.ts'
import { dataVersion } from '../database/unchanged.ts'
import { backUpAsIs } from '../health/backup.ts'
import { type AccountFile, lostError, openAccountsFile } from './open.ts'
import { accountQueries } from './queries.ts'
import { createWatch } from './watch.ts'

export interface SqliteAccountsOptions extends AccountFile {
  /** How long a call may wait for another process that writes. */
  lockWaitMs?: number
}

/** Between two attempts to begin while another process writes. */
const RETRY_MS = 5

type Begin = 'BEGIN' | 'BEGIN IMMEDIATE'

/** Accounts in one SQLite file. Transactions take turns on one handle: each is over within microseconds. */
export function openSqliteAccounts({
  lockWaitMs = 120_000,
  ...options
}: SqliteAccountsOptions): AccountStore {
  const { db, isLost } = openAccountsFile(options)
  const gate = createGate(1)
  const writes = createTurns()
  const run = transactions(db)
  const { watch, notify, stop } = createWatch(dataVersion(db), isLost)
  let isClosed = false

  function onHandle<T>(work: () => Promise<T> | T): Promise<T> {
    return gate(async () => {
      try {
        if (isClosed) throw closedError()
        return await work()
      } catch (error) {
        throw translateError(error)
      }
    })
  }

  function onFile<T>(work: () => Promise<T> | T): Promise<T> {
    return onHandle(() => {
      if (isLost()) throw lostError()
      return work()
    })
  }

  /** Others use the handle while this waits for another process. */
  async function transaction<T>(begin: Begin, fn: (tx: AccountTx) => Promise<T>): Promise<T> {
    const deadline = monotonicMs() + lockWaitMs
    for (;;) {
      const done = await onFile(() => run(begin, fn))
      if (done) return done.result
      if (monotonicMs() >= deadline) throw lockedTooLong()
      await sleep(RETRY_MS)
    }
  }

  return {
    read: <T>(fn: (tx: AccountReads) => Promise<T>): Promise<T> => transaction('BEGIN', fn),
    write: (fn) =>
      writes.add(async () => {
        const result = await transaction('BEGIN IMMEDIATE', fn)
        notify()
        return result
      }) as ReturnType<typeof fn>,
    watch,
    backup: (file) => onFile(() => backUpAsIs(db, file)),
    async close() {
      if (isClosed) return
      stop()
      await writes.close()
      await onHandle(() => {
        isClosed = true
        db.close()
      })
    },
  }
}

/** Runs `fn` in a transaction; undefined where another process is in the way of beginning one. */
function transactions(db: Database) {
  const methods = txMethods(accountQueries(db))
  const version = dataVersion(db)
  const begins = { BEGIN: statement(db, 'BEGIN'), 'BEGIN IMMEDIATE': statement(db, 'BEGIN IMMEDIATE') }
  const commit = statement(db, 'COMMIT')
  const rollback = statement(db, 'ROLLBACK')

  function tryBegin(begin: Begin): boolean {
    try {
      begins[begin]().run()
      // A transaction that reads begins with what it reads first.
      version()
      return true
    } catch (error) {
      if (db.inTransaction) rollback().run()
      if (isBusy(error)) return false
      throw error
    }
  }

  return async <T>(begin: Begin, fn: (tx: AccountTx) => Promise<T>): Promise<{ result: T } | undefined> => {
    if (!tryBegin(begin)) return undefined
    try {
      const result = await inTx(methods, fn)
      commit().run()
      return { result }
    } finally {
      if (db.inTransaction) rollback().run()
    }
  }
}
