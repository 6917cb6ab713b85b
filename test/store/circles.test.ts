import { join } from 'node:path'
import { expect, test } from 'vitest'
import { openMemory } from '../../src/runtime/open-memory.ts'
import { tamper } from '../support/store-database.ts'
import { temporaryFolder } from '../support/store-files.ts'

test('a damaged memory whose nodes stand below themselves can still be searched', async () => {
  const file = join(temporaryFolder(), 'memory.db')
  const made = await openMemory({ db: file })
  await made.write({ payload: '# One\n\n## Two\n\n### Three\n\nThe word is zebra.' })
  await made.close()
  tamper(file, (db) => {
    const key = (label: string) => db.prepare('SELECT key FROM nodes WHERE label = ?').pluck().get(label)
    db.prepare('UPDATE nodes SET parent_key = ? WHERE key = ?').run(key('Three'), key('One'))
  })
  await using memory = await openMemory({ db: file })
  const { hits } = await memory.search({ query: 'zebra', warm: false })
  expect(hits.map(({ headingPath }) => headingPath)).toEqual([['One', 'Two', 'Three']])
})
