import { expect, test } from 'vitest'
import { openMemory } from '../../src/runtime/memory/open-memory.ts'
import { filledDatabase, tamper } from '../support/store-database.ts'

test.each([
  'DROP TABLE node_index',
  'DELETE FROM node_index_config',
  'DELETE FROM node_index_data WHERE id > 10',
  `UPDATE node_index_data SET block = x'7f7f7f7f7f'`,
])('a search in a damaged index says how to mend it, and then finds: %s', async (sql) => {
  const file = await filledDatabase()
  tamper(file, (db) => db.unsafeMode(true).exec(sql))
  await using memory = await openMemory({ db: file })
  const search = () => memory.search({ query: 'paragraph', warm: false })
  const error = await search().catch((thrown: unknown) => thrown)
  expect(error).toMatchObject({ code: 'CORRUPTED_DATA' })
  expect((error as Error).message).toMatch(/search index .* `remindb doctor --fix`/)
  await memory.heal()
  expect((await search()).hits.map(({ snippet }) => snippet)).toEqual(['First paragraph.'])
})
