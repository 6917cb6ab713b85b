import { expect, test } from 'vitest'
import { openMemory } from '../../src/runtime/open-memory.ts'
import { filledDatabase, tamper, withoutDoors } from '../support/store-database.ts'

test('a memory of the fifth schema keeps all it has, and its doors are open', async () => {
  const file = await filledDatabase()
  tamper(file, (db) => {
    withoutDoors(db)
    db.pragma('user_version = 5')
  })
  await using memory = await openMemory({ db: file })
  expect((await memory.doctor()).checks.filter(({ status }) => status !== 'pass')).toEqual([])
  const before = (await memory.overview()).nodes.total
  expect(before).toBeGreaterThan(0)
  await memory.keys.remember({ key: 'k', value: 'A value.', tags: ['t'] })
  expect(await memory.keys.recall('k')).toMatchObject({ text: 'A value.' })
  expect((await memory.overview()).nodes.total).toBe(before + 2)
  expect((await memory.doctor()).checks.filter(({ status }) => status !== 'pass')).toEqual([])
})
