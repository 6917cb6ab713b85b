import type { Context } from './context.ts'
import { INDEX_ROWS } from './node-index.ts'
import { statement } from './statements.ts'
import type { TextQueries } from './texts.ts'

const UNKNOWN_TO_HISTORY = `removed_in > @target AND NOT EXISTS (SELECT 1 FROM versions v WHERE v.node_key = nodes.key)
  AND NOT EXISTS (SELECT 1 FROM overlays o WHERE o.node_key = nodes.key)
  AND NOT EXISTS (SELECT 1 FROM documents d WHERE d.id = nodes.document_id AND d.state = 'erased')`

/** Everything after @target goes, @keep's own versions too: it stands for the state that @target left. */
const DROP = [
  'DELETE FROM versions WHERE snapshot_id > @target',
  'DELETE FROM document_versions WHERE snapshot_id > @target',
  // Nodes that only the dropped snapshots knew: nothing that is left ever saw their ids. (Erased ones have no versions,
  // but older versions of others may still name them as parents.)
  `DELETE FROM heat WHERE node_key IN (SELECT key FROM nodes WHERE ${UNKNOWN_TO_HISTORY})`,
  `DELETE FROM links WHERE source_key IN (SELECT key FROM nodes WHERE ${UNKNOWN_TO_HISTORY})`,
  `DELETE FROM nodes WHERE ${UNKNOWN_TO_HISTORY}`,
  // Nodes that were gone at the target already, came back and went again: the removal that counts is the first one.
  `UPDATE nodes SET removed_in = coalesce(
     (SELECT max(v.snapshot_id) FROM versions v WHERE v.node_key = nodes.key), @keep) WHERE removed_in > @target`,
]

interface Erasure {
  document: number
  snapshot: number
}

const OF_DOCUMENT = '(SELECT key FROM nodes WHERE document_id = @document)'

const ERASE = [
  `DELETE FROM versions WHERE node_key IN ${OF_DOCUMENT}`,
  `DELETE FROM overlays WHERE node_key IN ${OF_DOCUMENT}`,
  'DELETE FROM document_versions WHERE document_id = @document',
  `INSERT INTO versions (node_key, snapshot_id, op)
     SELECT key, @snapshot, 'rem' FROM nodes WHERE document_id = @document AND removed_in IS NULL`,
  `UPDATE heat SET coldness = NULL WHERE node_key IN ${OF_DOCUMENT}`,
  `UPDATE nodes SET removed_in = @snapshot, parent_key = NULL, position = '', tokens = 0, text_id = NULL, mark = NULL,
     label = '', name = NULL, links = NULL WHERE document_id = @document`,
]

/** Takes text out of the past: what a dropped snapshot or an erased document held, and nobody else holds. */
export function historyRemovals(context: Context, texts: TextQueries) {
  const { db, now } = context
  const heldAfter = statement<[{ target: number }], { text_id: number }>(
    db,
    `SELECT text_id FROM versions WHERE snapshot_id > @target AND text_id IS NOT NULL
     UNION ALL SELECT text_id FROM document_versions WHERE snapshot_id > @target AND text_id IS NOT NULL`,
  )
  const dropSteps = DROP.map((sql) => statement<[{ target: number; keep: number }]>(db, sql))
  const deleteSnapshots = statement<[number, number]>(db, 'DELETE FROM snapshots WHERE id > ? AND id < ?')
  const requestScrub = statement<[number]>(db, 'INSERT INTO scrubs (requested_at) VALUES (?)')

  const unindex = statement<[number]>(
    db,
    `INSERT INTO node_index (node_index, rowid, label, body)
     SELECT 'delete', r.key, r.label, r.body FROM nodes n CROSS JOIN ${INDEX_ROWS} r ON r.key = n.key
     WHERE n.document_id = ?`,
  )
  const heldByDocument = statement<[{ document: number }], { text_id: number }>(
    db,
    `SELECT v.text_id FROM nodes n JOIN versions v ON v.node_key = n.key
       WHERE n.document_id = @document AND v.text_id IS NOT NULL
     UNION ALL SELECT text_id FROM document_versions WHERE document_id = @document AND text_id IS NOT NULL`,
  )
  const eraseSteps = ERASE.map((sql) => statement<[Erasure]>(db, sql))

  return {
    dropSnapshots(target: number, keep: number): number {
      const held = heldAfter().all({ target })
      for (const step of dropSteps) step().run({ target, keep })
      for (const { text_id } of held) texts.dropText(text_id)
      requestScrub().run(now())
      return deleteSnapshots().run(target, keep).changes
    },

    eraseDocument(documentId: number, snapshotId: number): void {
      const held = heldByDocument().all({ document: documentId })
      unindex().run(documentId)
      for (const step of eraseSteps) step().run({ document: documentId, snapshot: snapshotId })
      for (const { text_id } of held) texts.dropText(text_id)
      requestScrub().run(now())
    },
  }
}
