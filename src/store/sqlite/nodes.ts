import type { DocumentNodeRow, NodeRow } from '../../core/port/store.ts'
import { type Context, digestBlob, listParameter } from './context.ts'
import {
  DOCUMENT_NODE_COLUMNS,
  DOCUMENT_NODE_TABLES,
  NODE_COLUMNS,
  SHOWN_NAME,
  type SqlDocumentNode,
  type SqlNode,
  toDocumentNode,
  toNode,
} from './rows.ts'
import { statement } from './statements.ts'

const SOURCE_ORDER = `d.kind <> 'source', d.kind, d.collection, d.name, d.id, n.position, n.key`

export function nodeReads({ db }: Context) {
  const ofDocument = statement<[number], SqlDocumentNode>(
    db,
    `SELECT ${DOCUMENT_NODE_COLUMNS} FROM ${DOCUMENT_NODE_TABLES}
     WHERE n.document_id = ? AND (n.removed_in IS NULL OR o.node_key IS NOT NULL)`,
  )
  const byId = statement<[string], SqlDocumentNode>(
    db,
    `SELECT ${DOCUMENT_NODE_COLUMNS} FROM ${DOCUMENT_NODE_TABLES} WHERE n.id = ? AND n.removed_in IS NULL`,
  )
  const byKey = statement<[string], SqlNode>(
    db,
    `SELECT ${NODE_COLUMNS} FROM json_each(?) j JOIN nodes n ON n.key = j.value LEFT JOIN texts t ON t.id = n.text_id`,
  )
  const childrenOf = statement<[string], SqlDocumentNode>(
    db,
    `SELECT ${DOCUMENT_NODE_COLUMNS} FROM json_each(?) j CROSS JOIN ${DOCUMENT_NODE_TABLES}
     WHERE n.parent_key = j.value AND n.removed_in IS NULL ORDER BY j.key, n.position, n.key`,
  )
  const rootNodes = statement<[], SqlNode & { source: string }>(
    db,
    `SELECT ${NODE_COLUMNS}, ${SHOWN_NAME} AS source
     FROM documents d CROSS JOIN nodes n ON n.document_id = d.id LEFT JOIN texts t ON t.id = n.text_id
     WHERE n.parent_key IS NULL AND n.removed_in IS NULL ORDER BY ${SOURCE_ORDER}`,
  )
  const nextChild = statement<[number, string], { position: string }>(
    db,
    `SELECT position FROM nodes WHERE parent_key = ? AND position > ? AND removed_in IS NULL ORDER BY position LIMIT 1`,
  )
  const nextRoot = statement<[number, string], { position: string }>(
    db,
    `SELECT position FROM nodes WHERE document_id = ? AND parent_key IS NULL AND position > ? AND removed_in IS NULL
     ORDER BY position LIMIT 1`,
  )
  const used = statement<[string], { id: string }>(
    db,
    'SELECT n.id FROM json_each(?) j JOIN nodes n ON n.id = j.value',
  )
  /** The last text of a removed node is that of its newest version that has one. */
  const removed = statement<[number], SqlNode>(
    db,
    `SELECT n.key, n.id, n.document_id, v.parent_key, v.position, v.type, v.format, n.label, n.tokens, t.digest, v.links, n.removed_in
     FROM nodes n JOIN versions v ON v.node_key = n.key AND v.snapshot_id =
       (SELECT max(p.snapshot_id) FROM versions p WHERE p.node_key = n.key AND p.text_id IS NOT NULL)
     JOIN texts t ON t.id = v.text_id
     WHERE n.document_id = ? AND n.removed_in IS NOT NULL
       AND NOT EXISTS (SELECT 1 FROM overlays o WHERE o.node_key = n.key)
     ORDER BY n.removed_in DESC, n.key`,
  )

  return {
    documentNodes: (documentId: number): DocumentNodeRow[] =>
      ofDocument().all(documentId).map(toDocumentNode),
    findNode(id: string): DocumentNodeRow | undefined {
      const row = byId().get(id)
      return row && toDocumentNode(row)
    },
    nodesByKey: (keys: number[]): NodeRow[] => byKey().all(listParameter(keys)).map(toNode),
    children: (parentKeys: number[]): DocumentNodeRow[] =>
      childrenOf().all(listParameter(parentKeys)).map(toDocumentNode),
    roots: (): (NodeRow & { source: string })[] =>
      rootNodes()
        .all()
        .map((row) => ({ ...toNode(row), source: row.source })),
    nextPosition(parentKey: number | null, documentId: number, position: string): string | undefined {
      const row =
        parentKey === null ? nextRoot().get(documentId, position) : nextChild().get(parentKey, position)
      return row?.position
    },
    usedIds: (ids: string[]): string[] =>
      used()
        .all(listParameter(ids))
        .map((row) => row.id),
    removedNodes(documentId: number, digests: string[]): NodeRow[] {
      const wanted = new Set(digests.map((digest) => digestBlob(digest).toString('hex')))
      return removed()
        .all(documentId)
        .map(toNode)
        .filter((row) => wanted.has(row.digest))
    },
  }
}
