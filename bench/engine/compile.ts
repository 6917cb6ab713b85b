/** Child of `bench/engine.ts`: compiles a folder in a process of its own, so that its memory can be told. */
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { openMemory } from '../../src/index.ts'
import { median, timed } from './timing.ts'

const [folder = '', db = ''] = process.argv.slice(2)
const WRITES = 41

const first = await openMemory({ db, settings: { author: 'bench' } })
const compileMs = await timed(() => first.compile(folder))
const peakBytes = process.resourceUsage().maxRSS * 1024
await first.close()
const databaseBytes = statSync(db).size

const memory = await openMemory({ db, settings: { author: 'bench' } })
const noChangeMs = await timed(() => memory.compile(folder))
const oneFileMs = await timed(() => {
  const file = firstFile(folder)
  writeFileSync(file, `${readFileSync(file, 'utf8')}\n\nOne more paragraph.\n`)
  return memory.compile(folder)
})
const writesMs: number[] = []
for (let at = 0; at < WRITES; at++) {
  writesMs.push(await timed(() => memory.write({ payload: `A thing to remember, number ${at}` })))
}
const before = (await memory.snapshots({ limit: 1 }))[0]?.id ?? 0
for (let at = 0; at < 20; at++) await memory.write({ payload: `To be taken back, number ${at}` })
const rollbackMs = await timed(() => memory.rollback({ snapshotId: before }))
const beforeEdit = (await memory.snapshots({ limit: 1 }))[0]?.id ?? 0
const edited = editTenth(folder)
const editMs = await timed(() => memory.compile(folder))
const undoMs = await timed(() => memory.rollback({ snapshotId: beforeEdit }))
const overviewMs = await timed(() => memory.overview())
await memory.close()

process.stdout.write(
  JSON.stringify({
    compileMs,
    noChangeMs,
    oneFileMs,
    writeMs: median(writesMs),
    rollbackMs,
    editMs,
    undoMs,
    edited,
    overviewMs,
    peakBytes,
    databaseBytes,
  }),
)

/** Changes every line of prose in each tenth file. Returns how many lines that were. */
function editTenth(path: string): number {
  const files = readdirSync(path, { recursive: true, encoding: 'utf8' }).filter((name) =>
    name.endsWith('.md'),
  )
  let count = 0
  for (const name of files.sort().filter((_, at) => at % 10 === 5)) {
    const file = join(path, name)
    const text = readFileSync(file, 'utf8').replaceAll(/^[a-z].*\.$/gm, (line) => {
      count++
      return `${line} And more.`
    })
    writeFileSync(file, text)
  }
  return count
}

function firstFile(path: string): string {
  const [entry] = readdirSync(path, { withFileTypes: true }).filter(({ name }) => !name.startsWith('.'))
  if (!entry) throw new Error('the corpus is empty')
  const inner = join(path, entry.name)
  return entry.isDirectory() ? firstFile(inner) : inner
}
