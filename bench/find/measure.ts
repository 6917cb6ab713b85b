/** Child of `bench/find.ts`: asks one memory, in a process of its own. */
import { loadavg } from 'node:os'
import { openMemory } from '../../src/index.ts'
import { openReader } from '../../src/store/sqlite/database/open.ts'
import { createRandom } from '../engine/corpus.ts'
import { type Measured, sideBySide } from '../engine/side-by-side.ts'
import { processorClock } from '../engine/timing.ts'
import { createCases, queriesOf } from './cases.ts'
import { createFloors } from './floors.ts'
import { compareLimits } from './limits.ts'
import { pickWords } from './words.ts'

const [file = '', counted = ''] = process.argv.slice(2)
await using memory = await openMemory({ db: file, settings: { author: 'bench' } })
const db = openReader(file)
const random = createRandom(4)
const vocabulary = pickWords(db, random)
const measured: Measured[] = []
const parts = { memory, db, floors: createFloors(db), vocabulary, random }
const clock = counted === 'cpu' ? processorClock : undefined
for (const one of createCases(parts)) measured.push(await sideBySide(one, { clock }))
const limits = await compareLimits(memory, queriesOf(parts))
const count = (sql: string): number => db.prepare(sql).pluck().get() as number
const about = {
  load: loadavg()[0] ?? 0,
  nodes: count('SELECT count(*) FROM nodes WHERE removed_in IS NULL'),
  links: count('SELECT count(*) FROM links WHERE target_key IS NOT NULL'),
}
db.close()
process.stdout.write(JSON.stringify({ ...about, measured, limits }))
