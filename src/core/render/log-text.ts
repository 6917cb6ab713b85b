import { printable } from '../../util/text/printable.ts'
import { plural } from '../../util/text/units.ts'
import { type LogRow, MOST_COUNTED } from '../history/log.ts'
import { type Palette, PLAIN_PALETTE } from '../palette.ts'

/**
 * One line for a snapshot: `#7 2026-01-31 12:00:05Z [before-import] compile by cli: compile:docs (3 nodes)`. Times are UTC, as everywhere.
 * What others wrote comes last, so that it cannot pass for ours; `withNodes` then adds an end that every line has.
 */
export function logLine(row: LogRow, palette: Palette = PLAIN_PALETTE, { withNodes = false } = {}): string {
  const { id, createdAt, operation, author, message, checkpoints } = row
  const names = checkpoints.length === 0 ? [] : [palette.green(`[${checkpoints.map(printable).join(', ')}]`)]
  return [
    palette.bold(`#${id}`),
    palette.dim(timeText(createdAt)),
    ...names,
    `${printable(operation)} by ${printable(author)}: ${printable(message)}`,
    ...(withNodes ? [palette.dim(`(${nodesText(row)})`)] : []),
  ].join(' ')
}

function nodesText({ nodes }: LogRow): string {
  return nodes < MOST_COUNTED ? plural(nodes, 'node') : `${MOST_COUNTED} nodes or more`
}

/** `2026-01-31 12:00:05Z`. */
export function timeText(time: number): string {
  return new Date(time).toISOString().replace('T', ' ').replace(/\.\d+/, '')
}

export function logJson(row: LogRow) {
  return {
    id: row.id,
    parent_id: row.parentId,
    message: row.message,
    compile_root: row.root,
    created_at: Math.floor(row.createdAt / 1000),
    operation: row.operation,
    author: row.author,
    cursor_hash: row.cursorHash,
    checkpoints: row.checkpoints,
    nodes: row.nodes,
  }
}
