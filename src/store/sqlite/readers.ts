import type { Database, Statement } from 'better-sqlite3'
import type { Hash64 } from '../../core/digest.ts'
import type { ReadTx, ReadTxOptions } from '../../core/store.ts'
import { translateError } from './errors.ts'
import { isOutdatedCopy, openContext, openReader } from './open.ts'
import type { Sync } from './statements.ts'
import { readQueries } from './transaction.ts'
import { closedError } from './turns.ts'

/** A handle and what can be asked through it. */
export interface Reader {
  db: Database
  methods: object
  begin: Statement
  rollback: Statement
}

/** Read handles, opened as needed up to `limit`; a read that finds none free waits for its turn. */
export function createReaders(file: string, hash: Hash64, limit = 4) {
  const idle: Reader[] = []
  const queue: ((reader: Reader) => void)[] = []
  const allClosed = Promise.withResolvers<void>()
  let opened = 0
  let isClosed = false

  async function acquire(): Promise<Reader> {
    return opened < limit ? openOne() : new Promise((resolve) => queue.push(resolve))
  }
  function openOne(): Reader {
    opened++
    try {
      return openHandle(file, hash)
    } catch (error) {
      opened--
      throw error
    }
  }
  /** A folder that was read-only may be written to by now. */
  function renewed(reader: Reader): Reader {
    if (!isOutdatedCopy(reader.db, file)) return reader
    reader.db.close()
    opened--
    return openOne()
  }
  function release(reader: Reader): void {
    const next = queue.shift()
    if (next) next(reader)
    else if (isClosed) close(reader)
    else idle.push(reader)
  }
  function close({ db }: Reader): void {
    db.close()
    if (--opened === 0) allClosed.resolve()
  }
  async function run<T>(fn: (tx: ReadTx) => Promise<T>, { once = false }: ReadTxOptions): Promise<T> {
    // Nobody waits for a handle that is free.
    const reader = renewed(idle.pop() ?? (await acquire()))
    const transaction = openTx(reader.methods, once ? 1 : Number.POSITIVE_INFINITY)
    try {
      // To begin and to end takes as long as to find one row.
      if (!once) reader.begin.run()
      const result = await fn(transaction.tx)
      transaction.end()
      if (!once) reader.rollback.run()
      return result
    } catch (error) {
      // SQLite may have ended it by itself.
      if (reader.db.inTransaction) reader.rollback.run()
      throw translateError(error)
    } finally {
      transaction.refuse()
      release(reader)
    }
  }

  return {
    read<T>(fn: (tx: ReadTx) => Promise<T>, options: ReadTxOptions = {}): Promise<T> {
      return isClosed ? Promise.reject(closedError()) : run(fn, options)
    },
    /** Refuses what comes later and waits for what is running. */
    async close(): Promise<void> {
      isClosed = true
      idle.splice(0).forEach(close)
      if (opened > 0) await allClosed.promise
    },
  }
}

export function openHandle(file: string, hash: Hash64, isMapped = true): Reader {
  const db = openReader(file, isMapped)
  try {
    return {
      db,
      methods: txMethods(readQueries(openContext(db, hash, Date.now))),
      begin: db.prepare('BEGIN'),
      rollback: db.prepare('ROLLBACK'),
    }
  } catch (error) {
    db.close()
    throw translateError(error)
  }
}

export function endedError(): Error {
  return new Error('this transaction has ended; await every call inside it')
}

export type Query = (...args: unknown[]) => unknown

/** What a transaction is made of: its methods, made once for a handle, find their own transaction in `this`. */
interface State {
  isOpen: boolean
  /** How many more questions may be asked. */
  questions: number
  failures: unknown[]
}
const STATE = Symbol('state')

/** The methods of the port over one handle. They refuse calls after the transaction's end; a failed call fails it. */
function txMethods(queries: Sync<ReadTx>): object {
  const methods = Object.entries(queries as unknown as Record<string, Query>).map(([name, query]) => [
    name,
    function (this: { [STATE]: State }, ...args: unknown[]) {
      return ask(this[STATE], query, args)
    },
  ])
  return Object.fromEntries(methods)
}

function ask(state: State, query: Query, args: unknown[]): Promise<unknown> {
  if (!state.isOpen) return Promise.reject(endedError())
  if (state.questions-- <= 0) return Promise.reject(new Error('this read was to ask one question only'))
  try {
    return Promise.resolve(query(...args))
  } catch (error) {
    state.failures.push(error)
    const failed = Promise.reject(error)
    // Nobody may be waiting for it: `end` tells.
    failed.catch(() => undefined)
    return failed
  }
}

export function openTx(methods: object, questions: number) {
  const state: State = { isOpen: true, questions, failures: [] }
  const tx = Object.assign(Object.create(methods), { [STATE]: state }) as ReadTx
  function refuse(): void {
    state.isOpen = false
  }
  return {
    tx,
    refuse,
    end(): void {
      refuse()
      if (state.failures.length > 0) throw state.failures[0]
    },
  }
}
