/**
 * How the engine does beside the least that must be done, at growing sizes. `npm run bench -- engine [--sizes 10k,100k]
 * [--runs 3]`: a table on stderr, JSON on stdout. Ratios count, not seconds: machines differ and are noisy.
 */
import { spawnSync } from 'node:child_process'
import { copyFileSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { type Corpus, writeCorpus } from './engine/corpus.ts'

interface Compiled {
  compileMs: number
  noChangeMs: number
  oneFileMs: number
  writeMs: number
  rollbackMs: number
  /** A compile after every tenth file was edited, and the way back. */
  editMs: number
  undoMs: number
  /** Nodes that were. */
  edited: number
  overviewMs: number
  peakBytes: number
  databaseBytes: number
}
interface Floor {
  parseMs: number
  insertMs: number
}
interface Run extends Compiled, Floor {
  ratio: number
}
interface Row extends Run {
  corpus: Corpus
}
interface Verdict {
  target: string
  measured: string
  holds: boolean
}

const { values } = parseArgs({
  options: {
    sizes: { type: 'string', default: '10k,100k,1M' },
    runs: { type: 'string', default: '3' },
    'large-runs': { type: 'string', default: '1' },
  },
})

const rows = values.sizes.split(',').map((size) => measure(size, toCount(size)))
const verdicts = judge(rows)
printTable(rows, verdicts)
process.stdout.write(`${JSON.stringify({ rows, verdicts }, null, 2)}\n`)

function toCount(size: string): number {
  const [, digits, unit = ''] = /^(\d+)([kM]?)$/.exec(size.trim()) ?? []
  if (!digits) throw new Error(`--sizes takes numbers such as 10k,100k,1M; got ${size}`)
  return Number(digits) * ({ '': 1, k: 1000, M: 1_000_000 }[unit] ?? 1)
}

function measure(size: string, nodes: number): Row {
  const folder = mkdtempSync(join(tmpdir(), 'remindb-bench-'))
  try {
    const notes = join(folder, 'notes')
    process.stderr.write(`${size}: writing notes…\n`)
    const corpus = writeCorpus(notes, nodes)
    // Notes are rarely compiled in the moment they are written, and then they are read once more.
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 2500)
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
  const compiled = child<Compiled>('engine/compile.ts', [notes, db])
  const rows = join(folder, 'rows.db')
  copyFileSync(db, rows)
  const floor = child<Floor>('engine/floor.ts', [notes, rows, join(folder, `floor-${at}.db`)])
  for (const file of [db, rows, join(folder, `floor-${at}.db`)]) rmSync(file, { force: true })
  return { ...compiled, ...floor, ratio: compiled.compileMs / (floor.parseMs + floor.insertMs) }
}

function child<T>(script: string, args: string[]): T {
  const { stdout, stderr, status } = spawnSync(
    process.execPath,
    [join(import.meta.dirname, script), ...args],
    {
      encoding: 'utf8',
    },
  )
  if (status !== 0) throw new Error(`${script} failed: ${stderr}`)
  return JSON.parse(stdout) as T
}

/** The median of each figure by itself. */
function middle(runs: Run[]): Run {
  const names = Object.keys(runs[0] as Run) as (keyof Run)[]
  const of = (name: keyof Run): number => {
    const sorted = runs.map((run) => run[name]).sort((a, b) => a - b)
    return sorted[Math.floor(sorted.length / 2)] as number
  }
  return Object.fromEntries(names.map((name) => [name, of(name)])) as unknown as Run
}

function judge(all: Row[]): Verdict[] {
  const first = all[0] as Row
  const last = all.at(-1) as Row
  const worst = Math.max(...all.map((row) => row.ratio))
  const growth = last.writeMs / first.writeMs
  const again = Math.max(...all.map((row) => row.noChangeMs / row.compileMs))
  const size = Math.max(...all.map((row) => row.databaseBytes / row.corpus.bytes))
  return [
    verdict('compile / (parse + raw inserts) ≤ 2.5', worst, 2.5, '×'),
    verdict(`one write at ${last.corpus.nodes} / at ${first.corpus.nodes} nodes ≤ 1.5`, growth, 1.5, '×'),
    verdict(`peak memory at ${last.corpus.nodes} nodes < 1024 MB`, last.peakBytes / 2 ** 20, 1024, ' MB'),
    verdict('database / source text ≤ 3.5', size, 3.5, '×'),
    verdict('a compile without a change / the first ≤ 5 %', again * 100, 5, ' %'),
  ]
}

function verdict(target: string, measured: number, limit: number, unit: string): Verdict {
  return { target, measured: `${measured.toFixed(2)}${unit}`, holds: measured <= limit }
}

function printTable(all: Row[], verdicts: Verdict[]): void {
  const line = (cells: unknown[]): string => cells.map((cell) => String(cell).padStart(12)).join('')
  const seconds = (ms: number): string => `${(ms / 1000).toFixed(2)} s`
  const head = [
    'nodes',
    'compile',
    'parse',
    'insert',
    'ratio',
    'no change',
    'one file',
    'write',
    'rollback',
    'edit',
    'undo',
    'peak',
    'size',
  ]
  const table = all.map((row) =>
    line([
      row.corpus.nodes,
      seconds(row.compileMs),
      seconds(row.parseMs),
      seconds(row.insertMs),
      `${row.ratio.toFixed(2)}×`,
      seconds(row.noChangeMs),
      seconds(row.oneFileMs),
      `${row.writeMs.toFixed(1)} ms`,
      `${row.rollbackMs.toFixed(1)} ms`,
      seconds(row.editMs),
      seconds(row.undoMs),
      `${(row.peakBytes / 2 ** 20).toFixed(0)} MB`,
      `${(row.databaseBytes / row.corpus.bytes).toFixed(2)}×`,
    ]),
  )
  const ends = verdicts.map(
    ({ holds, target, measured }) => `${holds ? 'holds' : 'LOST '}  ${target}: ${measured}`,
  )
  process.stderr.write(`${[line(head), ...table, '', ...ends].join('\n')}\n`)
}
