/** Child of `bench/find.ts`: asks one memory, in a process of its own. */
import { loadavg } from 'node:os'
import { percentile } from '../../eval/metrics.ts'
import { openMemory } from '../../src/index.ts'
import { openReader } from '../../src/store/sqlite/open.ts'
import { createRandom } from '../engine/corpus.ts'
import { timed } from '../engine/timing.ts'
import { type Case, createCases } from './cases.ts'
import type { Measured } from './figures.ts'
import { createFloors } from './floors.ts'
import { pickWords } from './words.ts'

/** A case is asked until this is over, but at least so often. */
const PASS_MS = 4000
const MIN_RUNS = 11

const [file = ''] = process.argv.slice(2)
await using memory = await openMemory({ db: file, settings: { author: 'bench' } })
const db = openReader(file)
const random = createRandom(4)
const vocabulary = pickWords(db, random)
const measured: Measured[] = []
for (const one of createCases({ memory, db, floors: createFloors(db), vocabulary, random }))
  measured.push(await measure(one))
const count = (sql: string): number => db.prepare(sql).pluck().get() as number
const about = {
  load: loadavg()[0] ?? 0,
  nodes: count('SELECT count(*) FROM nodes WHERE removed_in IS NULL'),
  links: count('SELECT count(*) FROM links WHERE target_key IS NOT NULL'),
}
db.close()
process.stdout.write(JSON.stringify({ ...about, measured }))

/** The first pass warms: what is then measured has been asked once before, of both, and is in memory. */
async function measure({ name, inputs, ours, floor }: Case): Promise<Measured> {
  const deadline = performance.now() + PASS_MS
  const found: number[] = []
  for (const input of inputs) {
    if (found.length >= MIN_RUNS && performance.now() > deadline) break
    floor(input)
    found.push(await ours(input))
  }
  const oursMs: number[] = []
  const floorMs: number[] = []
  const both = [
    { times: oursMs, ask: ours },
    { times: floorMs, ask: floor },
  ]
  for (const [at, input] of inputs.slice(0, found.length).entries()) {
    // Side by side, so that a slow moment of the machine meets both; in turns, so that neither finds its rows at hand.
    for (const { times, ask } of at % 2 === 0 ? both : both.toReversed())
      times.push(await timed(() => ask(input)))
  }
  return { name, runs: found.length, found: percentile(found, 0.5), ...percentiles(oursMs, floorMs) }
}

function percentiles(oursMs: number[], floorMs: number[]) {
  return {
    p50Ms: percentile(oursMs, 0.5),
    p99Ms: percentile(oursMs, 0.99),
    floorP50Ms: percentile(floorMs, 0.5),
    floorP99Ms: percentile(floorMs, 0.99),
  }
}
