import type { DocumentState } from '../../core/store.ts'
import type { Context } from './context.ts'
import { statement } from './statements.ts'
import type { TextQueries } from './texts.ts'

interface DocumentVersion {
  state: DocumentState
  text_id: number | null
  digest: Buffer | null
}
const NOT_THERE: DocumentVersion = { state: 'removed', text_id: null, digest: null }

/** What documents were at each snapshot. Not of source files: those are on disk, and their nodes have versions. */
export function documentVersionWrites({ db, now }: Context, texts: TextQueries) {
  const current = statement<[number], { text_id: number | null; kind: string }>(
    db,
    'SELECT text_id, kind FROM documents WHERE id = ?',
  )
  const insert = statement<[number, number]>(
    db,
    `INSERT INTO document_versions (document_id, snapshot_id, state, text_id, digest)
     SELECT id, ?, state, text_id, digest FROM documents WHERE id = ?
     ON CONFLICT DO UPDATE SET state = excluded.state, text_id = excluded.text_id, digest = excluded.digest`,
  )
  const textAt = statement<[number, number], { text_id: number | null }>(
    db,
    'SELECT text_id FROM document_versions WHERE document_id = ? AND snapshot_id = ?',
  )
  const after = statement<[number], { document_id: number }>(
    db,
    'SELECT document_id FROM document_versions WHERE snapshot_id > ?',
  )
  const at = statement<[number, number], DocumentVersion>(
    db,
    `SELECT state, text_id, digest FROM document_versions WHERE document_id = ? AND snapshot_id <= ?
     ORDER BY snapshot_id DESC LIMIT 1`,
  )
  const restore = statement<[DocumentState, number | null, Buffer | null, number, number]>(
    db,
    `UPDATE documents SET state = ?, text_id = ?, digest = ?, revision = revision + 1, updated_at = ? WHERE id = ?
     AND state <> 'erased'`,
  )

  function recordVersion(documentId: number, snapshotId: number | null): void {
    const document = current().get(documentId)
    if (snapshotId === null || !document || document.kind === 'source') return
    // A second change in one snapshot replaces the first one's version.
    texts.dropText(textAt().get(documentId, snapshotId)?.text_id ?? null)
    insert().run(snapshotId, documentId)
    texts.retainText(document.text_id)
  }

  return {
    recordVersion,
    restoreDocuments(target: number, snapshotId: number): void {
      const changed = new Set(
        after()
          .all(target)
          .map((row) => row.document_id),
      )
      for (const id of changed) {
        const then = at().get(id, target) ?? NOT_THERE
        const before = current().get(id)?.text_id ?? null
        texts.retainText(then.text_id)
        const { changes } = restore().run(then.state, then.text_id, then.digest, now(), id)
        texts.dropText(changes > 0 ? before : then.text_id)
        recordVersion(id, snapshotId)
      }
    },
  }
}
