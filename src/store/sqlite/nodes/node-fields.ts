import type { Heat, HeatRecord } from '../../../core/port/heat.ts'
import type { NodeFields } from '../../../core/port/nodes.ts'
import type { DocumentNodeRow, NodeRow } from '../../../core/port/rows.ts'
import type { StoredNodeFacts } from '../../../core/port/stored.ts'
import {
  booleans,
  EFFECTIVE_HEAT,
  hexOf,
  SHOWN_NAME,
  selected,
  TABLES,
  toHeat,
  toMark,
} from '../database/rows.ts'
import { NEWEST_VERSION } from './node-orders.ts'

/** An overlay `o` as JSON; null where there is none. Its base is null where the file does not have the node. */
export function overlayJson(o: string): string {
  const base = `json_object('parentKey', ${o}.parent_key, 'position', ${o}.position, 'type', ${o}.type, 'format', ${o}.format,
    'label', ${o}.label, 'digest', ${hexOf(`${o}.digest`)}, 'links', NULL)`
  return `CASE WHEN ${o}.operation IS NOT NULL THEN
    json_object('operation', ${o}.operation, 'base', json(CASE WHEN ${o}.digest IS NOT NULL THEN ${base} END)) END`
}

const { textKey: _, ...NODE } = TABLES.nodes

/** Of a node `n` with its text `t` and its overlay `o`. */
const DOCUMENT_NODE = `${selected('n', NODE)}, ${hexOf('t.digest')} AS digest, ${overlayJson('o')} AS overlay`

interface SqlDocumentNode extends Omit<NodeRow, 'mark'> {
  mark: Buffer | null
  overlay: string | null
}

function toDocumentNode(row: SqlDocumentNode): DocumentNodeRow {
  const overlay = row.overlay === null ? null : JSON.parse(row.overlay)
  return Object.assign(row, { mark: toMark(row.mark), overlay })
}

/** The same with its text, its heat `h` and its parent `u`. */
const STORED_NODE = `${DOCUMENT_NODE}, t.body AS text, u.id AS parentId, ${selected('h', TABLES.heat)}`

interface SqlStoredNode extends SqlDocumentNode, HeatRecord {
  text: string | null
  parentId: string | null
}

function toStoredNode(row: SqlStoredNode): StoredNodeFacts {
  const { value, clock, pinned, accesses, accessedAt, told, coldness, ...node } = row
  const heat = toHeat({ key: row.key, value, clock, pinned, accesses, accessedAt, told, coldness })
  return Object.assign(toDocumentNode(node), { heat, text: node.text, parentId: node.parentId })
}

/** What is read of a node `n`: columns, joined tables, and the conversion of a row. */
export interface Fields {
  columns: string
  joins: string
  toRow?: (row: never) => unknown
}

const BRIEF = `n.key, n.id, n.type, n.label, n.tokens, coalesce(${EFFECTIVE_HEAT}, 0) AS temperature, ${SHOWN_NAME} AS source`
const HEAT = 'CROSS JOIN heat h ON h.node_key = n.key'
const DOCUMENT = 'CROSS JOIN documents d ON d.id = n.document_id LEFT JOIN heat h ON h.node_key = n.key'

export const NODE_FIELDS: Record<keyof NodeFields | 'place', Fields> = {
  brief: { columns: BRIEF, joins: DOCUMENT },
  outline: {
    // A removed node has no parent: the children of a node are counted in the index alone.
    columns: `${BRIEF}, n.document_id AS documentId, n.parent_key AS parentKey, n.position,
      (SELECT count(*) FROM nodes c WHERE c.parent_key = n.key) AS children`,
    joins: DOCUMENT,
  },
  reading: {
    columns: `${BRIEF}, n.parent_key AS parentKey, coalesce(t.body, '') AS text`,
    joins: `${DOCUMENT} LEFT JOIN texts t ON t.id = n.text_id`,
  },
  lineage: { columns: 'n.key, n.parent_key AS parentKey, n.position, n.label', joins: '' },
  // Within the engine: where a page of siblings ends.
  place: { columns: 'n.key, n.document_id AS documentId, n.position', joins: '' },
  facts: {
    columns: `n.key, n.type, n.tokens, n.document_id AS documentId, ${EFFECTIVE_HEAT} AS temperature`,
    joins: HEAT,
  },
  heat: {
    columns: `n.key, n.id, n.label, coalesce(${EFFECTIVE_HEAT}, 0) AS value, coalesce(h.pinned, 0) AS pinned,
      coalesce(h.accesses, 0) AS accesses`,
    joins: 'LEFT JOIN heat h ON h.node_key = n.key',
    toRow: booleans<Heat>('pinned'),
  },
  change: {
    columns: 'n.key, n.document_id AS documentId, o.id AS changedIn',
    joins: `CROSS JOIN snapshots o ON o.id = ${NEWEST_VERSION}`,
  },
  text: { columns: 'n.key, t.body AS text', joins: 'CROSS JOIN texts t ON t.id = n.text_id' },
  full: {
    columns: DOCUMENT_NODE,
    joins: 'LEFT JOIN texts t ON t.id = n.text_id LEFT JOIN overlays o ON o.node_key = n.key',
    toRow: toDocumentNode,
  },
  stored: {
    columns: STORED_NODE,
    joins: `LEFT JOIN texts t ON t.id = n.text_id LEFT JOIN heat h ON h.node_key = n.key
      LEFT JOIN overlays o ON o.node_key = n.key LEFT JOIN nodes u ON u.key = n.parent_key`,
    toRow: toStoredNode,
  },
  heatRecord: {
    columns: `n.key, n.id, ${selected('h', TABLES.heat)}`,
    joins: HEAT,
    toRow: toHeat,
  },
  id: { columns: 'n.key, n.id', joins: '' },
}
