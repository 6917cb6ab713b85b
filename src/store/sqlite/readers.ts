import type { Database, Statement } from 'better-sqlite3'
import type { Hash64 } from '../../core/digest.ts'
import type { CheckResult, ReadTx, ReadTxOptions } from '../../core/port/store.ts'
import { createPool } from '../pool.ts'
import { inTx, txMethods } from '../tx.ts'
import type { Context } from './database/context.ts'
import { shrink } from './database/driver.ts'
import { translateError } from './database/errors.ts'
import { bytesOf, isOutdatedCopy, openContext, openReader } from './database/open.ts'
import { runChecks } from './health-run.ts'
import { expiredKeys } from './search/expired.ts'
import type { Owned } from './thread-messages.ts'
import { readQueries } from './transaction.ts'

/** A handle and what can be asked through it. */
interface Reader {
  db: Database
  context: Context
  methods: object
  expired: ReturnType<typeof expiredKeys>
  begin: Statement
  commit: Statement
}

/** Checks of a database of this size take some 50 ms: less than it takes to start a thread for them. */
const SMALL_BYTES = 2 * 1024 * 1024

/** How many reads run at the same time. */
const HANDLES = 4

/** Reads what is stored, without keys that have expired and are not removed yet: reading never has to write. */
export function createReaders(file: string, hash: Hash64, now: () => number) {
  const pool = createPool({
    open: () => openHandle(file, hash),
    close: ({ db }) => void db.close(),
    // A folder that was read-only may be written to by now: then a handle on a copy is replaced.
    isOutdated: ({ db }) => isOutdatedCopy(db, file),
    limit: HANDLES,
  })
  async function use<T>(work: (reader: Reader) => Promise<T>): Promise<T> {
    try {
      return await pool.use(work)
    } catch (error) {
      throw translateError(error)
    }
  }
  return {
    read: <T>(fn: (tx: ReadTx) => Promise<T>, { includeExpired = false }: ReadTxOptions = {}): Promise<T> =>
      use((reader) => within(reader, includeExpired ? null : now(), () => inTx(reader.methods, fn))),
    /** In a transaction of its own; in this thread only where that takes less time than it takes to start one. */
    check: (
      elsewhere: (owned: Owned) => Promise<CheckResult[]>,
      { always = false } = {},
    ): Promise<CheckResult[]> =>
      use((reader) => {
        const { spaceId, ownerId, owner } = reader.context
        if (always || bytesOf(file) > SMALL_BYTES) return elsewhere({ spaceId, ownerId, owner })
        return within(reader, null, () => runChecks(reader.context))
      }),
    /** Keeps nothing of what was read. */
    shrink(): void {
      for (const { db } of pool.opened()) shrink(db)
    },
    close: pool.close,
  }
}

/** One transaction, which changes nothing that is stored. Keys that have expired by `now` are hidden; null: none are. */
async function within<T>(reader: Reader, now: number | null, work: () => Promise<T>): Promise<T> {
  const { begin, expired } = reader
  begin.run()
  try {
    if (now === null) expired.show()
    else expired.hide(now)
    return await work()
  } finally {
    end(reader)
  }
}

/** Commits, so that what is hidden stays so. */
function end({ db, commit, expired }: Reader): void {
  try {
    // SQLite may have ended it by itself.
    if (db.inTransaction) commit.run()
    else expired.forget()
  } catch {
    expired.forget()
    if (db.inTransaction) db.exec('ROLLBACK')
  }
}

function openHandle(file: string, hash: Hash64): Reader {
  const db = openReader(file)
  try {
    const expired = expiredKeys(db)
    const context = { ...openContext(db, hash, Date.now), hidden: expired.round }
    const methods = txMethods(readQueries(context))
    return { db, context, methods, expired, begin: db.prepare('BEGIN'), commit: db.prepare('COMMIT') }
  } catch (error) {
    db.close()
    throw translateError(error)
  }
}
