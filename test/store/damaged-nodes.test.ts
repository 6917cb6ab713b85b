import { readFileSync, writeFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { openMemory } from '../../src/runtime/memory/open-memory.ts'
import { filledDatabase, tamper } from '../support/store-database.ts'

/** What is not waited for at once can fail first: that must not end the process. */
test('a write to damaged nodes is told so, in whatever door', async () => {
  const file = await filledDatabase()
  await using before = await openMemory({ db: file })
  await before.memoryNode({ id: 'memory', scope: 'global' }).getMemoryService().append('/a', 'x')
  await before.close()
  damageIds(file)
  await using memory = await openMemory({ db: file })
  const files = memory.memoryNode({ id: 'memory', scope: 'global' }).getMemoryService()
  const writes = [
    () => memory.keys.remember({ key: 'new', value: 'fresh' }),
    () => files.append('/a', 'y'),
    () => files.append('/b/c', 'z'),
    () => memory.write({ payload: 'note' }),
  ]
  for (const write of writes) await expect(write()).rejects.toMatchObject({ code: 'CORRUPTED_DATA' })
})

/** The index by id is gone. */
function damageIds(file: string): void {
  let page = 0
  tamper(file, (db) => {
    db.pragma('wal_checkpoint(TRUNCATE)')
    const find = db.prepare<[], { rootpage: number }>(
      `SELECT rootpage FROM sqlite_schema WHERE name = 'sqlite_autoindex_nodes_1'`,
    )
    page = find.get()?.rootpage ?? 0
  })
  const bytes = readFileSync(file)
  writeFileSync(file, bytes.fill(0x7f, (page - 1) * 4096, page * 4096))
}
