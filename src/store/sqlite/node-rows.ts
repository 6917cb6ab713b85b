import type { Format, NodeState, NodeType } from '../../core/model.ts'
import type { DocumentNodeRow, NodeRow } from '../../core/port/rows.ts'
import type { StoredNodeFacts } from '../../core/port/stored.ts'
import { HEAT_COLUMNS, type SqlHeat, toHeat } from './heat-rows.ts'
import { toMark } from './marks.ts'

interface SqlNode extends Omit<NodeRow, 'digest' | 'mark'> {
  digest: Buffer | null
  mark: Buffer | null
}

/** Of a node `n` with its text `t`. */
const NODE = `n.key, n.id, n.document_id AS documentId, n.parent_key AS parentKey, n.position, n.type, n.format, n.label, n.name,
  n.tokens, t.digest, n.links, n.mark, n.removed_in AS removedIn`

function toNode(row: SqlNode): NodeRow {
  return {
    key: row.key,
    id: row.id,
    documentId: row.documentId,
    parentKey: row.parentKey,
    position: row.position,
    type: row.type,
    format: row.format,
    label: row.label,
    name: row.name,
    tokens: row.tokens,
    digest: row.digest?.toString('hex') ?? '',
    links: row.links,
    mark: toMark(row.mark),
    removedIn: row.removedIn,
  }
}

export interface SqlDocumentNode extends SqlNode, SqlBase {
  operation: string | null
}

/** What an overlay remembers of the file; all null where the file does not have the node. */
export interface SqlBase {
  base_parent_key: number | null
  base_position: string | null
  base_type: NodeType | null
  base_format: Format | null
  base_label: string | null
  base_digest: Buffer | null
}

/** The same with its overlay `o`. */
export const DOCUMENT_NODE = `${NODE}, o.operation, o.parent_key AS base_parent_key, o.position AS base_position,
  o.type AS base_type, o.format AS base_format, o.label AS base_label, o.digest AS base_digest`

export function toDocumentNode(row: SqlDocumentNode): DocumentNodeRow {
  const { operation } = row
  return { ...toNode(row), overlay: operation === null ? null : { operation, base: toBase(row) } }
}

export function toBase(row: SqlBase): NodeState | null {
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

/** The same with its text, its heat `h` and its parent `u`. */
export const STORED_NODE = `${DOCUMENT_NODE}, t.body AS text, u.id AS parentId, ${HEAT_COLUMNS}`

interface SqlStoredNode extends SqlDocumentNode, Omit<SqlHeat, 'key'> {
  text: string | null
  parentId: string | null
}

export function toStoredNode(row: SqlStoredNode): StoredNodeFacts {
  const { key, value, clock, pinned, accesses, accessedAt, told, coldness, text, parentId } = row
  const heat = toHeat({ key, value, clock, pinned, accesses, accessedAt, told, coldness })
  return { ...toDocumentNode(row), text, parentId, heat }
}
