/**
 * Who created a document, as far as a server with accounts knows, and how much of its quota each user has used. Documents
 * from before count for nobody. text_bytes: of the exact text; of a note, of the texts of its nodes.
 */
export const userCounts = `
ALTER TABLE documents ADD COLUMN user_id TEXT;
ALTER TABLE documents ADD COLUMN text_bytes INTEGER NOT NULL DEFAULT 0;
UPDATE documents SET text_bytes = coalesce(CASE appended
  WHEN 0 THEN (SELECT octet_length(t.body) FROM texts t WHERE t.id = documents.text_id)
  ELSE (SELECT sum(octet_length(coalesce(e.lead, '')) + octet_length(p.body) + octet_length(coalesce(e.trail, '')))
    FROM document_versions e LEFT JOIN texts p ON p.id = e.text_id
    WHERE e.document_id = documents.id AND e.snapshot_id >= (SELECT max(b.snapshot_id) FROM document_versions b
      WHERE b.document_id = documents.id AND b.lead IS NULL)) END, 0)
  WHERE kind IN ('record', 'key', 'file') AND (text_id IS NOT NULL OR appended = 1);

CREATE TABLE user_counts (
  owner_id INTEGER NOT NULL,
  user_id TEXT NOT NULL,
  count INTEGER NOT NULL,
  bytes INTEGER NOT NULL,
  PRIMARY KEY (owner_id, user_id)
) WITHOUT ROWID;
`
