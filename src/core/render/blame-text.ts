import { alignColumns } from '../../util/terminal/table.ts'
import { elideMiddle } from '../../util/text/elide.ts'
import { printable } from '../../util/text/printable.ts'
import { formatAge } from '../../util/text/units.ts'
import type { BlamedNode } from '../history/blame.ts'
import { type Palette, PLAIN_PALETTE } from '../palette.ts'

/** An author may be any text; the whole of it is in JSON. */
const AUTHOR_WIDTH = 30

/** `#12  3d  25FHWVYdid1  ada  Rent is due`: a line for each block, what others wrote last. */
export function blameLines(
  items: readonly BlamedNode[],
  now: number,
  palette: Palette = PLAIN_PALETTE,
): string[] {
  const rows = items.map(({ id, label, depth, snapshot }) => [
    snapshot ? `#${snapshot.id}` : '#?',
    snapshot ? formatAge(Math.max(0, now - snapshot.createdAt) / 1000) : '?',
    id,
    snapshot ? elideMiddle(printable(snapshot.author), AUTHOR_WIDTH) : '?',
    `${'  '.repeat(depth)}${printable(label)}`,
  ])
  return alignColumns(rows).map((line) => line.replace(/^#\S+/, (name) => palette.bold(name)))
}

export function blameJson({ id, type, label, depth, snapshot }: BlamedNode) {
  return {
    ...{ id, type, label, depth },
    snapshot_id: snapshot?.id ?? null,
    author: snapshot?.author ?? null,
    operation: snapshot?.operation ?? null,
    message: snapshot?.message ?? null,
    created_at: snapshot ? Math.floor(snapshot.createdAt / 1000) : null,
  }
}
