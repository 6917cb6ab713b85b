import type { Database } from 'better-sqlite3'
import type { Hash64 } from '../../core/digest.ts'
import type { ReadTx } from '../../core/store.ts'
import { translateError } from './errors.ts'
import { openContext, openReader } from './open.ts'
import type { Sync } from './statements.ts'
import { readQueries } from './transaction.ts'
import { closedError } from './turns.ts'

interface Reader {
  db: Database
  queries: Sync<ReadTx>
}

/** Read handles, opened as needed up to `limit`; a read that finds none free waits for its turn. */
export function createReaders(file: string, hash: Hash64, limit = 4) {
  const idle: Reader[] = []
  const queue: ((reader: Reader) => void)[] = []
  const running = new Set<Promise<unknown>>()
  let opened = 0
  let isClosed = false

  async function acquire(): Promise<Reader> {
    const free = idle.pop()
    if (free) return free
    if (opened >= limit) return new Promise((resolve) => queue.push(resolve))
    opened++
    try {
      return openHandle(file, hash)
    } catch (error) {
      opened--
      throw translateError(error)
    }
  }
  function release(reader: Reader): void {
    const next = queue.shift()
    if (next) next(reader)
    else idle.push(reader)
  }
  async function run<T>(fn: (tx: ReadTx) => Promise<T>): Promise<T> {
    const reader = await acquire()
    const transaction = openTx(reader.queries)
    try {
      reader.db.exec('BEGIN')
      const result = await fn(transaction.tx)
      transaction.end()
      return result
    } catch (error) {
      throw translateError(error)
    } finally {
      transaction.refuse()
      if (reader.db.inTransaction) reader.db.exec('ROLLBACK')
      release(reader)
    }
  }

  return {
    async read<T>(fn: (tx: ReadTx) => Promise<T>): Promise<T> {
      if (isClosed) throw closedError()
      const reading = run(fn)
      running.add(reading)
      try {
        return await reading
      } finally {
        running.delete(reading)
      }
    },
    /** Refuses what comes later and waits for what is running. */
    async close(): Promise<void> {
      isClosed = true
      await Promise.allSettled(running)
      for (const { db } of idle.splice(0)) db.close()
    },
  }
}

function openHandle(file: string, hash: Hash64): Reader {
  const db = openReader(file)
  try {
    return { db, queries: readQueries(openContext(db, hash, Date.now)) }
  } catch (error) {
    db.close()
    throw error
  }
}

export function endedError(): Error {
  return new Error('this transaction has ended; await every call inside it')
}

/** The port over one handle. It refuses calls after the transaction's end; a failed call fails the transaction. */
function openTx(queries: Sync<ReadTx>) {
  let isOpen = true
  const failures: unknown[] = []
  function ask(query: (...args: unknown[]) => unknown, args: unknown[]): Promise<unknown> {
    if (!isOpen) return Promise.reject(endedError())
    try {
      return Promise.resolve(query(...args))
    } catch (error) {
      failures.push(error)
      const failed = Promise.reject(error)
      // Nobody may be waiting for it: `end` tells.
      failed.catch(() => undefined)
      return failed
    }
  }
  const entries = Object.entries(queries as unknown as Record<string, (...args: unknown[]) => unknown>)
  const tx = Object.fromEntries(
    entries.map(([name, query]) => [name, (...args: unknown[]) => ask(query, args)]),
  ) as unknown as ReadTx
  function refuse(): void {
    isOpen = false
  }
  return {
    tx,
    refuse,
    end(): void {
      refuse()
      if (failures.length > 0) throw failures[0]
    },
  }
}
