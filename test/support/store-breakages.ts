const LIVE = 'SELECT key FROM nodes WHERE removed_in IS NULL'
const FIRST_INDEXED = 'SELECT key, label, body FROM node_index_rows ORDER BY key LIMIT 1'
const unindexFirst = `INSERT INTO node_index (node_index, rowid, label, body) SELECT 'delete', * FROM (${FIRST_INDEXED})`

/** How to break what a check looks at, behind the engine's back. */
export const BREAKAGES: { check: string; what: string; sql: string }[] = [
  { check: 'fts5_sync', what: 'a node is missing from the index', sql: unindexFirst },
  {
    check: 'fts5_sync',
    what: 'the index has a row too many',
    sql: `INSERT INTO node_index (rowid, label, body) VALUES (9999, 'nobody', 'knows')`,
  },
  {
    check: 'fts5_sync',
    what: 'the index has other words for a node',
    sql: `${unindexFirst}; INSERT INTO node_index (rowid, label, body)
      SELECT key, 'wrong', 'words' FROM (${FIRST_INDEXED})`,
  },
  { check: 'fts5_sync', what: 'the index is empty', sql: 'DELETE FROM node_index_data' },
  {
    check: 'fts5_sync',
    what: 'the index is garbage',
    sql: `UPDATE node_index_data SET block = x'7f7f7f7f7f'`,
  },
  {
    check: 'fts5_sync',
    what: 'a part of the index is garbage',
    sql: 'UPDATE node_index_data SET block = zeroblob(50) WHERE id > 10',
  },
  { check: 'fts5_sync', what: 'the index has no version', sql: 'DELETE FROM node_index_config' },
  {
    check: 'fts5_sync',
    what: 'the index lost a setting',
    sql: `DELETE FROM node_index_config WHERE k = 'hashsize'`,
  },
  { check: 'schema_objects', what: 'the index lost a table', sql: 'DROP TABLE node_index_data' },
  { check: 'schema_objects', what: 'the index lost its settings', sql: 'DROP TABLE node_index_config' },
  { check: 'schema_objects', what: 'the index is gone', sql: 'DROP TABLE node_index' },
  { check: 'schema_objects', what: 'an index of a table is gone', sql: 'DROP INDEX nodes_by_parent' },
  { check: 'schema_objects', what: 'a view is gone', sql: 'DROP VIEW node_index_rows' },
  {
    check: 'foreign_keys',
    what: 'a snapshot before another is lost',
    sql: 'DELETE FROM snapshots WHERE id = 2',
  },
  {
    check: 'missing_text',
    what: 'a node refers to another text than its newest version',
    sql: `UPDATE nodes SET text_id = 9999 WHERE removed_in IS NULL`,
  },
  {
    check: 'missing_text',
    what: 'a version refers to a text that never was',
    sql: `UPDATE versions SET text_id = 9999 WHERE node_key IN (${LIVE})`,
  },
  {
    check: 'missing_text',
    what: 'a version is lost, and the text of another',
    sql: `DELETE FROM versions WHERE node_key = 1; UPDATE versions SET text_id = 9999 WHERE node_key = 2`,
  },
  {
    check: 'labels',
    what: 'a label is wrong',
    sql: `UPDATE nodes SET label = 'HACKED' WHERE removed_in IS NULL`,
  },
  {
    check: 'unreachable_nodes',
    what: 'a node is below its own child',
    sql: 'UPDATE nodes SET parent_key = 2 WHERE key = 1',
  },
  {
    check: 'unreachable_nodes',
    what: 'a node is below itself',
    sql: 'UPDATE nodes SET parent_key = key WHERE key IN (1, 2)',
  },
  {
    check: 'orphan_parent_id',
    what: 'a parent does not exist',
    sql: 'UPDATE nodes SET parent_key = 9999 WHERE parent_key IS NOT NULL AND removed_in IS NULL',
  },
  {
    check: 'head_cursor',
    what: 'HEAD is a snapshot that is not there',
    sql: 'UPDATE spaces SET head_id = 9999',
  },
  { check: 'head_cursor', what: 'HEAD is nothing', sql: 'UPDATE spaces SET head_id = NULL' },
  {
    check: 'dangling_diffs',
    what: 'the first snapshot is lost',
    sql: 'DELETE FROM snapshots WHERE id = (SELECT min(id) FROM snapshots)',
  },
  {
    check: 'dangling_diffs',
    what: 'the newest snapshot is lost',
    sql: 'DELETE FROM snapshots WHERE id = (SELECT max(id) FROM snapshots)',
  },
  { check: 'text_refs', what: 'a count is too high', sql: 'UPDATE texts SET refs = refs + 3' },
  { check: 'text_refs', what: 'a count is too low', sql: 'UPDATE texts SET refs = 0' },
  {
    check: 'text_refs',
    what: 'nobody refers to a text',
    sql: `INSERT INTO texts (owner_id, digest, refs, body) VALUES (1, x'00', 1, 'left over')`,
  },
  {
    check: 'text_refs',
    what: 'the versions of live nodes are lost',
    sql: `DELETE FROM versions WHERE node_key IN (${LIVE})`,
  },
  { check: 'links', what: 'a heading lost its name', sql: 'UPDATE nodes SET name = NULL' },
  {
    check: 'links',
    what: 'a heading has the name of another',
    sql: `UPDATE nodes SET name = 'x' WHERE type = 'heading'`,
  },
  {
    check: 'links',
    what: 'a node has other links than its version',
    sql: `UPDATE nodes SET links = '[["x",1,"",""]]'`,
  },
  {
    check: 'links',
    what: 'the links of the texts are lost',
    sql: `DELETE FROM links WHERE origin = 'parsed'`,
  },
  {
    check: 'links',
    what: 'a document without a path has a name',
    sql: `INSERT INTO document_names (document_id, name, is_alias)
      SELECT id, 'stray', 0 FROM documents WHERE kind NOT IN ('source', 'file') LIMIT 1`,
  },
  { check: 'links', what: 'a link has another weight', sql: 'UPDATE links SET weight = 7' },
  { check: 'links', what: 'a link leads nowhere', sql: 'UPDATE links SET target_key = NULL' },
  { check: 'links', what: 'links lead elsewhere', sql: 'UPDATE links SET target_key = source_key' },
  { check: 'links', what: 'links sleep that should not', sql: 'UPDATE links SET asleep = 1' },
  { check: 'counters', what: 'a counter is off', sql: `UPDATE counters SET value = value + 1` },
  { check: 'counters', what: 'counters are gone', sql: 'DELETE FROM counters' },
  {
    check: 'counters',
    what: 'a counter counts what is not there',
    sql: `INSERT INTO counters VALUES (1, 'nodes.table', 7)`,
  },
  {
    check: 'cursor_hash',
    what: 'the state digest is wrong',
    sql: `UPDATE spaces SET state_digest = x'0123456789abcdef'`,
  },
  {
    check: 'cursor_hash',
    what: "HEAD's hash is wrong",
    sql: `UPDATE snapshots SET cursor_hash = 'wrong' WHERE id = (SELECT head_id FROM spaces)`,
  },
  {
    check: 'cursor_hash',
    what: "a node's share is wrong",
    sql: `UPDATE nodes SET mark = x'0000000000000001' WHERE removed_in IS NULL`,
  },
  {
    check: 'cursor_hash',
    what: "a node's share is no number",
    sql: `UPDATE nodes SET mark = 'x' WHERE removed_in IS NULL`,
  },
  { check: 'heat', what: 'nodes have no heat', sql: 'DELETE FROM heat WHERE node_key < 3' },
  { check: 'heat', what: 'a node is too hot', sql: 'UPDATE heat SET value = 1.5 WHERE node_key = 1' },
  { check: 'heat', what: 'heat is no number', sql: `UPDATE heat SET value = 'warm' WHERE node_key = 1` },
  {
    check: 'heat',
    what: 'a node is warmed in the future',
    sql: 'UPDATE heat SET clock = 5 WHERE node_key = 1',
  },
  { check: 'heat', what: 'a node is not in the order', sql: 'UPDATE heat SET coldness = NULL' },
  { check: 'heat', what: 'the order is wrong', sql: 'UPDATE heat SET coldness = 0 WHERE node_key = 1' },
  {
    check: 'heat',
    what: 'a stone-cold node is not the first',
    sql: 'UPDATE heat SET value = 0 WHERE node_key = 1',
  },
  {
    check: 'heat',
    what: 'a pinned node is in the order',
    sql: 'UPDATE heat SET pinned = 1 WHERE node_key = 1',
  },
  {
    check: 'heat',
    what: 'a removed node is in the order',
    sql: `UPDATE heat SET coldness = 0 WHERE node_key NOT IN (${LIVE})`,
  },
  { check: 'heat', what: 'the clock is ahead of time', sql: 'UPDATE spaces SET heat_ticked_at = 9e15' },
  {
    check: 'leases',
    what: 'a lease never ends',
    sql: `INSERT INTO leases (space_id, name, holder, expires_at) VALUES (1, 'tick', 'gone', 9e15)`,
  },
  {
    check: 'files',
    what: 'a file has no name',
    sql: insertFile({ path: `''` }),
  },
  { check: 'files', what: 'a file is outside its root', sql: insertFile({ path: `'../x.md'` }) },
  { check: 'files', what: 'a file is in no root', sql: insertFile({ root: `''` }) },
  { check: 'files', what: 'a file has no digest', sql: insertFile({ digest: `x''` }) },
  { check: 'files', what: 'a size is no number', sql: insertFile({ size: `'large'` }) },
  { check: 'files', what: 'a failure has a line but no reason', sql: insertFile({ line: '3' }) },
  { check: 'files', what: 'a failure has an empty reason', sql: insertFile({ reason: `''` }) },
  {
    check: 'files',
    what: 'an erased file is still known by its digest',
    sql: `${insertFile({})}; INSERT INTO documents (space_id, owner_id, kind, collection, name, state, created_at, updated_at)
      VALUES (1, 1, 'source', '.', 'x.md', 'erased', 0, 0)`,
  },
  {
    check: 'documents',
    what: 'a tag is lost',
    sql: `UPDATE documents SET attributes = '{"tags":["a"]}' WHERE id = 1`,
  },
  {
    check: 'documents',
    what: 'a tag belongs to nobody',
    sql: `INSERT INTO document_tags (tag, document_id, word) VALUES ('x', 1, '#x')`,
  },
  {
    check: 'documents',
    what: 'an access is of no number',
    sql: `UPDATE documents SET accesses = 0, accessed_at = 0 WHERE id = 1`,
  },
  {
    check: 'documents',
    what: 'a document that is gone was asked for',
    sql: `INSERT INTO documents (space_id, owner_id, kind, collection, name, state, created_at, updated_at, accesses, accessed_at)
      VALUES (1, 1, 'key', '', 'x', 'removed', 0, 0, 1, 0)`,
  },
  {
    check: 'documents',
    what: 'a key is not counted',
    sql: `INSERT INTO documents (space_id, owner_id, kind, collection, name, created_at, updated_at, attributes)
      VALUES (1, 1, 'key', '', 'x', 0, 0, '{}')`,
  },
  {
    check: 'documents',
    what: 'a record is counted that is not there',
    sql: `INSERT INTO door_counts VALUES (1, 'record', 'live', 0, 'core', 'high', '', 1, 10)`,
  },
  {
    check: 'documents',
    what: 'a tag is counted that nobody has',
    sql: `INSERT INTO tag_counts VALUES (1, 'key', 'x', 1)`,
  },
  {
    check: 'pending_scrub',
    what: 'removed text waits to be overwritten',
    sql: 'INSERT INTO scrubs (requested_at) VALUES (0)',
  },
]

/** A row that is sound but for what is given. */
function insertFile(
  given: Partial<Record<'root' | 'path' | 'size' | 'digest' | 'line' | 'reason', string>>,
): string {
  const row = {
    root: `'.'`,
    path: `'x.md'`,
    size: '1',
    digest: 'zeroblob(16)',
    line: 'NULL',
    reason: 'NULL',
    ...given,
  }
  return `INSERT INTO files (space_id, modified_at, changed_at, inode, scanned_at, parser, ${Object.keys(row).join(', ')})
    VALUES (1, 1, 1, '1', 1, 'p', ${Object.values(row).join(', ')})`
}
