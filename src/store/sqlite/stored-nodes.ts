import type { StoredSelect } from '../../core/port/nodes.ts'
import type { StoredNode, StoredNodeFacts } from '../../core/port/stored.ts'
import { type Context, listParameter } from './context.ts'
import { HEAT_COLUMNS, type SqlHeat, toHeat } from './heat-rows.ts'
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

function toStoredNode(row: SqlStoredNode): StoredNodeFacts {
  const { key, value, clock, pinned, accesses, accessedAt, told, coldness } = row
  const { id, documentId, parentKey, position, type, format, label, name, tokens, links, removedIn } = row
  return {
    ...{ key, id, documentId, parentKey, position, type, format, label, name, tokens, links, removedIn },
    ...{ text: row.text, parentId: row.parentId, overlay: toOverlay(row) },
    digest: row.digest?.toString('hex') ?? null,
    mark: toMark(row.mark),
    heat: toHeat({ key, value, clock, pinned, accesses, accessedAt, told, coldness }),
  }
}

/** Nodes with all that is stored of them. */
export function storedNodeReads({ db }: Context) {
  const query = (from: string) => {
    const prepared = statement<[string], SqlStoredNode>(db, `SELECT ${COLUMNS} FROM ${from}`)
    return (values: readonly (number | string)[]): StoredNodeFacts[] =>
      prepared().all(listParameter(values)).map(toStoredNode)
  }
  const byKey = query(`${EACH} nodes n ON n.key = j.value ${JOINS}`)
  const byId = query(`${EACH} nodes n ON n.id = j.value ${JOINS}`)
  return {
    storedNodes: (select: StoredSelect) => ('keys' in select ? byKey(select.keys) : byId(select.ids)),
    nodesIn: query(
      `${EACH} nodes n ON n.document_id = j.value ${JOINS} WHERE n.removed_in IS NULL OR o.node_key IS NOT NULL`,
    ),
    guestsIn: query(
      `${EACH} nodes p ON p.document_id = j.value CROSS JOIN nodes n ON n.parent_key = p.key AND n.document_id <> p.document_id ${JOINS}
       WHERE p.removed_in IS NULL`,
    ),
  }
}
