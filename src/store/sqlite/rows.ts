import type { Attributes } from '../../core/port/doors.ts'
import type { SnapshotRow } from '../../core/port/store.ts'

/** The only place where SQL's snake_case meets the model's camelCase. */

export interface SqlSnapshot {
  id: number
  parent_id: number | null
  cursor_hash: string
  author: string
  operation: string
  message: string
  root: string
  created_at: number
}

/**
 * A file on disk has its path, a note the name its tool always had, what is behind another door `record:…`, `key:…` or
 * `file:memory/path`, with `@thread` where a thread has its own.
 */
export const SHOWN_NAME = `CASE d.kind WHEN 'source' THEN d.name WHEN 'note' THEN 'mcp:write' WHEN 'file' THEN
  'file:' || (d.collection ->> 0) || CASE d.collection ->> 1 WHEN 'perThread' THEN '@' || (d.collection ->> 2) ELSE '' END || d.name
  ELSE d.kind || ':' || d.name END`

/** A path that is `@scope` or below it, as a range of an index: `0` is what comes after `/`. */
export function inScope(path: string): string {
  return `${path} >= @scope AND ${path} < @scope || '0'
    AND (${path} = @scope OR substr(${path}, length(@scope) + 1, 1) = '/')`
}

export function toSnapshot(row: SqlSnapshot): SnapshotRow {
  return {
    id: row.id,
    parentId: row.parent_id,
    cursorHash: row.cursor_hash,
    author: row.author,
    operation: row.operation,
    message: row.message,
    root: row.root,
    createdAt: row.created_at,
  }
}

export function toAttributes(json: string | null): Attributes {
  return json === null ? {} : (JSON.parse(json) as Attributes)
}
