import { printable } from '../../util/text/printable.ts'
import { plural } from '../../util/text/units.ts'
import { escapeNodeName } from '../answer-lines.ts'
import { type Palette, PLAIN_PALETTE } from '../palette.ts'
import { cut } from '../render/versions-text.ts'
import type { CheckedQuestion, CheckReport, Expected, MissingItem } from './model.ts'

/** One line for each question, what is missing and what came instead, and a line with the result. */
export function checkLines(report: CheckReport, palette: Palette = PLAIN_PALETTE): string[] {
  const counts = report.questions.map(
    ({ found, missing }) => `${found.length}/${found.length + missing.length}`,
  )
  const width = Math.max(...counts.map((count) => count.length))
  const lines = report.questions.flatMap((question, at) =>
    questionLines(question, (counts[at] ?? '').padStart(width), palette),
  )
  return [...lines, '', resultLine(report, palette)]
}

function questionLines(checked: CheckedQuestion, count: string, palette: Palette): string[] {
  const { question, line, missing, hits } = checked
  const isFound = missing.length === 0
  const mark = isFound ? palette.green('✓') : palette.red('✗')
  const where = isFound || line === undefined ? '' : palette.dim(` (line ${line})`)
  const first = `${mark} ${count}  ${printable(question)}${where}`
  if (isFound) return [first]
  const instead = hits.length === 0 ? ['nothing'] : hits.map(hitLine)
  return [
    first,
    ...missing.map((item) => `    missing: ${missingWords(item)}`),
    ...instead.map((text, at) => palette.dim(`    ${at === 0 ? 'instead:' : '        '} ${text}`)),
  ]
}

function missingWords({ place, ...item }: MissingItem): string {
  const where = place === null ? 'not found' : `only at place ${place}`
  return `${itemWords(item)} (${where})`
}

/** `node 25FHWVYdid1`, `file ops.md`, `words "30 days"`. */
export function itemWords({ kind, value }: Expected): string {
  if (kind === 'word') return `words ${JSON.stringify(printable(value))}`
  return `${kind === 'path' ? 'file' : 'node'} ${printable(value)}`
}

function hitLine({ id, type, label, path }: CheckedQuestion['hits'][number]): string {
  return `[${type}] ${escapeNodeName(cut(label))} (id=${id} file=${printable(path)})`
}

function resultLine(
  { found, expected, questions, snapshot, recall, min, passed }: CheckReport,
  palette: Palette,
) {
  const counts = `found ${found} of ${expected} in ${plural(questions.length, 'question')} at snapshot ${snapshot}`
  const share = `recall ${recallText(recall)}`
  if (passed) return palette.green(`${counts}: ${share}`)
  return palette.red(`${counts}: ${share}, less than ${recallText(min)}`)
}

/** Rounded down: 0.999 is not 1. */
function recallText(share: number): string {
  return (Math.floor(share * 100 + 1e-9) / 100).toFixed(2)
}
