/**
 * How fast a server starts and answers, beside the least that could: an echo in the same Node, and a tool that does nothing
 * over the same stack plus the operation in this process; over stdio and over HTTP, alone and under load.
 * `npm run bench -- serve [--size 100k] [--only start,calls,http,writers,searches,notes,memory,large,waits,compile,subscribers,idle]
 * [--against <checkout>]`: a table on stderr, JSON on stdout. `--against`: starts, processor time, memory and long writes of another checkout, which
 * must be built, beside ours.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { openMemory } from '../src/index.ts'
import { nodesOf, writeCorpus } from './engine/corpus.ts'
import { verdictLines } from './engine/table.ts'
import { measureCalls } from './serve/calls.ts'
import { measureDuringCompile } from './serve/during-compile.ts'
import { figureLines, judge, type ServeFigures } from './serve/figures.ts'
import { measureHttp } from './serve/http.ts'
import { measureIdleConnections } from './serve/idle-connections.ts'
import { measureLargeWrites } from './serve/large-writes.ts'
import { measureMemory } from './serve/memory.ts'
import { measureNotes } from './serve/notes.ts'
import { measureSearches } from './serve/searches.ts'
import { measureStarts } from './serve/starts.ts'
import { measureSubscribers } from './serve/subscribers.ts'
import { measureWaits } from './serve/waits.ts'
import { measureWriters } from './serve/writers.ts'

const PARTS = {
  start: async (notes: string) => ({ starts: await measureStarts(notes, values.against) }),
  calls: async (notes: string) => ({ calls: await measureCalls(notes) }),
  http: async (notes: string) => ({ http: await measureHttp(notes) }),
  searches: async (notes: string) => ({ searches: await measureSearches(notes) }),
  writers: async () => ({ writers: await measureWriters(work) }),
  large: async () => ({ largeWrites: await measureLargeWrites(work, values.against) }),
  subscribers: async () => ({ subscribers: await measureSubscribers(work) }),
  idle: async () => ({ idle: await measureIdleConnections(work) }),
  notes: async () => ({ notes: await measureNotes(work, against) }),
  memory: async (notes: string) => ({ memory: await measureMemory(notes, against) }),
  waits: async () => ({ waits: await measureWaits(nodesOf(values.size)) }),
  // Last: it changes the memory.
  compile: async (notes: string) => ({ duringCompile: await measureDuringCompile(notes) }),
}

const { values } = parseArgs({
  options: {
    size: { type: 'string', default: '100k' },
    only: { type: 'string' },
    against: { type: 'string' },
  },
})
const against = values.against === undefined ? undefined : resolve(values.against)
const wanted = values.only?.split(',')
const unknown = wanted?.find((name) => !Object.hasOwn(PARTS, name))
if (unknown !== undefined)
  throw new Error(`--only has no part "${unknown}"; there are ${Object.keys(PARTS).join(', ')}`)
const work = mkdtempSync(join(tmpdir(), 'remindb-bench-'))
try {
  const notes = join(work, 'notes')
  process.stderr.write(`${values.size}: writing and compiling notes…\n`)
  writeCorpus(notes, nodesOf(values.size))
  await compile(notes)
  const figures: ServeFigures = {}
  for (const [name, measure] of Object.entries(PARTS)) {
    if (wanted && !wanted.includes(name)) continue
    process.stderr.write(`${name}…\n`)
    Object.assign(figures, await measure(notes))
  }
  const verdicts = judge(figures)
  process.stderr.write(`${[...figureLines(figures), ...verdictLines(verdicts)].join('\n')}\n`)
  process.stdout.write(`${JSON.stringify({ size: values.size, ...figures, verdicts }, null, 2)}\n`)
} finally {
  rmSync(work, { recursive: true, force: true })
}

async function compile(notes: string): Promise<void> {
  await using memory = await openMemory({ db: notes, settings: { author: 'bench' } })
  await memory.compile(notes)
}
