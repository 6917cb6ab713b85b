import { randomBytes } from 'node:crypto'
import Sqlite, { type Database } from 'better-sqlite3'
import { createFloors } from '../find/floors.ts'
import type { Plan } from './figures.ts'
import { fileOf } from './files.ts'
import { measure } from './measure.ts'

/**
 * The least that a process with many databases must do: two bare handles each, one that reads and one that writes, all in this thread;
 * the search of `bench/find/floors.ts`, and one text that is inserted and synced.
 */
interface Space {
  reader: Database
  writer: Database
  floors: ReturnType<typeof createFloors>
}

const INSERT = 'INSERT INTO texts (owner_id, digest, refs, body) VALUES (1, ?, 0, ?)'

const plan = JSON.parse(process.argv[2] ?? '') as Plan
const figures = await measure<Space>(plan, {
  open(space) {
    const file = fileOf(plan.folder, space)
    const reader = new Sqlite(file, { readonly: true })
    const writer = new Sqlite(file)
    writer.pragma('synchronous = full')
    return { reader, writer, floors: createFloors(reader) }
  },
  search: ({ floors }, query) => floors.search(query.split(' ')),
  write: ({ writer }, note) => writer.prepare(INSERT).run(randomBytes(16), note),
  watch: () => () => undefined,
  close({ reader, writer }) {
    reader.close()
    writer.close()
  },
})
process.stdout.write(JSON.stringify(figures))
