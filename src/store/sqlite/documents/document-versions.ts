import type { DocumentVersion } from '../../../core/port/doors.ts'
import type { PastDocument } from '../../../core/port/history.ts'
import type { Context } from '../database/context.ts'
import { booleans, hexOrNull, toAttributes } from '../database/rows.ts'
import { limitOf, statement } from '../database/statements.ts'
import { appendedText } from './document-texts.ts'

/** As it is stored. */
type Unparsed<R> = Omit<R, 'attributes'> & { attributes: string | null }

const withPiece = booleans<Unparsed<PastDocument>>('isPiece')

/** What documents were at each snapshot. Not of source files: those are on disk, and their nodes have versions. */
export function documentVersionReads({ db }: Context) {
  const history = statement<[number, number, number], Unparsed<DocumentVersion>>(
    db,
    `SELECT v.snapshot_id AS snapshotId, s.created_at AS createdAt, v.state, coalesce(v.attributes, (
       SELECT a.attributes FROM document_versions a WHERE a.document_id = v.document_id
       AND a.snapshot_id <= v.snapshot_id AND a.attributes IS NOT NULL ORDER BY a.snapshot_id DESC LIMIT 1)) AS attributes,
       CASE WHEN v.lead IS NULL THEN t.body ELSE ${appendedText('v.document_id', 'v.snapshot_id')} END AS text
     FROM document_versions v JOIN snapshots s ON s.id = v.snapshot_id LEFT JOIN texts t ON t.id = v.text_id
     WHERE v.document_id = ? AND v.snapshot_id < ? ORDER BY v.snapshot_id DESC ${limitOf()}`,
  )
  const past = statement<[{ target: number }], Unparsed<PastDocument>>(
    db,
    `SELECT c.document_id AS documentId, coalesce(v.state, 'removed') AS state, v.attributes, v.lead IS NOT NULL AS isPiece,
       ${hexOrNull('v.digest')} AS digest, ${hexOrNull('t.digest')} AS textDigest,
       CASE d.kind WHEN 'record' THEN coalesce(octet_length(t.body), 0) ELSE 0 END AS textBytes
     FROM (SELECT DISTINCT document_id FROM document_versions WHERE snapshot_id > @target) c
     CROSS JOIN documents d ON d.id = c.document_id
     LEFT JOIN document_versions v ON v.document_id = c.document_id AND v.snapshot_id = (
       SELECT max(e.snapshot_id) FROM document_versions e WHERE e.document_id = c.document_id AND e.snapshot_id <= @target)
     LEFT JOIN texts t ON t.id = v.text_id`,
  )
  return {
    documentVersions: (
      documentId: number,
      { limit, before = Number.MAX_SAFE_INTEGER }: { limit: number; before?: number },
    ): DocumentVersion[] =>
      history()
        .all(documentId, before, limit)
        .map((row) => ({ ...row, attributes: toAttributes(row.attributes) ?? {} })),
    changedDocuments: (target: number): PastDocument[] =>
      past()
        .all({ target })
        .map((row) => ({ ...withPiece(row), attributes: toAttributes(row.attributes) })),
  }
}
