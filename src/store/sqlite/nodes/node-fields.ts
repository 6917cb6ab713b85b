import type { NodeFields } from '../../../core/port/nodes.ts'
import { SHOWN_NAME, selected, TABLES } from '../database/rows.ts'
import { EFFECTIVE_HEAT, toHeat } from './heat-rows.ts'
import { NEWEST_VERSION } from './node-orders.ts'
import { DOCUMENT_NODE, STORED_NODE, toDocumentNode, toStoredNode } from './node-rows.ts'

/** What is read of a node `n`: columns, the tables they are in, and what becomes of a row. */
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
    toRow: (row: { pinned: number }) => ({ ...row, pinned: row.pinned === 1 }),
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
