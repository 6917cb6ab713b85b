import { unifiedHunks } from '../../util/text/unified-hunks.ts'
import { escapeAnswerLines } from '../answer-lines.ts'
import type { PlacedVersion } from '../history/version-places.ts'
import { type Palette, PLAIN_PALETTE } from '../palette.ts'
import { paintOp, placeWords, structureLines } from './versions-text.ts'

/** One changed node: what moved, then its text as unified hunks. */
export function* diffLines(row: PlacedVersion, palette: Palette = PLAIN_PALETTE): Generator<string> {
  yield `${paintOp(row, palette)} ${row.nodeId} ${placeWords(row)}`
  yield* structureLines(row)
  for (const line of unifiedHunks(row.old?.text ?? '', row.new?.text ?? '')) {
    yield paintLine(`${line.slice(0, 1)}${escapeAnswerLines(line.slice(1))}`, palette)
  }
}

function paintLine(line: string, palette: Palette): string {
  if (line.startsWith('@@')) return palette.cyan(line)
  if (line.startsWith('+')) return palette.green(line)
  return line.startsWith('-') ? palette.red(line) : line
}
