/**
 * The index gets its words from `core/find/words.ts`, so that a query, a snippet and every engine mean the same by a word.
 * FTS5 only has to split at spaces: its `ascii` tokenizer leaves everything beyond ASCII alone.
 */
export const words = `
DROP TABLE node_index;
DROP VIEW node_index_rows;
CREATE VIEW node_index_rows AS
  SELECT n.key AS key,
    CASE WHEN n.type = 'text' THEN '' ELSE index_form(n.label, '') END AS label,
    CASE WHEN n.type = 'heading' AND n.label = t.body THEN '' ELSE index_form(t.body, n.type) END AS body
  FROM nodes n JOIN texts t ON t.id = n.text_id
  WHERE n.removed_in IS NULL;
CREATE VIRTUAL TABLE node_index USING fts5 (
  label, body,
  content = 'node_index_rows', content_rowid = 'key',
  tokenize = "ascii tokenchars '+#'"
);
INSERT INTO node_index (node_index, rank) VALUES ('hashsize', 16777216);
INSERT INTO node_index (node_index) VALUES ('rebuild');
`
