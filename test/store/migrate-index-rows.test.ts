import { expect, test } from 'vitest'
import { openMemory } from '../../src/runtime/open-memory.ts'
import { openHandle } from '../../src/store/sqlite/driver.ts'
import { migrate } from '../../src/store/sqlite/migrate.ts'
import { migrations } from '../../src/store/sqlite/migrations/index.ts'
import { filledDatabase, tamper, withoutDoors } from '../support/store-database.ts'

const FOURTH = 4

/** The view as the fourth schema made it; the words in the index are the same. */
function toFourthSchema(file: string): void {
  const old = openHandle(':memory:')
  migrate(old, 0, migrations.slice(0, FOURTH))
  const view = old.prepare(`SELECT sql FROM sqlite_schema WHERE name = 'node_index_rows'`).pluck().get()
  old.close()
  tamper(file, (db) => {
    withoutDoors(db)
    db.exec(`DROP VIEW node_index_rows; ${view}`)
    db.pragma(`user_version = ${FOURTH}`)
  })
}

test('a memory of the fourth schema keeps its index: words are taken out as they were put in', async () => {
  const file = await filledDatabase()
  toFourthSchema(file)
  const memory = await openMemory({ db: file })
  const { hits } = await memory.search({ query: 'second note', warm: false })
  await memory.forget({ id: hits[0]?.id ?? '' })
  expect((await memory.doctor()).checks.filter(({ status }) => status !== 'pass')).toEqual([])
  await memory.close()
  tamper(file, (db) => db.exec(`INSERT INTO node_index (node_index, rank) VALUES ('integrity-check', 1)`))
})
