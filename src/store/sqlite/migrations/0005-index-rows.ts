/**
 * What of a node is indexed is said by `core/find/index-row.ts`, for words that come with a change and for those that are
 * taken out later. They are the words that the index has: it need not be made anew.
 */
export const indexRows = `
DROP VIEW node_index_rows;
CREATE VIEW node_index_rows AS
  SELECT n.key AS key, label_words(n.type, n.label) AS label, text_words(n.type, n.label, t.body) AS body
  FROM nodes n JOIN texts t ON t.id = n.text_id
  WHERE n.removed_in IS NULL;
`
