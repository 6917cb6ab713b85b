import type { Corpus } from './corpus.ts'
import { type Columns, milliseconds, seconds, table, type Verdict, verdict, verdictLines } from './table.ts'

/** What the children of `bench/engine.ts` print. */
export interface Compiled {
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
export interface Floor {
  parseMs: number
  insertMs: number
}
export interface Warm {
  tickMs: number
  /** Of nodes that were never read before. */
  firstBoostMs: number
  boostMs: number
  coldestMs: number
  /** The same rows by hand. */
  rawTickMs: number
  rawBoostMs: number
  /** A write with a link, and a write that ten links wait for. */
  linkMs: number
  healMs: number
}
export interface Run extends Compiled, Floor, Warm {
  ratio: number
}
export interface Row extends Run {
  corpus: Corpus
}
export interface FormatRow {
  format: string
  bytes: number
  nodes: number
  compileMs: number
  parseMs: number
}

export function judge(all: Row[]): Verdict[] {
  const first = all[0] as Row
  const last = all.at(-1) as Row
  const sizes = `at ${last.corpus.nodes} / at ${first.corpus.nodes} nodes`
  const worst = Math.max(...all.map((row) => row.ratio))
  const size = Math.max(...all.map((row) => row.databaseBytes / row.corpus.bytes))
  const unchanged = Math.max(...all.map((row) => (100 * row.noChangeMs) / row.compileMs))
  return [
    verdict('compile / (parse + raw inserts) ≤ 2.5', worst, 2.5, '×'),
    verdict('a compile without a change / the first ≤ 5 %', unchanged, 5, ' %'),
    verdict(`one write ${sizes} ≤ 1.5`, last.writeMs / first.writeMs, 1.5, '×'),
    verdict(`one tick ${sizes} ≤ 1.5`, last.tickMs / first.tickMs, 1.5, '×'),
    verdict(`one boost of 50 nodes ${sizes} ≤ 1.5`, last.boostMs / first.boostMs, 1.5, '×'),
    verdict(`the first boost of 50 nodes ${sizes} ≤ 1.5`, last.firstBoostMs / first.firstBoostMs, 1.5, '×'),
    verdict(`peak memory at ${last.corpus.nodes} nodes < 1024 MB`, last.peakBytes / 2 ** 20, 1024, ' MB'),
    verdict('database / source text ≤ 3.5', size, 3.5, '×'),
  ]
}

export function figureLines(all: Row[], formats: FormatRow[], verdicts: Verdict[]): string[] {
  return [
    ...table(all, COMPILE),
    '',
    ...table(all, WARM),
    '',
    ...table(formats, FORMATS),
    '',
    ...verdictLines(verdicts),
  ]
}

const COMPILE: Columns<Row> = {
  nodes: (row) => row.corpus.nodes,
  compile: (row) => seconds(row.compileMs),
  parse: (row) => seconds(row.parseMs),
  insert: (row) => seconds(row.insertMs),
  ratio: (row) => `${row.ratio.toFixed(2)}×`,
  'no change': (row) => seconds(row.noChangeMs),
  'one file': (row) => seconds(row.oneFileMs),
  write: (row) => milliseconds(row.writeMs),
  rollback: (row) => milliseconds(row.rollbackMs),
  edit: (row) => seconds(row.editMs),
  undo: (row) => seconds(row.undoMs),
  peak: (row) => `${(row.peakBytes / 2 ** 20).toFixed(0)} MB`,
  size: (row) => `${(row.databaseBytes / row.corpus.bytes).toFixed(2)}×`,
}

const WARM: Columns<Row> = {
  nodes: (row) => row.corpus.nodes,
  tick: (row) => milliseconds(row.tickMs),
  'raw tick': (row) => milliseconds(row.rawTickMs),
  'first boost': (row) => milliseconds(row.firstBoostMs),
  boost: (row) => milliseconds(row.boostMs),
  'raw boost': (row) => milliseconds(row.rawBoostMs),
  coldest: (row) => milliseconds(row.coldestMs),
  overview: (row) => milliseconds(row.overviewMs),
  link: (row) => milliseconds(row.linkMs),
  heal: (row) => milliseconds(row.healMs),
}

const FORMATS: Columns<FormatRow> = {
  format: (row) => row.format,
  nodes: (row) => row.nodes,
  text: (row) => `${(row.bytes / 2 ** 20).toFixed(1)} MB`,
  compile: (row) => speed(row.bytes, row.compileMs),
  parser: (row) => speed(row.bytes, row.parseMs),
  ratio: (row) => `${(row.compileMs / row.parseMs).toFixed(1)}×`,
}

function speed(bytes: number, ms: number): string {
  return `${(bytes / 2 ** 20 / (ms / 1000)).toFixed(1)} MB/s`
}
