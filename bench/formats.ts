/**
 * What the first compile of each format costs, as built, in a process of its own: milliseconds of the processor over all threads, so that
 * other programs add little. `npm run bench -- formats [--runs 7] [--against <checkout>]`: another checkout, which must be built, in turns
 * with this one. A table on stderr, JSON on stdout.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { child } from './engine/child.ts'
import { TEXTS, writeTexts } from './engine/format-texts.ts'
import { type Columns, table } from './engine/table.ts'
import { median } from './engine/timing.ts'

const { values } = parseArgs({
  options: { runs: { type: 'string', default: '7' }, against: { type: 'string' } },
})
const here = join(import.meta.dirname, '..')
const other = values.against === undefined ? undefined : resolve(values.against)

interface Measured {
  format: string
  ms: number
  /** Of the other checkout. */
  otherMs: number | undefined
}

const COLUMNS: Columns<Measured> = {
  format: ({ format }) => format,
  ms: ({ ms }) => Math.round(ms),
  other: ({ otherMs }) => (otherMs === undefined ? '' : Math.round(otherMs)),
  ratio: ({ ms, otherMs }) => (otherMs === undefined ? '' : (ms / otherMs).toFixed(2)),
}

const measured = Object.keys(TEXTS).map(measure)
process.stderr.write(`${table(measured, COLUMNS).join('\n')}\n`)
process.stdout.write(`${JSON.stringify(measured, null, 2)}\n`)

function measure(format: string): Measured {
  const folder = mkdtempSync(join(tmpdir(), 'remindb-bench-'))
  try {
    const notes = join(folder, 'notes')
    writeTexts(notes, format)
    const own: number[] = []
    const others: number[] = []
    for (let run = 0; run < Number(values.runs); run++) {
      own.push(compile(here, notes, join(folder, `${run}.db`)))
      if (other) others.push(compile(other, notes, join(folder, `other-${run}.db`)))
    }
    return { format, ms: median(own), otherMs: other === undefined ? undefined : median(others) }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

function compile(checkout: string, notes: string, db: string): number {
  return child(join(import.meta.dirname, 'engine', 'first-compile.ts'), [checkout, notes, db])
}
