import type { Context } from './context.ts'
import { statement } from './statements.ts'

interface Piece {
  lead: string | null
  body: string | null
  trail: string | null
}

/** The texts of documents that were appended to: the newest whole version and every piece since then. */
export function wholeTexts({ db }: Context) {
  const pieces = statement<[{ document: number; until: number }], Piece>(
    db,
    `SELECT v.lead, t.body, v.trail FROM document_versions v LEFT JOIN texts t ON t.id = v.text_id
     WHERE v.document_id = @document AND v.snapshot_id <= @until AND v.snapshot_id >= (
       SELECT max(b.snapshot_id) FROM document_versions b
       WHERE b.document_id = @document AND b.snapshot_id <= @until AND b.lead IS NULL)
     ORDER BY v.snapshot_id`,
  )
  const attributes = statement<[number, number], { attributes: string }>(
    db,
    `SELECT attributes FROM document_versions
     WHERE document_id = ? AND snapshot_id <= ? AND attributes IS NOT NULL ORDER BY snapshot_id DESC LIMIT 1`,
  )
  /** As a snapshot left it; null where there was no text. */
  function textAt(document: number, until: number): string | null {
    const found = pieces().all({ document, until })
    if (found.length === 0 || found[0]?.body === null) return null
    return found.map(({ lead, body, trail }) => (lead ?? '') + (body ?? '') + (trail ?? '')).join('')
  }
  /** JSON. A piece that has none has those of the version before. */
  function attributesAt(document: number, until: number): string | null {
    return attributes().get(document, until)?.attributes ?? null
  }
  return { textAt, attributesAt, textOf: (document: number) => textAt(document, Number.MAX_SAFE_INTEGER) }
}
