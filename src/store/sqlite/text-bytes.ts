/** `octet_length` looks at no text: a row says how long it is. */
const PIECE_BYTES = `octet_length(coalesce(v.lead, '')) + octet_length(p.body) + octet_length(coalesce(v.trail, ''))`
/** Bytes of the text of `d`; `t` is its text, where it is one. */
export const TEXT_BYTES = `CASE d.appended WHEN 0 THEN octet_length(t.body) ELSE (SELECT sum(${PIECE_BYTES})
  FROM document_versions v JOIN texts p ON p.id = v.text_id WHERE v.document_id = d.id AND v.snapshot_id >= (
    SELECT max(b.snapshot_id) FROM document_versions b WHERE b.document_id = d.id AND b.lead IS NULL)) END`
