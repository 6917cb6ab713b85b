/** Child of `bench/doors.ts`: asks one memory, in a process of its own. */
import { loadavg } from 'node:os'
import { openMemory } from '../../src/index.ts'
import { findResource } from '../../src/mcp/resources/list.ts'
import { openReader } from '../../src/store/sqlite/database/open.ts'
import { createRandom } from '../engine/corpus.ts'
import { type Case, type Measured, sideBySide } from '../engine/side-by-side.ts'
import { DOORS, FILES, filePath, keyName, TAGS, textOf } from './corpus.ts'
import { createFloors } from './floors.ts'

const INPUTS = 1500
const CORE_URI = 'memory://core'
/** None of the default limits is in the way of a memory of this size. */
const SETTINGS = { 'records.max_core': 1_000_000, 'records.max_learnings': 1_000_000, author: 'bench' }

export interface Asked {
  documents: number
  load: number
  measured: Measured[]
}

const [file = ''] = process.argv.slice(2)
const db = openReader(file)
const documents = db.prepare('SELECT count(*) FROM documents').pluck().get() as number
db.close()
await using memory = await openMemory({ db: file, settings: SETTINGS })
const files = memory.memoryNode({ id: FILES.node, scope: FILES.scope }).getMemoryService()
const floors = createFloors(file)
const random = createRandom(7)

const some = (door: (typeof DOORS)[number]): number[] =>
  Array.from({ length: INPUTS }, () => {
    const at = Math.floor((random() * documents) / DOORS.length) * DOORS.length + DOORS.indexOf(door)
    return Math.min(at, documents - 1 - ((documents - 1 - DOORS.indexOf(door)) % DOORS.length))
  })

const core = await readCore()
const parsed = JSON.parse(core)
const cases = [
  {
    name: 'recall',
    inputs: some('key').map(keyName),
    ours: async (key: string) => ((await memory.keys.recall(key)) as { text?: string }).text?.length ?? 0,
    floor: (key: string) => floors.recall(key),
  },
  {
    name: 'memory read',
    inputs: some('file').map(filePath),
    ours: async (path: string) => (await files.read(path)).length,
    floor: (path: string) => floors.read(path),
  },
  {
    name: 'query_memories with a tag',
    inputs: Array.from({ length: INPUTS }, () => `tag ${Math.floor(random() * TAGS)}`),
    ours: async (tag: string) => (await memory.records.query({ tags: [tag] })).total,
    floor: (tag: string) => floors.query(tag),
    // An agent thinks between two calls: that this one was accessed is stored meanwhile.
    before: async () => {
      await memory.observer.recordStamp('recent')
      floors.catchUp()
    },
  },
  {
    name: 'query_memories, one right after the other',
    inputs: Array.from({ length: INPUTS }, () => `tag ${Math.floor(random() * TAGS)}`),
    ours: async (tag: string) => (await memory.records.query({ tags: [tag] })).total,
    floor: (tag: string) => floors.queryAndCount(tag),
  },
  {
    name: 'remember a new value',
    inputs: some('key').map((at, place) => ({ key: keyName(at), value: textOf(documents + place) })),
    ours: async ({ key, value }: { key: string; value: string }) => {
      // Each is asked twice, and a value that is there already is not stored again.
      const fresh = `${value} ${random()}`
      await memory.keys.remember({ key, value: fresh })
      return 1
    },
    floor: ({ key, value }: { key: string; value: string }) => floors.remember(key, `${value} ${random()}`),
  },
  {
    name: `${CORE_URI}, ${parsed.count} items`,
    inputs: Array.from({ length: 100 }, () => CORE_URI),
    ours: async () => (await readCore()).length,
    floor: () => JSON.stringify(parsed),
  },
] as unknown as Case[]

const measured: Measured[] = []
for (const one of cases) measured.push(await sideBySide(one))
floors.close()
const asked: Asked = { documents, load: loadavg()[0] ?? 0, measured }
process.stdout.write(JSON.stringify(asked))

async function readCore(): Promise<string> {
  const found = findResource(CORE_URI)
  return (await found?.resource.read(memory.observer as never, found.variables)) as string
}
