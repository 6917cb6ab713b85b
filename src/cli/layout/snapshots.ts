import type { SnapshotRow } from '../../core/port/store.ts'
import type { Palette } from '../../util/terminal/color.ts'
import { printable } from '../../util/text/printable.ts'

/** One line a snapshot: `#7 2026-01-31 12:00:05Z compile by cli: compile:docs`. Times are UTC, as everywhere. */
export function snapshotLine(row: SnapshotRow, palette: Palette): string {
  const { id, createdAt, operation, author, message } = row
  const time = new Date(createdAt).toISOString().replace('T', ' ').replace(/\.\d+/, '')
  return `${palette.bold(`#${id}`)} ${palette.dim(time)} ${operation} by ${printable(author)}: ${printable(message)}`
}

export function snapshotJson(row: SnapshotRow) {
  return {
    id: row.id,
    parent_id: row.parentId,
    message: row.message,
    compile_root: row.root,
    created_at: Math.floor(row.createdAt / 1000),
    operation: row.operation,
    author: row.author,
    cursor_hash: row.cursorHash,
  }
}
