import { printable } from '../../util/text/printable.ts'
import { type Palette, PLAIN_PALETTE } from '../palette.ts'
import { diffLines } from '../render/diff-text.ts'
import { itemWords } from './check-text.ts'
import type { BisectReport, Break, CauseKind, LostItem, Unexplained } from './model.ts'
import { suggestionsOf } from './suggestions.ts'

export interface TextOptions {
  palette?: Palette
  /** A command line from the words of a command. */
  toCommand?: (words: string) => string
}

const CAUSES: Record<CauseKind, string> = {
  edited: 'the answer was changed:',
  removed: 'the answer was removed:',
  renamed: 'its document was renamed',
  outranked: 'the answer is unchanged; this comes before it now:',
  unclear:
    'the answer is unchanged, and nothing that changed comes before it; the rank follows from all of the memory',
}

/** What was lost at which snapshot, and how to bring it back. */
export function bisectLines(
  report: BisectReport,
  { palette = PLAIN_PALETTE, toCommand = (words) => `remindb ${words}` }: TextOptions = {},
): string[] {
  const { breaks, unexplained, passed, snapshot } = report
  if (passed) return [palette.green(`nothing is missing at snapshot ${snapshot}: there is nothing to find`)]
  const parts = breaks.map((one) => breakLines(one, palette, toCommand))
  if (unexplained.length > 0) parts.push(unexplained.map(unexplainedLine))
  return parts.flatMap((lines, at) => (at === 0 ? lines : ['', ...lines]))
}

function breakLines(one: Break, palette: Palette, toCommand: (words: string) => string): string[] {
  const { snapshot, before, lost, repeated } = one
  const shown = new Set<string>()
  const lines = lost.flatMap((item) => lostLines(item, { before, shown, palette }))
  return [
    snapshotLine(snapshot, palette),
    ...lines,
    ...(repeated ? ['  it was found and lost before that, too; --good M looks between M and now'] : []),
    ...suggestionsOf(one).map(({ aim, words }) =>
      words === '' ? `  ${aim}` : `  ${aim}: ${toCommand(words)}`,
    ),
  ]
}

function snapshotLine(
  { id, createdAt, operation, author, message }: Break['snapshot'],
  palette: Palette,
): string {
  const time = new Date(createdAt).toISOString().replace('T', ' ').replace(/\.\d+/, '')
  return `${palette.bold(`#${id}`)} ${palette.dim(time)} ${operation} by ${printable(author)}: ${printable(message)}`
}

interface Shown {
  before: number
  /** Changes that were shown for another item. */
  shown: Set<string>
  palette: Palette
}

function lostLines(item: LostItem, { before, shown, palette }: Shown): string[] {
  const { question, cause } = item
  const { from, to } = cause.renamed ?? {}
  const names = from === undefined ? '' : `: ${printable(from)} is now ${printable(to ?? '')}`
  const changes = cause.changes.filter(({ nodeId }) => !shown.has(nodeId))
  for (const { nodeId } of changes) shown.add(nodeId)
  return [
    `  ${palette.red('lost')}: ${itemWords(item)} of "${printable(question)}", found at snapshot ${before}`,
    `  ${CAUSES[cause.kind]}${names}`,
    ...changes.flatMap((row) => [...diffLines(row, palette)]),
  ]
}

/** Around the item. */
const TRIED: Record<Unexplained['tried'], readonly [before: string, after: string]> = {
  all: ['never found', 'at no snapshot'],
  many: ['never found', 'at none of the snapshots that were tried; name one at which it was with --good'],
  given: ['not found', 'nor at the moment of --good; name another one, or none'],
  head: ['cooled', 'is found when all nodes are equally warm; read or pin its node, or raise k'],
}

function unexplainedLine({ question, tried, ...item }: Unexplained): string {
  const [before, after] = TRIED[tried]
  return `${before}: ${itemWords(item)} of "${printable(question)}", ${after}`
}
