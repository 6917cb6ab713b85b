import type { DocumentPick } from '../../core/port/documents.ts'
import type { NodeRow } from '../../core/port/rows.ts'
import type { DocumentContents } from '../../core/port/stored.ts'
import { type Context, listParameter } from './context.ts'
import type { documentReads } from './document-reads.ts'
import { LINK_COLUMNS, type SqlStoredLink, toStoredLink } from './link-rows.ts'
import { type SqlNode, toNode } from './rows.ts'
import { statement } from './statements.ts'
import { storedNodeReads } from './stored-nodes.ts'

const EACH = 'json_each(?) j CROSS JOIN'
const NOTHING: DocumentContents = { documents: [], nodes: [], guests: [], removed: [], links: [], names: [] }

/** All that a change of documents builds on. */
export function contentReads(
  context: Context,
  { documents }: Pick<ReturnType<typeof documentReads>, 'documents'>,
) {
  const { db } = context
  const { nodesIn, guestsIn } = storedNodeReads(context)
  /** The last text of a removed node is that of its newest version that has one. */
  const removedIn = statement<[string], SqlNode>(
    db,
    `SELECT n.key, n.id, n.document_id, v.parent_key, v.position, v.type, v.format, n.label, n.tokens, t.digest, v.links, n.removed_in
     FROM ${EACH} nodes n ON n.document_id = j.value JOIN versions v ON v.node_key = n.key AND v.snapshot_id =
       (SELECT max(p.snapshot_id) FROM versions p WHERE p.node_key = n.key AND p.text_id IS NOT NULL)
     JOIN texts t ON t.id = v.text_id
     WHERE n.removed_in IS NOT NULL AND NOT EXISTS (SELECT 1 FROM overlays o WHERE o.node_key = n.key)
     ORDER BY n.removed_in DESC, n.key`,
  )
  const linksIn = statement<[string], SqlStoredLink>(
    db,
    `SELECT ${LINK_COLUMNS} FROM ${EACH} nodes n ON n.document_id = j.value AND n.removed_in IS NULL
     CROSS JOIN links l ON l.source_key = n.key ORDER BY l.place`,
  )
  const namesIn = statement<[string], { documentId: number; name: string; isAlias: number }>(
    db,
    `SELECT x.document_id AS documentId, x.name, x.is_alias AS isAlias FROM ${EACH} document_names x ON x.document_id = j.value`,
  )
  function removed(list: string, digests: readonly string[]): NodeRow[] {
    const wanted = new Set(digests)
    return removedIn()
      .all(list)
      .map(toNode)
      .filter((row) => wanted.has(row.digest))
  }
  return {
    contents(select: DocumentPick, digests: readonly string[]): DocumentContents {
      const found = documents(select, 'stored')
      if (found.length === 0) return NOTHING
      const ids = found.map(({ id }) => id)
      const list = listParameter(ids)
      return {
        documents: found,
        ...{ nodes: nodesIn(ids), guests: guestsIn(ids) },
        removed: digests.length === 0 ? [] : removed(list, digests),
        links: linksIn().all(list).map(toStoredLink),
        names: namesIn()
          .all(list)
          .map((row) => ({ ...row, isAlias: row.isAlias === 1 })),
      }
    },
  }
}
