import type { HeldBy, HeldText, RemovedNode } from '../../core/port/forget.ts'
import type { KeyPage } from '../../core/port/history.ts'
import type { Erasure, HistoryDrop } from '../../core/port/write-set.ts'
import { type Context, listParameter } from './context.ts'
import { limitOf, statement } from './statements.ts'

const held = (versions: string, documentVersions: string): string =>
  `SELECT lower(hex(t.digest)) AS digest, count(*) AS count FROM (
     SELECT v.text_id FROM ${versions} UNION ALL SELECT v.text_id FROM document_versions v WHERE ${documentVersions}) h
   JOIN texts t ON t.id = h.text_id GROUP BY h.text_id`

interface SqlRemoved extends Pick<RemovedNode, 'key' | 'knownIn'> {
  hasOverlay: number
  isErased: number
}

/** What has to be known before history is taken out. */
export function forgetReads({ db }: Context) {
  const byDocument = statement<[{ document: number }], HeldText>(
    db,
    held(
      'nodes n JOIN versions v ON v.node_key = n.key WHERE n.document_id = @document',
      'v.document_id = @document',
    ),
  )
  const byLater = statement<[{ after: number }], HeldText>(
    db,
    held('versions v WHERE v.snapshot_id > @after', 'v.snapshot_id > @after'),
  )
  const removed = statement<[KeyPage & { target: number }], SqlRemoved>(
    db,
    `SELECT n.key, d.state = 'erased' AS isErased,
       (SELECT max(v.snapshot_id) FROM versions v WHERE v.node_key = n.key AND v.snapshot_id <= @target) AS knownIn,
       EXISTS (SELECT 1 FROM overlays o WHERE o.node_key = n.key) AS hasOverlay
     FROM nodes n JOIN documents d ON d.id = n.document_id
     WHERE n.removed_in > @target AND n.key > @after ORDER BY n.key ${limitOf('@limit')}`,
  )
  return {
    heldTexts: (by: HeldBy): HeldText[] => ('document' in by ? byDocument().all(by) : byLater().all(by)),
    removedAfter: (target: number, page: KeyPage): RemovedNode[] =>
      removed()
        .all({ target, ...page })
        .map(({ hasOverlay, isErased, ...row }) => ({
          ...row,
          hasOverlay: hasOverlay === 1,
          isErased: isErased === 1,
        })),
  }
}

/** Takes out history that a set names. The texts are somebody else's business. */
export function historyRemovals({ db, now }: Context) {
  const eraseVersions = statement<[string]>(
    db,
    'DELETE FROM versions WHERE node_key IN (SELECT value FROM json_each(?))',
  )
  const eraseDocumentVersions = statement<[number]>(db, 'DELETE FROM document_versions WHERE document_id = ?')
  const dropSteps = [
    'DELETE FROM versions WHERE snapshot_id > @after',
    'DELETE FROM document_versions WHERE snapshot_id > @after',
    'DELETE FROM heat WHERE node_key IN (SELECT value FROM json_each(@nodes))',
    'DELETE FROM links WHERE source_key IN (SELECT value FROM json_each(@nodes))',
    'DELETE FROM nodes WHERE key IN (SELECT value FROM json_each(@nodes))',
    'DELETE FROM snapshots WHERE id > @after AND id < @before',
  ].map((sql) => statement<[Omit<HistoryDrop, 'nodes'> & { nodes: string }]>(db, sql))
  const requestScrub = statement<[number]>(db, 'INSERT INTO scrubs (requested_at) VALUES (?)')

  return {
    eraseHistory({ document, nodes }: Erasure): void {
      eraseVersions().run(listParameter(nodes))
      eraseDocumentVersions().run(document)
      requestScrub().run(now())
    },
    dropHistory({ nodes, ...range }: HistoryDrop): void {
      for (const step of dropSteps) step().run({ ...range, nodes: listParameter(nodes) })
      requestScrub().run(now())
    },
  }
}
