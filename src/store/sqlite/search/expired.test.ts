import { join } from 'node:path'
import type { Database } from 'better-sqlite3'
import { expect, onTestFinished, test } from 'vitest'
import { filledDatabase } from '../../../../test/support/store-database.ts'
import { temporaryFolder } from '../../../../test/support/store-files.ts'
import { openMemory } from '../../../runtime/memory/open-memory.ts'
import { openReader } from '../database/open.ts'
import { whileUnchanged } from '../database/unchanged.ts'
import { expiredKeys, VIEWS } from './expired.ts'

test('a handle that leaves out what has expired cannot write to the database', async () => {
  const db = openReader(await filledDatabase())
  const { hide } = expiredKeys(db)
  for (const table of ['main.nodes', 'main.documents', 'nodes']) {
    expect(() => db.exec(`DELETE FROM ${table}`), table).toThrow()
  }
  db.exec('BEGIN')
  hide(Number.MAX_SAFE_INTEGER)
  expect(() => db.exec('DELETE FROM main.nodes')).toThrow(/readonly/)
  expect(() => db.exec('CREATE TEMP TABLE mine (x)')).toThrow(/readonly/)
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

test('every table that refers to nodes has a view without those of expired keys, except for versions and overlays', async () => {
  const db = openReader(await filledDatabase())
  const referring = db
    .prepare(
      `SELECT DISTINCT m.name FROM sqlite_schema m JOIN pragma_foreign_key_list(m.name) f
       WHERE m.type = 'table' AND f."table" = 'nodes' ORDER BY m.name`,
    )
    .pluck()
    .all() as string[]
  db.close()
  const stored = ['overlays', 'versions']
  expect(referring.filter((name) => !(name in VIEWS))).toEqual(stored)
})

/** What a transaction at that time sees, and whether it had to look for what has expired. */
function reading(db: Database) {
  const { hide, show, forget, round } = expiredKeys(db)
  const nodes = db.prepare<[], { count: number }>(
    'SELECT count(DISTINCT document_id) AS count FROM nodes WHERE removed_in IS NULL',
  )
  return (now: number | null, end: 'COMMIT' | 'ROLLBACK' = 'COMMIT') => {
    const before = round()
    db.exec('BEGIN')
    if (now === null) show()
    else hide(now)
    const seen = { keys: nodes.get()?.count, isChanged: round() !== before }
    db.exec(end)
    if (end === 'ROLLBACK') forget()
    return seen
  }
}

test('a key is hidden once its time has come, and nothing is left of that when it is removed', async () => {
  const { memory, db } = await openExpiring()
  const read = reading(db)
  expect([1999, 2000, 9000].map((now) => read(now).keys)).toEqual([3, 2, 1])
  expect(read(null).keys).toBe(3)
  await memory.keys.forget('ends')
  expect([2999, 3000].map((now) => read(now).keys)).toEqual([2, 1])
  await memory.keys.forget('ends later')
  expect(read(9000)).toEqual({ keys: 1, isChanged: true })
  expect(db.prepare('SELECT name FROM temp.sqlite_schema').all()).toEqual([])
})

test('what is hidden changes only after a write, or when another key expires or the clock is set back', async () => {
  const { memory, db } = await openExpiring()
  const read = reading(db)
  expect(read(1000)).toEqual({ keys: 3, isChanged: false })
  expect(read(2000)).toEqual({ keys: 2, isChanged: true })
  expect(read(2000)).toEqual({ keys: 2, isChanged: false })
  expect(read(2999)).toEqual({ keys: 2, isChanged: false })
  expect(read(3000)).toEqual({ keys: 1, isChanged: true })
  expect(read(2999)).toEqual({ keys: 2, isChanged: true })
  expect(read(1000)).toEqual({ keys: 3, isChanged: true })
  expect(read(null)).toEqual({ keys: 3, isChanged: false })
  await memory.keys.remember({ key: 'more', value: 'v' })
  expect(read(1000)).toEqual({ keys: 4, isChanged: false })
})

test('what a transaction hid or showed is done again when it was rolled back', async () => {
  const { db } = await openExpiring()
  const read = reading(db)
  expect(read(2000, 'ROLLBACK')).toEqual({ keys: 2, isChanged: true })
  expect(read(2000)).toEqual({ keys: 2, isChanged: true })
  expect(read(null, 'ROLLBACK')).toEqual({ keys: 3, isChanged: true })
  expect(read(null)).toEqual({ keys: 3, isChanged: true })
  expect(read(1000)).toEqual({ keys: 3, isChanged: false })
})

test('an answer that is kept while nothing is written is made again when other keys are hidden', async () => {
  const { db } = await openExpiring()
  const { hide, round } = expiredKeys(db)
  const count = db.prepare('SELECT count(DISTINCT document_id) FROM nodes WHERE removed_in IS NULL').pluck()
  const kept = whileUnchanged({ db, hidden: round }, () => count.get())
  const seen = [1000, 2000, 3000, 3000, 1000].map((now) => {
    hide(now)
    return kept(null)
  })
  expect(seen).toEqual([3, 2, 1, 1, 3])
})
