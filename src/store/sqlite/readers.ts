import type { Database, Statement } from 'better-sqlite3'
import type { Hash64 } from '../../core/digest.ts'
import { type CheckTx, checkMemory } from '../../core/doctor/check-memory.ts'
import type { CheckResult, ReadTx, ReadTxOptions } from '../../core/port/store.ts'
import { createPool } from '../pool.ts'
import { inTx, txMethods } from '../tx.ts'
import type { Context } from './database/context.ts'
import { shrink } from './database/driver.ts'
import { reporting, translateError } from './database/errors.ts'
import { isOutdatedCopy, openContext, openReader } from './database/open.ts'
import { expiredKeys } from './search/expired.ts'
import type { Owned } from './thread-messages.ts'
import { readQueries } from './transaction.ts'

/** A handle and its queries. */
interface Reader {
  db: Database
  context: Context
  methods: object
  expired: ReturnType<typeof expiredKeys>
  begin: Statement
  commit: Statement
}

/** How many reads run at the same time. */
const HANDLES = 4

/** Reads leave out expired keys that are not removed yet, so they never have to write. */
export function createReaders(file: string, hash: Hash64, now: () => number) {
  const pool = createPool({
    open: () => openHandle(file, hash),
    close: ({ db }) => void db.close(),
    // A read-only folder may have become writable: then a handle on a copy is replaced.
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
    /** Runs every check, here or elsewhere. */
    check: (elsewhere?: (owned: Owned) => Promise<CheckResult[]>): Promise<CheckResult[]> =>
      use((reader) => {
        const { spaceId, ownerId, owner } = reader.context
        return (
          elsewhere?.({ spaceId, ownerId, owner }) ?? within(reader, null, () => runChecks(reader.context))
        )
      }),
    /** Keeps nothing of what was read. */
    shrink(): void {
      for (const { db } of pool.opened()) shrink(db)
    },
    close: pool.close,
  }
}

/** One read transaction. Keys that have expired by `now` are hidden; null: none are. */
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

/** Commits, to keep the temporary views that hide keys. */
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

type Query = (...args: unknown[]) => unknown

/** Runs every check in the current transaction of a handle. A failed query does not affect the others. */
function runChecks(context: Context): Promise<CheckResult[]> {
  const { engineChecks, ...reads } = readQueries(context)
  const asked = Object.entries(reads).map(([name, query]) => [
    name,
    async (...args: unknown[]) => reporting(() => (query as Query)(...args)),
  ])
  const tx: CheckTx = { ...Object.fromEntries(asked), engineChecks: async () => engineChecks() }
  return checkMemory(tx, context)
}

/** In a transaction of its own: all checks see the same state. */
export async function checkFile(file: string, context: Omit<Context, 'db' | 'now'>): Promise<CheckResult[]> {
  const db = openReader(file)
  try {
    db.exec('BEGIN')
    return await runChecks({ ...context, db, now: Date.now })
  } finally {
    db.close()
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
