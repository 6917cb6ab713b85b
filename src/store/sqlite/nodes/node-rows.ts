import type { DocumentNodeRow, NodeRow } from '../../../core/port/rows.ts'
import type { StoredNodeFacts } from '../../../core/port/stored.ts'
import { hexOf, selected, TABLES, toMark } from '../database/rows.ts'
import { type SqlHeat, toHeat } from './heat-rows.ts'

/** An overlay `o` as JSON; null where there is none. Its base is null where the file does not have the node. */
export function overlayJson(o: string): string {
  const base = `json_object('parentKey', ${o}.parent_key, 'position', ${o}.position, 'type', ${o}.type, 'format', ${o}.format,
    'label', ${o}.label, 'digest', ${hexOf(`${o}.digest`)}, 'links', NULL)`
  return `CASE WHEN ${o}.operation IS NOT NULL THEN
    json_object('operation', ${o}.operation, 'base', json(CASE WHEN ${o}.digest IS NOT NULL THEN ${base} END)) END`
}

const { textKey: _, ...NODE } = TABLES.nodes

/** Of a node `n` with its text `t` and its overlay `o`. */
export const DOCUMENT_NODE = `${selected('n', NODE)}, ${hexOf('t.digest')} AS digest, ${overlayJson('o')} AS overlay`

export interface SqlDocumentNode extends Omit<NodeRow, 'mark'> {
  mark: Buffer | null
  overlay: string | null
}

export function toDocumentNode(row: SqlDocumentNode): DocumentNodeRow {
  const overlay = row.overlay === null ? null : JSON.parse(row.overlay)
  return Object.assign(row, { mark: toMark(row.mark), overlay })
}

/** The same with its text, its heat `h` and its parent `u`. */
export const STORED_NODE = `${DOCUMENT_NODE}, t.body AS text, u.id AS parentId, ${selected('h', TABLES.heat)}`

interface SqlStoredNode extends SqlDocumentNode, SqlHeat {
  text: string | null
  parentId: string | null
}

export function toStoredNode(row: SqlStoredNode): StoredNodeFacts {
  const { value, clock, pinned, accesses, accessedAt, told, coldness, ...node } = row
  const heat = toHeat({ key: row.key, value, clock, pinned, accesses, accessedAt, told, coldness })
  return Object.assign(toDocumentNode(node), { heat, text: node.text, parentId: node.parentId })
}
