import { expect, test } from 'vitest'
import { openMemory } from '../../src/runtime/open-memory.ts'
import { filledDatabase, tamper, withIndexRowsOf, withoutDoors } from '../support/store-database.ts'

const FOURTH = 4

/** The view as the fourth schema made it; the words in the index are the same. */
function toFourthSchema(file: string): void {
  tamper(file, (db) => {
    withoutDoors(db)
    withIndexRowsOf(db, FOURTH)
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
