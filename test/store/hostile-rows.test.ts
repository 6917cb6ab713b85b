import { expect, test } from 'vitest'
import { openMemory } from '../../src/runtime/memory/open-memory.ts'
import { filledDatabase, tamper } from '../support/store-database.ts'

const COLUMNS = [
  'texts.body',
  'nodes.label',
  'nodes.tokens',
  'nodes.mark',
  'spaces.state_digest',
  'counters.name',
]
const VALUES = [Buffer.from([0xff, 0, 1]), 'x', 9223372036854775807n, 1e308, 'y'.repeat(1_000_000)]

test.each(COLUMNS)(
  '%s of any type and size: every call answers or fails, and the next one is served',
  async (column) => {
    const [table, name] = column.split('.')
    for (const value of VALUES) {
      const file = await filledDatabase()
      tamper(file, (db) => db.prepare(`UPDATE OR IGNORE ${table} SET ${name} = ?`).run(value))
      await using memory = await openMemory({ db: file })
      await Promise.allSettled([
        memory.search({ query: 'note', warm: false }),
        memory.tree({ warm: false }),
        memory.forest(),
        memory.overview(),
        memory.write({ payload: 'A new note.' }),
      ])
      // None of them took the memory down with it.
      expect((await memory.doctor()).status).toBe('fail')
    }
  },
)

test('a document whose address cannot be read is refused by export, and stops no check of its row', async () => {
  const file = await filledDatabase()
  tamper(file, (db) => db.exec(`UPDATE documents SET kind = 'file', collection = '{' WHERE id = 1`))
  await using memory = await openMemory({ db: file })
  await expect(memory.export(() => undefined)).rejects.toMatchObject({ code: 'CORRUPTED_DATA' })
  const { checks } = await memory.doctor()
  const stopped = checks.filter(({ detail }) => detail.startsWith('cannot be checked'))
  expect(stopped.map(({ name }) => name)).toEqual(['links'])
})
