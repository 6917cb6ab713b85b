import type { Database, Statement } from 'better-sqlite3'
import type { Hash64 } from '../../core/digest.ts'
import type { ReadTx, ReadTxOptions } from '../../core/store.ts'
import { translateError } from './errors.ts'
import { checkHealth } from './health-client.ts'
import { openContext, openReader } from './open.ts'
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
    const reader = idle.pop() ?? (await acquire())
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

/** Checks of a database of this size take some 50 ms: less than it takes to start a thread for them. */
const SMALL_BYTES = 2 * 1024 * 1024

function fileBytes(db: Database): number {
  const [pages, size] = ['page_count', 'page_size'].map((name) => db.pragma(name, { simple: true }) as number)
  return (pages as number) * (size as number)
}

export function openHandle(file: string, hash: Hash64, isMapped = true): Reader {
  const db = openReader(file, isMapped)
  try {
    const context = openContext(db, hash, Date.now)
    const { spaceId, ownerId, owner } = context
    const queries = readQueries(context)
    return {
      db,
      methods: txMethods({
        ...queries,
        // In a thread: of what is stored when it begins, not of what this transaction sees.
        health: () =>
          fileBytes(db) <= SMALL_BYTES ? queries.health() : checkHealth({ file, spaceId, ownerId, owner }),
      }),
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
function txMethods(queries: { [Name in keyof ReadTx]: unknown }): object {
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
