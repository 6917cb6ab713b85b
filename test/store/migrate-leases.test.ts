import { expect, test } from 'vitest'
import { openMemory } from '../../src/runtime/open-memory.ts'
import {
  filledDatabase,
  openEngine,
  tamper,
  withIndexRowsOf,
  withoutDoors,
} from '../support/store-database.ts'

test('a lease of the third schema stays with its holder, who has told nothing yet', async () => {
  const file = await filledDatabase()
  tamper(file, (db) => {
    withoutDoors(db)
    withIndexRowsOf(db, 3)
    db.exec(`ALTER TABLE leases DROP COLUMN detail;
      INSERT INTO leases (space_id, name, holder, expires_at) VALUES (1, 'tick', 'somebody', 2000)`)
    db.pragma('user_version = 3')
  })
  const memory = await openMemory({ db: file })
  expect((await memory.doctor()).status).toBe('pass')
  await memory.close()
  const engine = await openEngine(file)
  const found = await engine.store.read((tx) => tx.findLease('tick', 1000))
  expect(found).toEqual({ holder: 'somebody', detail: null, expiresAt: 2000 })
  await engine.close()
})
