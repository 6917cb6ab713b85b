import type { DocumentVersion } from '../../core/port/doors.ts'
import type { PastDocument } from '../../core/port/history.ts'
import type { DocumentState } from '../../core/port/store.ts'
import type { Context } from './context.ts'
import { toAttributes } from './document-tags.ts'
import { wholeTexts } from './document-texts.ts'
import { limitOf, statement } from './statements.ts'

interface SqlVersion {
  snapshot_id: number
  created_at: number
  state: DocumentState
  attributes: string | null
  lead: string | null
  body: string | null
}
interface SqlPastDocument {
  documentId: number
  state: DocumentState | null
  digest: Buffer | null
  text_digest: Buffer | null
  text_bytes: number | null
  attributes: string | null
  lead: string | null
}

/** What documents were at each snapshot. Not of source files: those are on disk, and their nodes have versions. */
export function documentVersionReads(context: Context) {
  const { db } = context
  const whole = wholeTexts(context)
  const history = statement<[number, number, number], SqlVersion>(
    db,
    `SELECT v.snapshot_id, s.created_at, v.state, v.attributes, v.lead, t.body FROM document_versions v
     JOIN snapshots s ON s.id = v.snapshot_id LEFT JOIN texts t ON t.id = v.text_id
     WHERE v.document_id = ? AND v.snapshot_id < ? ORDER BY v.snapshot_id DESC ${limitOf()}`,
  )
  const past = statement<[{ target: number }], SqlPastDocument>(
    db,
    `SELECT c.document_id AS documentId, v.state, v.digest, v.attributes, v.lead, t.digest AS text_digest,
       CASE d.kind WHEN 'record' THEN octet_length(t.body) END AS text_bytes
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
        .map((row) => ({
          snapshotId: row.snapshot_id,
          createdAt: row.created_at,
          state: row.state,
          attributes: toAttributes(row.attributes ?? whole.attributesAt(documentId, row.snapshot_id)),
          text: row.lead === null ? row.body : whole.textAt(documentId, row.snapshot_id),
        })),
    changedDocuments: (target: number): PastDocument[] => past().all({ target }).map(toPast),
  }
}

function toPast({ documentId, state, digest, text_digest, text_bytes, attributes, lead }: SqlPastDocument) {
  return {
    documentId,
    state: state ?? 'removed',
    digest: digest?.toString('hex') ?? null,
    textDigest: text_digest?.toString('hex') ?? null,
    textBytes: text_bytes ?? 0,
    attributes: attributes === null ? null : toAttributes(attributes),
    isPiece: lead !== null,
  } as const
}
