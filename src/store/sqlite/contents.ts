import type { DocumentContents } from '../../core/port/contents.ts'
import type { DocumentPick } from '../../core/port/documents.ts'
import type { NodeRow } from '../../core/port/rows.ts'
import type { Context } from './context.ts'
import type { documentReads } from './document-reads.ts'
import { LINK_COLUMNS, type SqlStoredLink, toStoredLink } from './link-rows.ts'
import { type SqlNode, toNode } from './rows.ts'
import { statement } from './statements.ts'
import { storedNodeReads } from './stored-nodes.ts'

/** All that a change of documents builds on. */
export function contentReads(
  context: Context,
  { documents }: Pick<ReturnType<typeof documentReads>, 'documents'>,
) {
  const { db } = context
  const { nodesIn, guestsIn } = storedNodeReads(context)
  /** The last text of a removed node is that of its newest version that has one. */
  const removedIn = statement<[number], SqlNode>(
    db,
    `SELECT n.key, n.id, n.document_id, v.parent_key, v.position, v.type, v.format, n.label, n.tokens, t.digest, v.links, n.removed_in
     FROM nodes n JOIN versions v ON v.node_key = n.key AND v.snapshot_id =
       (SELECT max(p.snapshot_id) FROM versions p WHERE p.node_key = n.key AND p.text_id IS NOT NULL)
     JOIN texts t ON t.id = v.text_id
     WHERE n.document_id = ? AND n.removed_in IS NOT NULL
       AND NOT EXISTS (SELECT 1 FROM overlays o WHERE o.node_key = n.key)
     ORDER BY n.removed_in DESC, n.key`,
  )
  const linksIn = statement<[number], SqlStoredLink>(
    db,
    `SELECT ${LINK_COLUMNS} FROM nodes n CROSS JOIN links l ON l.source_key = n.key
     WHERE n.document_id = ? AND n.removed_in IS NULL ORDER BY l.place`,
  )
  const namesIn = statement<[number], { documentId: number; name: string; isAlias: number }>(
    db,
    'SELECT document_id AS documentId, name, is_alias AS isAlias FROM document_names WHERE document_id = ?',
  )
  function removed(id: number, digests: ReadonlySet<string>): NodeRow[] {
    const rows = removedIn().all(id).map(toNode)
    return rows.filter((row) => digests.has(row.digest))
  }
  return {
    contents(select: DocumentPick, digests: readonly string[]): DocumentContents {
      const wanted = new Set(digests)
      const found: DocumentContents = {
        ...{
          documents: documents(select, 'stored'),
          nodes: [],
          guests: [],
          removed: [],
          links: [],
          names: [],
        },
      }
      for (const { id, address } of found.documents) {
        for (const node of nodesIn(id)) found.nodes.push(node)
        for (const node of guestsIn(id)) found.guests.push(node)
        if (wanted.size > 0) for (const row of removed(id, wanted)) found.removed.push(row)
        for (const row of linksIn().all(id)) found.links.push(toStoredLink(row))
        if ('path' in address)
          for (const row of namesIn().all(id)) found.names.push({ ...row, isAlias: row.isAlias === 1 })
      }
      return found
    },
  }
}
