import type { Database, Statement } from 'better-sqlite3'
import type { Hash64 } from '../../core/digest.ts'
import type { CheckResult, ReadTx, ReadTxOptions } from '../../core/port/store.ts'
import { inTx, txMethods } from '../tx.ts'
import { closedError } from '../write-queue.ts'
import type { Context } from './context.ts'
import { translateError } from './errors.ts'
import { expiredLookup, hideExpired } from './expired.ts'
import { checkHealth } from './health-client.ts'
import { runChecks } from './health-run.ts'
import { isOutdatedCopy, openContext, openReader } from './open.ts'
import { readQueries } from './transaction.ts'

/** A handle and what can be asked through it. */
export interface Reader {
  db: Database
  context: Context
  methods: object
  begin: Statement
  rollback: Statement
  /** Ends a transaction. Default: `rollback`. */
  end?: () => void
}

/** Some keys have expired, and this handle shows them. */
const EXPIRED = Symbol('expired')

/**
 * Reads what is stored. Where keys have expired that nobody has removed yet, the read moves to a handle that leaves them out:
 * reading never has to write.
 */
export function createReaders(file: string, hash: Hash64, now: () => number) {
  const isOutdated = ({ db }: Reader): boolean => isOutdatedCopy(db, file)
  const stored = createPool({ open: () => openStored(file, hash), isOutdated })
  const unexpired = createPool({ open: () => openUnexpired(file, hash), isOutdated })
  let isClosed = false

  async function run<T>(fn: (tx: ReadTx) => Promise<T>, options: ReadTxOptions): Promise<T> {
    const { includeExpired = false } = options
    const answered = await stored.use((reader) =>
      within(reader, async () =>
        includeExpired || !reader.hasExpired(now()) ? inTx(reader.methods, fn) : EXPIRED,
      ),
    )
    if (answered !== EXPIRED) return answered
    return unexpired.use((reader) =>
      within(reader, () => {
        reader.hideExpired(now())
        return inTx(reader.methods, fn)
      }),
    )
  }

  return {
    read<T>(fn: (tx: ReadTx) => Promise<T>, options: ReadTxOptions = {}): Promise<T> {
      return isClosed ? Promise.reject(closedError()) : run(fn, options)
    },
    /** A transaction of its own, in a thread of its own unless that would take longer. */
    check(): Promise<CheckResult[]> {
      return isClosed ? Promise.reject(closedError()) : stored.use((reader) => check(file, reader))
    },
    /** Refuses what comes later and waits for what is running. */
    async close(): Promise<void> {
      isClosed = true
      // In this order: a read that runs may move from the first to the second.
      await stored.close()
      await unexpired.close()
    },
  }
}

/** One transaction, which changes nothing that is stored. */
async function within<T>({ db, begin, rollback, end }: Reader, work: () => Promise<T>): Promise<T> {
  begin.run()
  try {
    return await work()
  } finally {
    // SQLite may have ended it by itself.
    if (db.inTransaction) end ? end() : rollback.run()
  }
}

interface PoolParts<R> {
  open: () => R
  /** A folder that was read-only may be written to by now: then a handle on a copy is replaced. */
  isOutdated: (reader: R) => boolean
}

/** Handles, opened as needed up to `limit`; who finds none free waits for a turn. */
export function createPool<R extends Pick<Reader, 'db'>>({ open, isOutdated }: PoolParts<R>, limit = 4) {
  const idle: R[] = []
  /** Without a handle: there is room to open one. */
  const queue: ((reader?: R) => void)[] = []
  const allClosed = Promise.withResolvers<void>()
  let opened = 0
  let isClosed = false

  async function acquire(): Promise<R> {
    if (opened < limit) return openOne()
    const reader = await new Promise<R | undefined>((resolve) => queue.push(resolve))
    return reader ?? acquire()
  }
  function openOne(): R {
    opened++
    try {
      return open()
    } catch (error) {
      forgetOne()
      throw error
    }
  }
  /** Whoever waits for the handle that is gone tries for itself. */
  function forgetOne(): void {
    opened--
    const next = queue.shift()
    if (next) next()
    else if (opened === 0 && isClosed) allClosed.resolve()
  }
  function renewed(reader: R): R {
    try {
      if (!isOutdated(reader)) return reader
      reader.db.close()
    } catch (error) {
      release(reader)
      throw error
    }
    opened--
    return openOne()
  }
  function release(reader: R): void {
    const next = queue.shift()
    if (next) next(reader)
    else if (isClosed) close(reader)
    else idle.push(reader)
  }
  function close({ db }: R): void {
    db.close()
    forgetOne()
  }

  return {
    async use<T>(work: (reader: R) => Promise<T>): Promise<T> {
      // Nobody waits for a handle that is free.
      const reader = renewed(idle.pop() ?? (await acquire()))
      try {
        return await work(reader)
      } catch (error) {
        throw translateError(error)
      } finally {
        release(reader)
      }
    },
    /** Waits for what is running. */
    async close(): Promise<void> {
      isClosed = true
      idle.splice(0).forEach(close)
      if (opened > 0) await allClosed.promise
    },
  }
}

function openStored(file: string, hash: Hash64) {
  const reader = openHandle(file, hash)
  return { ...reader, hasExpired: expiredLookup(reader.db) }
}

function openUnexpired(file: string, hash: Hash64) {
  const reader = openHandle(file, hash, { hidesExpired: true })
  try {
    return { ...reader, hideExpired: hideExpired(reader.db), end: committing(reader) }
  } catch (error) {
    reader.db.close()
    throw error
  }
}

/** So that temporary tables keep what is in them; where that cannot be, it is found again. */
function committing({ db, rollback }: Reader): () => void {
  const commit = db.prepare('COMMIT')
  return () => {
    try {
      commit.run()
    } catch {
      if (db.inTransaction) rollback.run()
    }
  }
}

/** Checks of a database of this size take some 50 ms: less than it takes to start a thread for them. */
const SMALL_BYTES = 2 * 1024 * 1024

function fileBytes(db: Database): number {
  const [pages, size] = ['page_count', 'page_size'].map((name) => db.pragma(name, { simple: true }) as number)
  return (pages as number) * (size as number)
}

function check(file: string, reader: Reader): Promise<CheckResult[]> {
  const { spaceId, ownerId, owner } = reader.context
  if (fileBytes(reader.db) > SMALL_BYTES) return checkHealth({ file, spaceId, ownerId, owner })
  return within(reader, () => runChecks(reader.context))
}

export function openHandle(file: string, hash: Hash64, { hidesExpired = false } = {}): Reader {
  const db = openReader(file)
  try {
    const context = { ...openContext(db, hash, Date.now), hidesExpired }
    return {
      db,
      context,
      methods: txMethods(readQueries(context)),
      begin: db.prepare('BEGIN'),
      rollback: db.prepare('ROLLBACK'),
    }
  } catch (error) {
    db.close()
    throw translateError(error)
  }
}
