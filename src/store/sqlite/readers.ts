import type { Database } from 'better-sqlite3'
import type { Hash64 } from '../../core/digest.ts'
import type { ReadTx } from '../../core/store.ts'
import { translateError } from './errors.ts'
import { openContext, openReader } from './open.ts'
import type { Sync } from './statements.ts'
import { readQueries } from './transaction.ts'

interface Reader {
  db: Database
  queries: Sync<ReadTx>
}

/** Read handles, opened as needed up to `limit`; a read that finds none free waits for its turn. */
export function createReaders(file: string, hash: Hash64, limit = 4) {
  const idle: Reader[] = []
  const queue: ((reader: Reader) => void)[] = []
  let opened = 0

  async function acquire(): Promise<Reader> {
    const free = idle.pop()
    if (free) return free
    if (opened >= limit) return new Promise((resolve) => queue.push(resolve))
    opened++
    try {
      const db = openReader(file)
      return { db, queries: readQueries(openContext(db, hash, Date.now)) }
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

  return {
    async read<T>(fn: (tx: ReadTx) => Promise<T>): Promise<T> {
      const reader = await acquire()
      try {
        reader.db.exec('BEGIN')
        return await fn(asyncQueries(reader.queries))
      } catch (error) {
        throw translateError(error)
      } finally {
        if (reader.db.inTransaction) reader.db.exec('ROLLBACK')
        release(reader)
      }
    },
    close(): void {
      for (const { db } of idle.splice(0)) db.close()
    },
  }
}

function asyncQueries(queries: Sync<ReadTx>): ReadTx {
  const entries = Object.entries(queries as unknown as Record<string, (...args: unknown[]) => unknown>)
  return Object.fromEntries(
    entries.map(([name, query]) => [name, async (...args: unknown[]) => query(...args)]),
  ) as unknown as ReadTx
}
