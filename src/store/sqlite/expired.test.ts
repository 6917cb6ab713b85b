import { join } from 'node:path'
import type { Database } from 'better-sqlite3'
import { expect, onTestFinished, test } from 'vitest'
import { filledDatabase } from '../../../test/support/store-database.ts'
import { temporaryFolder } from '../../../test/support/store-files.ts'
import { openMemory } from '../../runtime/open-memory.ts'
import { expiredLookup, hideExpired } from './expired.ts'
import { openReader } from './open.ts'

test('a handle that leaves out what has expired cannot write to the database', async () => {
  const db = openReader(await filledDatabase())
  const hide = hideExpired(db)
  for (const table of ['main.nodes', 'main.documents', 'nodes']) {
    expect(() => db.exec(`DELETE FROM ${table}`), table).toThrow()
  }
  db.exec('BEGIN')
  hide(Number.MAX_SAFE_INTEGER)
  expect(() => db.exec('DELETE FROM main.nodes')).toThrow(/readonly/)
  expect(() => db.exec('DELETE FROM temp.expired_nodes')).toThrow(/readonly/)
  db.exec('ROLLBACK')
  db.pragma('query_only = OFF')
  expect(() => db.exec('DELETE FROM main.nodes')).toThrow(/readonly/)
  db.close()
})

/** A memory with a key that lasts and two that end after one and two seconds, and a handle that reads it. */
async function openExpiring() {
  const file = join(temporaryFolder(), 'memory.db')
  const memory = await openMemory({ db: file, now: () => 1000 })
  await memory.keys.remember({ key: 'lasts', value: 'v' })
  await memory.keys.remember({ key: 'ends', value: 'v', ttlSeconds: 1 })
  await memory.keys.remember({ key: 'ends later', value: 'v', ttlSeconds: 2 })
  const db = openReader(file)
  onTestFinished(async () => {
    db.close()
    await memory.close()
  })
  return { memory, db }
}

/** What each statement was asked, in order; the statements are those of `db`. */
function recording(db: Database) {
  const asked: string[] = []
  const prepare = (sql: string) => {
    const prepared = db.prepare(sql)
    const note =
      (method: 'get' | 'run') =>
      (...args: unknown[]) => {
        asked.push(sql.slice(0, sql.indexOf(' ')))
        return prepared[method](...args)
      }
    return { get: note('get'), run: note('run') }
  }
  return { asked, db: Object.create(db, { prepare: { value: prepare } }) as Database }
}

test('whether a key has expired is looked up once, until somebody writes', async () => {
  const { memory, db } = await openExpiring()
  const recorded = recording(db)
  const hasExpired = expiredLookup(recorded.db)
  for (const now of [1000, 2000, 9000, 1000]) hasExpired(now)
  expect(recorded.asked.filter((verb) => verb === 'SELECT')).toHaveLength(1)
  await memory.keys.remember({ key: 'more', value: 'v' })
  for (const now of [1000, 2000]) hasExpired(now)
  expect(recorded.asked.filter((verb) => verb === 'SELECT')).toHaveLength(2)
})

test('what has expired is found again only after a write, or when another key expires or the clock is set back', async () => {
  const { memory, db } = await openExpiring()
  const hide = hideExpired(db)
  const hidden = db.prepare<[], { count: number }>('SELECT count(*) AS count FROM temp.expired_nodes')
  const changes = db.prepare<[], { total: number }>('SELECT total_changes() AS total')
  const hideIn = (now: number, end = 'COMMIT') => {
    const before = changes.get()?.total
    db.exec('BEGIN')
    hide(now)
    const found = { keys: hidden.get()?.count, isFound: before !== changes.get()?.total }
    db.exec(end)
    return found
  }
  const first = hideIn(2000)
  expect(first).toEqual({ keys: expect.any(Number), isFound: true })
  const one = first.keys as number
  expect(hideIn(2000)).toEqual({ keys: one, isFound: false })
  expect(hideIn(2999)).toEqual({ keys: one, isFound: false })
  expect(hideIn(3000)).toEqual({ keys: 2 * one, isFound: true })
  expect(hideIn(2999)).toEqual({ keys: one, isFound: true })
  await memory.keys.remember({ key: 'more', value: 'v' })
  // Taken back with the transaction: then it is not known.
  expect(hideIn(2999, 'ROLLBACK')).toEqual({ keys: one, isFound: true })
  expect(hideIn(2999)).toEqual({ keys: one, isFound: true })
  expect(hideIn(2999)).toEqual({ keys: one, isFound: false })
})

test('a key has expired once its time has come, and no more when it is removed', async () => {
  const { memory, db } = await openExpiring()
  const hasExpired = expiredLookup(db)
  expect([1999, 2000, 9000].map(hasExpired)).toEqual([false, true, true])
  await memory.keys.forget('ends')
  expect([2999, 3000].map(hasExpired)).toEqual([false, true])
  await memory.keys.forget('ends later')
  expect(hasExpired(9000)).toBe(false)
})
