/**
 * What a door shows of many documents costs what it shows, however many there are.
 *
 * How often a document was asked for stands in its own row: an index is of one table only, and records are shown by when they
 * were asked for. `door_counts` and `tag_counts` say how many there are of each sort, for answers that tell a number.
 */
export const doorCounts = `
ALTER TABLE documents ADD COLUMN accesses INTEGER NOT NULL DEFAULT 0;
ALTER TABLE documents ADD COLUMN accessed_at INTEGER;
UPDATE documents SET (accesses, accessed_at) =
    (SELECT a.count, a.accessed_at FROM document_accesses a WHERE a.document_id = documents.id)
  WHERE id IN (SELECT document_id FROM document_accesses);
DROP TABLE document_accesses;

DROP INDEX documents_by_type;
CREATE INDEX records_by_access ON documents (owner_id, attributes ->> '$.archived', attributes ->> '$.type',
  coalesce(accessed_at, created_at)) WHERE kind = 'record' AND state = 'live';
CREATE INDEX records_by_creation ON documents (owner_id, attributes ->> '$.archived', attributes ->> '$.type', created_at)
  WHERE kind = 'record' AND state = 'live';
CREATE INDEX records_by_update ON documents (owner_id, attributes ->> '$.archived', attributes ->> '$.type', updated_at)
  WHERE kind = 'record' AND state = 'live';
CREATE INDEX records_by_accesses ON documents (owner_id, accesses)
  WHERE kind = 'record' AND state = 'live' AND accesses > 0 AND attributes ->> '$.archived' = 0;
CREATE INDEX records_by_completion ON documents (owner_id, attributes ->> '$.archived', attributes ->> '$.type',
  attributes ->> '$.completed_at')
  WHERE kind = 'record' AND state = 'live' AND attributes ->> '$.completed_at' IS NOT NULL;

-- Of keys and records that are live or erased. An attribute that is not there is ''; bytes are those of texts of records.
CREATE TABLE door_counts (
  owner_id INTEGER NOT NULL,
  kind TEXT NOT NULL,
  state TEXT NOT NULL,
  archived NOT NULL,
  type NOT NULL,
  importance NOT NULL,
  status NOT NULL,
  count INTEGER NOT NULL,
  bytes INTEGER NOT NULL,
  PRIMARY KEY (owner_id, kind, state, archived, type, importance, status)
) WITHOUT ROWID;

-- How many live keys, and live records that are not archived, have a tag.
CREATE TABLE tag_counts (
  owner_id INTEGER NOT NULL,
  kind TEXT NOT NULL,
  tag TEXT NOT NULL,
  count INTEGER NOT NULL,
  PRIMARY KEY (owner_id, kind, tag)
) WITHOUT ROWID;

INSERT INTO door_counts (owner_id, kind, state, archived, type, importance, status, count, bytes)
  SELECT d.owner_id, d.kind, d.state, coalesce(d.attributes ->> '$.archived', ''), coalesce(d.attributes ->> '$.type', ''),
    coalesce(d.attributes ->> '$.importance', ''), coalesce(d.attributes ->> '$.status', ''), count(*),
    coalesce(sum(CASE d.kind WHEN 'record' THEN octet_length(t.body) END), 0)
  FROM documents d LEFT JOIN texts t ON t.id = d.text_id
  WHERE d.kind IN ('key', 'record') AND d.state <> 'removed' GROUP BY 1, 2, 3, 4, 5, 6, 7;
INSERT INTO tag_counts (owner_id, kind, tag, count)
  SELECT d.owner_id, d.kind, g.tag, count(*) FROM document_tags g JOIN documents d ON d.id = g.document_id
  WHERE d.state = 'live' AND (d.kind = 'key' OR (d.kind = 'record' AND d.attributes ->> '$.archived' = 0))
  GROUP BY 1, 2, 3;
`
