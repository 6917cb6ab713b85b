/**
 * How the engine does beside the least that must be done, at growing sizes. `npm run bench -- engine [--sizes 10k,100k]
 * [--runs 3]`: a table on stderr, JSON on stdout. Ratios count, not seconds: machines differ and are noisy.
 */
import { copyFileSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { child } from './engine/child.ts'
import { nodesOf, writeCorpus } from './engine/corpus.ts'
import {
  type Compiled,
  type Floor,
  type FormatRow,
  figureLines,
  judge,
  type Row,
  type Run,
  type Warm,
} from './engine/figures.ts'
import { median } from './engine/timing.ts'

const { values } = parseArgs({
  options: {
    sizes: { type: 'string', default: '10k,100k,1M' },
    runs: { type: 'string', default: '3' },
    'large-runs': { type: 'string', default: '1' },
  },
})

const rows = values.sizes.split(',').map((size) => measure(size, nodesOf(size)))
process.stderr.write('formats…\n')
const formats = child<FormatRow[]>(script('formats'), [])
const verdicts = judge(rows)
process.stderr.write(`${figureLines(rows, formats, verdicts).join('\n')}\n`)
process.stdout.write(`${JSON.stringify({ rows, formats, verdicts }, null, 2)}\n`)

function measure(size: string, nodes: number): Row {
  const folder = mkdtempSync(join(tmpdir(), 'remindb-bench-'))
  try {
    const notes = join(folder, 'notes')
    process.stderr.write(`${size}: writing notes…\n`)
    const corpus = writeCorpus(notes, nodes)
    const runs = Number(nodes >= 1_000_000 ? values['large-runs'] : values.runs)
    const measured = Array.from({ length: runs }, (_, at) => runOnce(size, folder, notes, at))
    return { corpus, ...middle(measured) }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

function runOnce(size: string, folder: string, notes: string, at: number): Run {
  process.stderr.write(`${size}: run ${at + 1}…\n`)
  const db = join(folder, `memory-${at}.db`)
  const compiled = child<Compiled>(script('compile'), [notes, db])
  const rows = join(folder, 'rows.db')
  copyFileSync(db, rows)
  const floor = child<Floor>(script('floor'), [notes, rows, join(folder, `floor-${at}.db`)])
  const warm = child<Warm>(script('warm'), [db])
  for (const file of [db, rows, join(folder, `floor-${at}.db`)]) rmSync(file, { force: true })
  return { ...compiled, ...floor, ...warm, ratio: compiled.compileMs / (floor.parseMs + floor.insertMs) }
}

function script(name: string): string {
  return join(import.meta.dirname, 'engine', `${name}.ts`)
}

/** The median of each figure by itself. */
function middle(runs: Run[]): Run {
  const names = Object.keys(runs[0] as Run) as (keyof Run)[]
  return Object.fromEntries(
    names.map((name) => [name, median(runs.map((run) => run[name]))]),
  ) as unknown as Run
}
