import type { StoredSelect } from '../../core/port/nodes.ts'
import type { StoredNode, StoredNodeFacts } from '../../core/port/stored.ts'
import { type Context, listParameter } from './context.ts'
import { HEAT_COLUMNS, type SqlHeat } from './heat-rows.ts'
import { toMark } from './marks.ts'
import { OVERLAY_COLUMNS, type SqlOverlay, toOverlay } from './rows.ts'
import { statement } from './statements.ts'

interface SqlStoredNode extends Omit<StoredNode, 'digest' | 'mark'>, Omit<SqlHeat, 'key' | 'id'>, SqlOverlay {
  digest: Buffer | null
  mark: Buffer | null
  text: string | null
  parentId: string | null
}

const COLUMNS = `n.key, n.id, n.document_id AS documentId, n.parent_key AS parentKey, n.position, n.type, n.format, n.label,
  n.name, n.tokens, n.links, n.mark, n.removed_in AS removedIn, t.digest, t.body AS text, u.id AS parentId, ${HEAT_COLUMNS}, ${OVERLAY_COLUMNS}`
const JOINS = `LEFT JOIN texts t ON t.id = n.text_id LEFT JOIN heat h ON h.node_key = n.key
  LEFT JOIN overlays o ON o.node_key = n.key LEFT JOIN nodes u ON u.key = n.parent_key`
const EACH = 'json_each(?) j CROSS JOIN'

/** One literal: a large document has many of them. */
function toStoredNode(row: SqlStoredNode): StoredNodeFacts {
  const { key } = row
  return {
    key,
    id: row.id,
    documentId: row.documentId,
    parentKey: row.parentKey,
    position: row.position,
    type: row.type,
    format: row.format,
    label: row.label,
    name: row.name,
    tokens: row.tokens,
    digest: row.digest?.toString('hex') ?? null,
    links: row.links,
    mark: toMark(row.mark),
    removedIn: row.removedIn,
    text: row.text,
    parentId: row.parentId,
    overlay: toOverlay(row),
    heat: {
      key,
      value: row.value,
      clock: row.clock,
      pinned: row.pinned === 1,
      accesses: row.accesses,
      accessedAt: row.accessedAt,
      told: row.told === 1,
      coldness: row.coldness,
    },
  }
}

/** Nodes with all that is stored of them. */
export function storedNodeReads({ db }: Context) {
  const query = <V extends string | number>(from: string) => {
    const prepared = statement<[V], SqlStoredNode>(db, `SELECT ${COLUMNS} FROM ${from}`)
    return (value: V): StoredNodeFacts[] => prepared().all(value).map(toStoredNode)
  }
  const byKey = query<string>(`${EACH} nodes n ON n.key = j.value ${JOINS}`)
  const byId = query<string>(`${EACH} nodes n ON n.id = j.value ${JOINS}`)
  return {
    storedNodes: (select: StoredSelect) =>
      'keys' in select ? byKey(listParameter(select.keys)) : byId(listParameter(select.ids)),
    /** Live nodes of a document, and those that only an overlay keeps away. */
    nodesIn: query<number>(
      `nodes n ${JOINS} WHERE n.document_id = ? AND (n.removed_in IS NULL OR o.node_key IS NOT NULL)`,
    ),
    /** Nodes of others, right below one of a document's. */
    guestsIn: query<number>(
      `nodes p CROSS JOIN nodes n ON n.parent_key = p.key AND n.document_id <> p.document_id ${JOINS}
       WHERE p.document_id = ? AND p.removed_in IS NULL`,
    ),
  }
}
