import type { Database } from 'better-sqlite3'
import { indexForm } from '../../src/core/find/query/words.ts'

/**
 * The least that SQLite must do for each answer: hand-written statements, prepared once, on a handle with the same pragmas. They
 * give the rows and stop there: no scores of their own, no snippets, no layout, no budget.
 */
export type Floors = ReturnType<typeof createFloors>

export function createFloors(db: Database) {
  const search = db.prepare(SEARCH).raw()
  const ancestors = db.prepare(ANCESTORS).raw()
  const descendants = db.prepare(DESCENDANTS).raw()
  const tree = db.prepare(TREE).raw()
  const related = db.prepare(RELATED).raw()
  const delta = db.prepare(DELTA).raw()
  return {
    search: (words: readonly string[]) => search.all(matchOf(words)),
    fetch: (id: string) => [ancestors.all(id), descendants.all(id)],
    tree: (count: number) => tree.all({ count }),
    related: (id: string, depth: number) => related.all({ id, depth }),
    delta: ([snapshotId, nodeKey]: readonly [number, number]) => delta.all(snapshotId, nodeKey),
  }
}

/** Any of the words, each in quotes and as the index has it. */
export function matchOf(words: readonly string[]): string {
  return words.map((word) => `"${indexForm(word)}"`).join(' OR ')
}

/** The ten best by plain BM25, each with its node, file, text, heat and the labels above it. */
const SEARCH = `
WITH best AS MATERIALIZED (
  SELECT rowid AS key, rank FROM node_index WHERE node_index MATCH ? ORDER BY rank LIMIT 10)
SELECT n.id, n.type, n.label, n.tokens, d.collection, d.name, t.body, h.value, b.rank,
  (WITH RECURSIVE above (key) AS (
     SELECT n.parent_key UNION ALL SELECT p.parent_key FROM above a CROSS JOIN nodes p ON p.key = a.key)
   SELECT group_concat(p.label, ' > ') FROM above a CROSS JOIN nodes p ON p.key = a.key)
FROM best b CROSS JOIN nodes n ON n.key = b.key CROSS JOIN documents d ON d.id = n.document_id
  CROSS JOIN texts t ON t.id = n.text_id CROSS JOIN heat h ON h.node_key = n.key
ORDER BY b.rank`

/** What a fetch shows of a node, but for its file and how far it has cooled: so this floor is on the low side. */
const SHOWN = 'n.key, n.id, n.parent_key, n.position, n.type, n.label, n.tokens, t.body, h.value'
const SHOWN_TABLES = 'CROSS JOIN texts t ON t.id = n.text_id CROSS JOIN heat h ON h.node_key = n.key'

const ANCESTORS = `
WITH RECURSIVE above (key) AS (
  SELECT parent_key FROM nodes WHERE id = ?
  UNION ALL SELECT p.parent_key FROM above a CROSS JOIN nodes p ON p.key = a.key)
SELECT ${SHOWN} FROM above a CROSS JOIN nodes n ON n.key = a.key ${SHOWN_TABLES}`

/** The node itself too. A parent's children come in order, so that the document's order can be told from the rows. */
const DESCENDANTS = `
WITH RECURSIVE below (key) AS (
  SELECT key FROM nodes WHERE id = ?
  UNION ALL SELECT n.key FROM below b CROSS JOIN nodes n ON n.parent_key = b.key)
SELECT ${SHOWN} FROM below b CROSS JOIN nodes n ON n.key = b.key ${SHOWN_TABLES}`

/** The first nodes of the forest, three levels below the top, without texts. So many nodes have at most so many roots. The
 * order of files is that of an index, so that no file is looked at in vain. */
const TREE = `
WITH RECURSIVE roots AS MATERIALIZED (
  SELECT n.key FROM documents d CROSS JOIN nodes n ON n.document_id = d.id
  WHERE d.space_id = 1 AND d.owner_id = 1 AND d.kind = 'source' AND n.parent_key IS NULL AND n.removed_in IS NULL
  ORDER BY d.collection, d.name LIMIT @count),
below (key, depth) AS (
  SELECT key, 1 FROM roots
  UNION ALL SELECT n.key, b.depth + 1 FROM below b CROSS JOIN nodes n ON n.parent_key = b.key WHERE b.depth <= 3
  ORDER BY 2 DESC LIMIT @count)
SELECT n.id, n.parent_key, n.type, n.label, n.tokens, d.name, h.value,
  (SELECT count(*) FROM nodes c WHERE c.parent_key = n.key)
FROM below b CROSS JOIN nodes n ON n.key = b.key CROSS JOIN documents d ON d.id = n.document_id
  CROSS JOIN heat h ON h.node_key = n.key`

/** Whatever links reach in either direction, each node once; of the hundred nearest what is shown. */
const RELATED = `
WITH RECURSIVE walk (key, hop) AS (
  SELECT key, 0 FROM nodes WHERE id = @id
  UNION SELECT l.target_key, w.hop + 1 FROM walk w CROSS JOIN links l ON l.source_key = w.key
    WHERE w.hop < @depth AND l.target_key IS NOT NULL AND l.asleep = 0
  UNION SELECT l.source_key, w.hop + 1 FROM walk w CROSS JOIN links l ON l.target_key = w.key
    WHERE w.hop < @depth AND l.asleep = 0),
nearest AS (SELECT key, min(hop) AS hop FROM walk GROUP BY key ORDER BY 2 LIMIT 101)
SELECT n.id, n.type, n.label, n.tokens, d.name, h.value, r.hop
FROM nearest r CROSS JOIN nodes n ON n.key = r.key CROSS JOIN documents d ON d.id = n.document_id
  CROSS JOIN heat h ON h.node_key = n.key`

/** A hundred versions after a place in history, each with its text, the one before it with its text, and both parents. */
const DELTA = `
SELECT v.snapshot_id, v.node_key, n.id, v.op, v.position, v.type, v.format, v.label, v.links, t.body, p.id,
  b.position, b.type, b.format, b.label, b.links, bt.body, bp.id
FROM versions v CROSS JOIN nodes n ON n.key = v.node_key
  LEFT JOIN texts t ON t.id = v.text_id LEFT JOIN nodes p ON p.key = v.parent_key
  LEFT JOIN versions b ON b.node_key = v.node_key AND b.snapshot_id =
    (SELECT max(e.snapshot_id) FROM versions e WHERE e.node_key = v.node_key AND e.snapshot_id < v.snapshot_id)
  LEFT JOIN texts bt ON bt.id = b.text_id LEFT JOIN nodes bp ON bp.key = b.parent_key
WHERE (v.snapshot_id, v.node_key) > (?, ?)
ORDER BY v.snapshot_id, v.node_key LIMIT 101`
