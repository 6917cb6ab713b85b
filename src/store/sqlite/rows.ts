import type { Address, DocumentKind, Format, NodeState, NodeType } from '../../core/model.ts'
import type {
  DocumentNodeRow,
  DocumentRow,
  DocumentState,
  NodeRow,
  Overlay,
  SnapshotRow,
} from '../../core/port/store.ts'

/** The only place where SQL's snake_case meets the model's camelCase. */

export interface SqlNode {
  key: number
  id: string
  document_id: number
  parent_key: number | null
  position: string
  type: NodeType
  format: Format
  label: string
  tokens: number
  digest: Buffer | null
  links: string | null
  removed_in: number | null
}

export interface SqlDocumentNode extends SqlNode, SqlOverlay {}

/** Of a node, if it has one. */
export interface SqlOverlay {
  operation: string | null
  base_parent_key: number | null
  base_position: string | null
  base_type: NodeType | null
  base_format: Format | null
  base_label: string | null
  base_digest: Buffer | null
}

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

export const NODE_COLUMNS = `n.key, n.id, n.document_id, n.parent_key, n.position, n.type, n.format, n.label, n.tokens,
  t.digest, n.links, n.removed_in`

export const OVERLAY_COLUMNS = `o.operation, o.parent_key AS base_parent_key, o.position AS base_position, o.type AS base_type,
  o.format AS base_format, o.label AS base_label, o.digest AS base_digest`

export const DOCUMENT_NODE_COLUMNS = `${NODE_COLUMNS}, ${OVERLAY_COLUMNS}`

export const DOCUMENT_NODE_JOINS = `LEFT JOIN texts t ON t.id = n.text_id
  LEFT JOIN overlays o ON o.node_key = n.key`

export function toNode(row: SqlNode): NodeRow {
  return {
    key: row.key,
    id: row.id,
    documentId: row.document_id,
    parentKey: row.parent_key,
    position: row.position,
    type: row.type,
    format: row.format,
    label: row.label,
    tokens: row.tokens,
    digest: row.digest?.toString('hex') ?? '',
    links: row.links,
    live: row.removed_in === null,
  }
}

export function toDocumentNode(row: SqlDocumentNode): DocumentNodeRow {
  return { ...toNode(row), overlay: toOverlay(row) }
}

export function toOverlay(row: SqlOverlay): Overlay | null {
  return row.operation === null ? null : { operation: row.operation, base: toBase(row) }
}

function toBase(row: SqlOverlay): NodeState | null {
  if (!row.base_digest) return null
  return {
    parentKey: row.base_parent_key,
    position: row.base_position as string,
    type: row.base_type as NodeType,
    format: row.base_format as Format,
    label: row.base_label,
    digest: row.base_digest.toString('hex'),
    links: null,
  }
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
