/**
 * What the doors keep of a document besides its text.
 *
 * `attributes` is JSON, null for files on disk and notes. `document_tags` says the same as `$.tags` of a document that is
 * not removed, for looking up. `appended`: the text is not in `text_id` but in the versions: the newest whole one (`lead` is
 * null) and every piece since then, each between its `lead` and `trail`.
 */
export const doors = `
ALTER TABLE documents ADD COLUMN attributes TEXT;
ALTER TABLE documents ADD COLUMN appended INTEGER NOT NULL DEFAULT 0;
ALTER TABLE document_versions ADD COLUMN attributes TEXT;
ALTER TABLE document_versions ADD COLUMN lead TEXT;
ALTER TABLE document_versions ADD COLUMN trail TEXT;
CREATE INDEX documents_by_type ON documents (owner_id, attributes ->> '$.type', attributes ->> '$.archived')
  WHERE kind = 'record';
CREATE INDEX documents_by_expiry ON documents (attributes ->> '$.expires_at')
  WHERE attributes ->> '$.expires_at' IS NOT NULL;

CREATE TABLE document_tags (
  tag TEXT NOT NULL,
  document_id INTEGER NOT NULL REFERENCES documents (id),
  -- As a search asks for it: see core/find/tags.ts.
  word TEXT NOT NULL,
  PRIMARY KEY (tag, document_id)
) WITHOUT ROWID;
CREATE INDEX document_tags_by_word ON document_tags (word);
CREATE INDEX document_tags_by_document ON document_tags (document_id);

-- Asked for through its door: not versioned, and lost with the document.
CREATE TABLE document_accesses (
  document_id INTEGER PRIMARY KEY REFERENCES documents (id),
  count INTEGER NOT NULL,
  accessed_at INTEGER NOT NULL
);
CREATE INDEX document_accesses_by_time ON document_accesses (accessed_at);
`
