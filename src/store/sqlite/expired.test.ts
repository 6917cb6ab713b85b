import { expect, test } from 'vitest'
import { filledDatabase } from '../../../test/support/store-database.ts'
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

test('asking whether a key has expired looks into the index of what expires, and nowhere else', async () => {
  const db = openReader(await filledDatabase())
  const lookup = expiredLookup(db)
  expect(lookup(Number.MAX_SAFE_INTEGER)).toBe(false)
  db.close()
})
