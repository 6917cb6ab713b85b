/**
 * What it costs to read the past, beside the same reads of the present, by how many nodes have changed since: at 0.1 %, 1 % and 10 %.
 * `npm run bench -- past [--size 100k] [--shares 0.001,0.01,0.1]`: a table on stderr, JSON on stdout. The floor is the present, in turns.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { type Memory, openMemory } from '../src/index.ts'
import { openReader } from '../src/store/sqlite/database/open.ts'
import { createRandom, nodesOf, type Random, writeCorpus } from './engine/corpus.ts'
import { median, processorClock, timed } from './engine/timing.ts'
import { pickWords } from './find/words.ts'

const { values } = parseArgs({
  options: {
    size: { type: 'string', default: '100k' },
    shares: { type: 'string', default: '0.001,0.01,0.1' },
  },
})

/** How often each read is timed, of the past and of the present in turns. */
const ROUNDS = 60

type Read = (asOf?: number) => Promise<unknown>

interface Figure {
  read: string
  presentMs: number
  pastMs: number
  ratio: number
}

const work = mkdtempSync(join(tmpdir(), 'remindb-bench-'))
try {
  const shares = values.shares.split(',').map(Number)
  const found = await measure(values.size, shares)
  for (const { changed, firstMs, figures } of found) {
    process.stderr.write(`\n${changed} nodes changed since; the first read of the past: ${firstMs} ms\n`)
    for (const { read, presentMs, pastMs, ratio } of figures)
      process.stderr.write(`  ${read.padEnd(24)} ${presentMs} ms now, ${pastMs} ms then: ${ratio} x\n`)
  }
  process.stdout.write(`${JSON.stringify({ size: values.size, load: loadavg()[0], found }, null, 2)}\n`)
} finally {
  rmSync(work, { recursive: true, force: true })
}

async function measure(size: string, shares: readonly number[]) {
  const notes = join(work, 'notes')
  writeCorpus(notes, nodesOf(size))
  const db = join(work, 'memory.db')
  await using memory = await openMemory({ db, settings: { author: 'bench' }, rememberRoots: false })
  await memory.compile(notes)
  const [compiled] = await memory.snapshots({ limit: 1 })
  const asOf = compiled?.id ?? 1
  const random = createRandom(7)
  const ids = nodeIds(db)
  const reads = readsOf(memory, db, random, ids)
  const found = []
  let changed = 0
  for (const share of shares) {
    for (; changed < share * ids.length; changed++) await edit(memory, ids, changed)
    const firstMs = await timeOf(() => memory.search({ query: 'note', warm: false, asOf }))
    const figures: Figure[] = []
    for (const [read, make] of Object.entries(reads)) figures.push(await compare(read, make, asOf))
    found.push({ share, changed, firstMs, figures })
  }
  return found
}

/** Spread over the whole memory. */
async function edit(memory: Memory, ids: readonly string[], at: number): Promise<void> {
  const anchor = ids[(at * 7919) % ids.length] as string
  await memory.write({ anchor, payload: `Changed paragraph ${at} of the note.` }).catch(() => undefined)
}

function nodeIds(db: string): string[] {
  const reader = openReader(db)
  try {
    return reader.prepare<[], string>(`SELECT id FROM nodes WHERE type = 'text'`).pluck().all()
  } finally {
    reader.close()
  }
}

/** Each makes a read with new input, so that nothing is answered from a cache of answers. */
function readsOf(
  memory: Memory,
  db: string,
  random: Random,
  ids: readonly string[],
): Record<string, () => Read> {
  const reader = openReader(db)
  const { rare, middling, frequent } = pickWords(reader, random)
  reader.close()
  const one = (words: readonly string[]): string => words[Math.floor(random() * words.length)] ?? 'note'
  const search = (draw: () => string) => (): Read => {
    const query = draw()
    return (asOf) => memory.search({ query, warm: false, ...(asOf === undefined ? {} : { asOf }) })
  }
  return {
    'search, a rare word': search(() => one(rare)),
    'search, three middling': search(() => [one(middling), one(middling), one(middling)].join(' ')),
    'search, a question': search(() => [one(rare), one(middling), one(frequent), one(frequent)].join(' ')),
    'fetch a node': () => {
      const anchor = one(ids)
      return (asOf) => memory.fetch({ anchor, warm: false, ...(asOf === undefined ? {} : { asOf }) })
    },
    'tree, a page': () => (asOf) =>
      memory.tree({ depth: 3, limit: 200, warm: false, ...(asOf === undefined ? {} : { asOf }) }),
  }
}

async function compare(read: string, make: () => Read, asOf: number): Promise<Figure> {
  const now: number[] = []
  const then: number[] = []
  for (let round = 0; round < ROUNDS; round++) {
    const ask = make()
    now.push(await timeOf(() => ask()))
    then.push(await timeOf(() => ask(asOf)))
  }
  const [presentMs, pastMs] = [median(now), median(then)]
  return { read, presentMs, pastMs, ratio: rounded(pastMs / presentMs) }
}

/** Processor time: other programs on the machine count less. */
async function timeOf(work: () => unknown): Promise<number> {
  return rounded(await timed(work, processorClock))
}

function rounded(value: number): number {
  return Math.round(value * 100) / 100
}
