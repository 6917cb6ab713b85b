import Sqlite from 'better-sqlite3'
import { expect, onTestFinished, test } from 'vitest'
import { type Memory, openMemory } from '../../src/runtime/open-memory.ts'
import { filledDatabase, tamper, withoutDoorCounts, withoutDoors } from '../support/store-database.ts'

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

test('a memory of the sixth schema knows how many records it has, and how often each was asked for', async () => {
  const file = await filledDatabase()
  const before = await (async () => {
    await using memory = await openMemory({ db: file })
    await memory.records.store({ type: 'core', content: 'One.', tags: ['t'] })
    const { id } = await memory.records.store({ type: 'learning', content: 'Two.', tags: ['t', 'u'] })
    await memory.records.update({ id })
    await memory.keys.remember({ key: 'k', value: 'A value.', tags: ['t'] })
    return await told(memory)
  })()
  tamper(file, (db) => {
    withoutDoorCounts(db)
    db.pragma('user_version = 6')
  })
  await using memory = await openMemory({ db: file })
  expect(await told(memory)).toEqual(before)
  expect(before.stats.most_accessed).toMatchObject({ content: 'Two.', access_count: 1 })
  expect((await memory.doctor()).checks.filter(({ status }) => status !== 'pass')).toEqual([])
})

test('a migration copies the database first, and names the copy', async () => {
  const file = await filledDatabase()
  tamper(file, (db) => {
    withoutDoorCounts(db)
    db.pragma('user_version = 6')
  })
  const backups: string[] = []
  const open = () => openMemory({ db: file, onMigration: (backup) => backups.push(backup) })
  await (await open()).close()
  expect(backups).toEqual([expect.stringMatching(/memory\.db\.bak\.\d{4}-\d\d-\d\dT[\d-]+\.\d{3}Z$/)])
  const copy = new Sqlite(backups[0] ?? '', { readonly: true })
  onTestFinished(() => void copy.close())
  expect(copy.pragma('user_version', { simple: true })).toBe(6)
  expect(copy.prepare('SELECT count(*) AS count FROM nodes').get()).not.toEqual({ count: 0 })
  await (await open()).close()
  expect(backups).toHaveLength(1)
})

async function told({ records, keys }: Memory) {
  return { stats: await records.stats(), used: await keys.used(), tags: await keys.listTags() }
}
