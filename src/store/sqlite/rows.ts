import type { Address, DocumentKind } from '../../core/model.ts'
import type { DocumentRow, DocumentState, SnapshotRow } from '../../core/port/store.ts'

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

export interface SqlDocument {
  id: number
  kind: DocumentKind
  collection: string
  name: string
  state: DocumentState
  digest: Buffer | null
  revision: number
}

/**
 * A file on disk has its path, a note the name its tool always had, what is behind another door `record:…`, `key:…` or
 * `file:memory/path`, with `@thread` where a thread has its own.
 */
export const SHOWN_NAME = `CASE d.kind WHEN 'source' THEN d.name WHEN 'note' THEN 'mcp:write' WHEN 'file' THEN
  'file:' || (d.collection ->> 0) || CASE d.collection ->> 1 WHEN 'perThread' THEN '@' || (d.collection ->> 2) ELSE '' END || d.name
  ELSE d.kind || ':' || d.name END`

/**
 * The document `d` at an address: space, owner, kind, then as `fromAddress` has it. Some indexes are of one kind only: a bare
 * parameter for it would have SQLite plan the statement anew for every value.
 */
export const AT_ADDRESS = `d.space_id = ? AND d.owner_id = ? AND d.kind = CAST(? AS TEXT) AND d.collection = ? AND d.name = ?`

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

export function toDocument(row: SqlDocument, owner: string): DocumentRow {
  return {
    id: row.id,
    address: toAddress(row.kind, row.collection, row.name),
    owner,
    state: row.state,
    digest: row.digest?.toString('hex') ?? null,
    revision: row.revision,
  }
}

/** An address as the columns `collection` and `name`. */
export function fromAddress(address: Address): [collection: string, name: string] {
  switch (address.kind) {
    case 'source':
      return [address.root, address.path]
    case 'note':
    case 'record':
      return ['', address.id]
    case 'key':
      return ['', address.key]
    case 'file':
      return [JSON.stringify([address.node, address.scope, address.thread]), address.path]
  }
}

/** The address that `fromAddress` made columns of. */
export function toAddress(kind: DocumentKind, collection: string, name: string): Address {
  switch (kind) {
    case 'source':
      return { kind, root: collection, path: name }
    case 'note':
    case 'record':
      return { kind, id: name }
    case 'key':
      return { kind, key: name }
    case 'file': {
      const [node, scope, thread] = JSON.parse(collection) as [string, 'global' | 'perThread', string]
      return { kind, node, scope, thread, path: name }
    }
  }
}
