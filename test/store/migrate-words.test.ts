import { join } from 'node:path'
import type { Database } from 'better-sqlite3'
import { expect, test } from 'vitest'
import { openMemory } from '../../src/runtime/open-memory.ts'
import { openHandle } from '../../src/store/sqlite/driver.ts'
import { migrate } from '../../src/store/sqlite/migrate.ts'
import { migrations } from '../../src/store/sqlite/migrations/index.ts'
import { tamper, withoutDoors } from '../support/store-database.ts'
import { temporaryFolder } from '../support/store-files.ts'

const SECOND = 2

/** The index as the second schema made it. */
function toSecondSchema(db: Database): void {
  const old = openHandle(':memory:')
  migrate(old, 0, migrations.slice(0, SECOND))
  const definitions = old
    .prepare(
      `SELECT sql FROM sqlite_schema WHERE name IN ('node_index_rows', 'node_index') ORDER BY type DESC`,
    )
    .pluck()
    .all()
  old.close()
  withoutDoors(db)
  db.exec(`DROP TABLE node_index; DROP VIEW node_index_rows; ${definitions.join(';')};
    INSERT INTO node_index (node_index) VALUES ('rebuild');
    ALTER TABLE leases DROP COLUMN detail`)
  db.pragma(`user_version = ${SECOND}`)
}

function count(db: Database, match: string): unknown {
  return db.prepare('SELECT count(*) FROM node_index WHERE node_index MATCH ?').pluck().get(match)
}

test('a memory of the second schema gets its words anew: what its index did not know is found', async () => {
  const file = join(temporaryFolder(), 'memory.db')
  const made = await openMemory({ db: file })
  const { id } = await made.write({ payload: '---\ntags: [Trip]\n---\n# 旅行\n\n私は東京都に住んでいます。' })
  await made.write({ payload: 'Written in C++ at the Café.' })
  const gone = await made.write({ payload: '東京 is gone.' })
  await made.forget({ id: gone.id })
  await made.close()
  tamper(file, (db) => {
    toSecondSchema(db)
    expect(count(db, '"written"')).toBe(1)
    expect(count(db, '"東京"')).toBe(0)
  })

  await using memory = await openMemory({ db: file })
  const found = async (query: string) =>
    (await memory.search({ query, warm: false })).hits.map(({ snippet }) => snippet)
  expect(await found('東京')).toEqual(['私は東京都に住んでいます。'])
  expect(await found('c++ cafe')).toEqual(['Written in C++ at the Café.'])
  expect(await found('tag:trip 東京')).toEqual(['私は東京都に住んでいます。'])
  expect((await memory.doctor()).checks.filter(({ status }) => status !== 'pass')).toEqual([])

  await memory.forget({ id, mode: 'cascade' })
  await memory.write({ payload: '京都へ行く。' })
  expect(await found('京都')).toContain('京都へ行く。')
  expect((await memory.doctor()).checks.filter(({ status }) => status !== 'pass')).toEqual([])
})
