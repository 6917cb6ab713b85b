import { join } from 'node:path'
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

test('a key has expired once its time has come, and no more when it is removed', async () => {
  const file = join(temporaryFolder(), 'memory.db')
  await using memory = await openMemory({ db: file, now: () => 1000 })
  await memory.keys.remember({ key: 'lasts', value: 'v' })
  await memory.keys.remember({ key: 'ends', value: 'v', ttlSeconds: 1 })
  const db = openReader(file)
  onTestFinished(() => void db.close())
  const hasExpired = expiredLookup(db)
  expect([1999, 2000, 9000].map(hasExpired)).toEqual([false, true, true])
  await memory.keys.forget('ends')
  expect(hasExpired(9000)).toBe(false)
})
