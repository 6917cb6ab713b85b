import { COUNTED_ATTRIBUTES } from '../../src/core/rows/door-counts.ts'
import { TEXT_BYTES } from '../../src/store/sqlite/documents/document-texts.ts'

const CLASS = `d.kind, d.state, ${COUNTED_ATTRIBUTES.map((name) => `coalesce(d.attributes ->> '$.${name}', '') AS ${name}`).join(', ')}`
const NAMES = `kind, state, ${COUNTED_ATTRIBUTES.join(', ')}`
const BYTES = `CASE d.kind WHEN 'record' THEN coalesce(${TEXT_BYTES}, 0) ELSE 0 END`
const HAS_TAGS = `d.state = 'live' AND (d.kind = 'key' OR (d.kind = 'record' AND d.attributes ->> '$.archived' = 0))`

/** What the tables `door_counts` and `tag_counts` say, counted by SQL. */
export const DOOR_COUNTS = `SELECT d.owner_id, ${CLASS}, count(*) AS count, sum(${BYTES}) AS bytes
  FROM documents d LEFT JOIN texts t ON t.id = d.text_id
  WHERE d.kind IN ('key', 'record') AND d.state <> 'removed' GROUP BY 1, 2, 3, 4, 5, 6, 7`
export const TAG_COUNTS = `SELECT d.owner_id, d.kind, g.tag, count(*) AS count
  FROM document_tags g JOIN documents d ON d.id = g.document_id WHERE ${HAS_TAGS} GROUP BY 1, 2, 3`
export const COUNT_AGAIN = `DELETE FROM door_counts; INSERT INTO door_counts (owner_id, ${NAMES}, count, bytes) ${DOOR_COUNTS};
  DELETE FROM tag_counts; INSERT INTO tag_counts (owner_id, kind, tag, count) ${TAG_COUNTS};`
