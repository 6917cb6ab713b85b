import type { Palette } from '../../util/terminal/color.ts'
import { printable } from '../../util/text/printable.ts'
import { plural } from '../../util/text/units.ts'
import { type BenchReport, type Comparison, PASSED_ON, type PassedOn } from '../bench/report.ts'

const NAME_LENGTH = 40

const PROGRAMS: Record<PassedOn, string> = { text: 'the text', data: 'the data', both: 'both' }

/** A table: the cost of each scenario, then of a whole session. */
export function benchLines(report: BenchReport, palette: Palette): string[] {
  const { files, nodes, budget, scenarios, totals, passedOn } = report
  const rows = [
    ...scenarios.map((scenario) => [shortened(printable(scenario.name)), ...cells(scenario)]),
    ...Object.entries(totals).map(([name, total]) => [name, ...cells(total)]),
    ...PASSED_ON.map((kind) => [PROGRAMS[kind], ...cells(passedOn[kind])]),
  ]
  const [head = '', ...lines] = aligned([['', 'list+read+grep', 'remindb', 'saved'], ...rows])
  const split = scenarios.length
  const end = lines.length - PASSED_ON.length
  return [
    palette.dim(
      `${plural(files, 'file')}, ${plural(nodes, 'node')}; tokens an agent reads, of texts; searches and fetches within ${budget}`,
    ),
    '',
    palette.dim(head),
    ...lines.slice(0, split),
    '',
    ...lines.slice(split, end).map(palette.bold),
    '',
    palette.dim('a session with --answers both, by the parts that a program passes on to its model:'),
    ...lines.slice(end),
  ]
}

function cells({ naive, remindb, saved }: Comparison): string[] {
  return [String(naive), String(remindb), saved === null ? 'n/a' : `${saved.toFixed(1)} %`]
}

function shortened(name: string): string {
  const characters = [...name]
  return characters.length <= NAME_LENGTH ? name : `${characters.slice(0, NAME_LENGTH - 1).join('')}…`
}

/** Names to the left, numbers to the right. */
function aligned(rows: string[][]): string[] {
  const widths = (rows[0] ?? []).map((_, at) => Math.max(...rows.map((row) => row[at]?.length ?? 0)))
  return rows.map((row) =>
    row
      .map((cell, at) => (at === 0 ? cell.padEnd(widths[at] ?? 0) : cell.padStart(widths[at] ?? 0)))
      .join('  '),
  )
}
