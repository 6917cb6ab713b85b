import { join } from 'node:path'
import { expect, test } from 'vitest'
import { openWorkspace } from '../support/engine.ts'
import { tamper } from '../support/store-database.ts'

test('in a memory of the eighth schema a tag finds what is tagged below it', async () => {
  await using at = await openWorkspace({ 'note.md': 'Call them. #todo/urgent\n' })
  await at.memory.close()
  tamper(join(at.folder, '.remindb', 'memory.db'), (db) => {
    db.exec(`INSERT INTO node_index (node_index) VALUES ('delete-all')`)
    db.pragma('user_version = 8')
  })
  const memory = await at.reopen()
  expect((await memory.search({ query: 'tag:todo' })).hits).toHaveLength(1)
  expect((await memory.doctor()).checks.filter(({ status }) => status !== 'pass')).toEqual([])
})
