/** The text `t` of a document `d`, where it is one. */
export const WITH_TEXT = 'LEFT JOIN texts t ON t.id = d.text_id'

/** After every snapshot. */
const NOW = Number.MAX_SAFE_INTEGER

/** The pieces of an appended text: its newest whole version and every piece since then. */
const piecesOf = (document: string, until: number | string): string =>
  `FROM document_versions e LEFT JOIN texts p ON p.id = e.text_id
   WHERE e.document_id = ${document} AND e.snapshot_id <= ${until} AND e.snapshot_id >= (
     SELECT max(b.snapshot_id) FROM document_versions b
     WHERE b.document_id = ${document} AND b.snapshot_id <= ${until} AND b.lead IS NULL)`

/** As a snapshot left it; null where there was no text. */
export const appendedText = (document: string, until: number | string): string =>
  `(SELECT group_concat(coalesce(e.lead, '') || coalesce(p.body, '') || coalesce(e.trail, ''), '' ORDER BY e.snapshot_id)
   ${piecesOf(document, until)} HAVING count(CASE WHEN e.lead IS NULL THEN p.body END) > 0)`

export const TEXT = `CASE d.appended WHEN 0 THEN t.body ELSE ${appendedText('d.id', NOW)} END`

/** Bytes of that. `octet_length` does not read the text: its length is in the row header. */
export const TEXT_BYTES = `CASE d.appended WHEN 0 THEN octet_length(t.body) ELSE (SELECT
   sum(octet_length(coalesce(e.lead, '')) + octet_length(p.body) + octet_length(coalesce(e.trail, '')))
   ${piecesOf('d.id', NOW)}) END`
