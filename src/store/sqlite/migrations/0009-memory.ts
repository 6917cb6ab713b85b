/**
 * One model for all four doors: documents have an address, documents become nodes, nodes have versions.
 *
 * The first schema that databases are kept from. Eight that were never released led to it, so some columns stand where
 * `ALTER TABLE` put them: a database is compared with this text to the letter.
 */
export const memory = `
-- heat_frozen: the clock stands still while this is set. cold_below: below which heat nodes were last reported as cold; one
-- that is warmed to it can be reported again.
CREATE TABLE spaces (
  id INTEGER PRIMARY KEY,
  name TEXT NOT NULL UNIQUE,
  home TEXT,
  head_id INTEGER REFERENCES snapshots (id) DEFERRABLE INITIALLY DEFERRED,
  state_digest BLOB NOT NULL,
  heat_clock REAL NOT NULL DEFAULT 0,
  heat_ticked_at INTEGER NOT NULL
, heat_frozen INTEGER NOT NULL DEFAULT 0, cold_below REAL NOT NULL DEFAULT 0);

CREATE TABLE owners (
  id INTEGER PRIMARY KEY,
  space_id INTEGER NOT NULL REFERENCES spaces (id),
  name TEXT NOT NULL,
  UNIQUE (space_id, name)
);

CREATE TABLE snapshots (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  space_id INTEGER NOT NULL REFERENCES spaces (id),
  parent_id INTEGER REFERENCES snapshots (id) DEFERRABLE INITIALLY DEFERRED,
  cursor_hash TEXT NOT NULL,
  author TEXT NOT NULL,
  operation TEXT NOT NULL,
  message TEXT NOT NULL,
  root TEXT NOT NULL,
  created_at INTEGER NOT NULL
);
CREATE INDEX snapshots_by_parent ON snapshots (parent_id);

-- collection and name are the address. source: compile root, path under it. file: memory node, scope and thread; path.
-- note: '', id. record: '', uuid. key: '', key.
-- attributes: JSON, null for files on disk and notes. appended: the text is not in text_id but in the versions: the newest
-- whole one (lead is null) and every piece since then, each between its lead and trail.
-- accesses, accessed_at: how often it was asked for through its door; not versioned.
CREATE TABLE documents (
  id INTEGER PRIMARY KEY,
  space_id INTEGER NOT NULL REFERENCES spaces (id),
  owner_id INTEGER NOT NULL REFERENCES owners (id),
  kind TEXT NOT NULL CHECK (kind IN ('source', 'note', 'record', 'key', 'file')),
  collection TEXT NOT NULL DEFAULT '',
  name TEXT NOT NULL,
  state TEXT NOT NULL DEFAULT 'live' CHECK (state IN ('live', 'removed', 'erased')),
  text_id INTEGER,
  digest BLOB,
  revision INTEGER NOT NULL DEFAULT 1,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL, attributes TEXT, appended INTEGER NOT NULL DEFAULT 0, accesses INTEGER NOT NULL DEFAULT 0, accessed_at INTEGER,
  UNIQUE (space_id, owner_id, kind, collection, name)
);
CREATE INDEX documents_by_expiry ON documents (attributes ->> '$.expires_at')
  WHERE attributes ->> '$.expires_at' IS NOT NULL;
-- A page of records costs what it shows: one type, archived or not, in one order.
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

CREATE TABLE document_versions (
  document_id INTEGER NOT NULL REFERENCES documents (id),
  snapshot_id INTEGER NOT NULL REFERENCES snapshots (id),
  state TEXT NOT NULL,
  text_id INTEGER,
  digest BLOB, attributes TEXT, lead TEXT, trail TEXT,
  PRIMARY KEY (document_id, snapshot_id)
) WITHOUT ROWID;
CREATE INDEX document_versions_by_snapshot ON document_versions (snapshot_id);

-- What $.tags of a document says that is not removed, for lookups.
CREATE TABLE document_tags (
  tag TEXT NOT NULL,
  document_id INTEGER NOT NULL REFERENCES documents (id),
  -- As a search asks for it: see core/find/tags.ts.
  word TEXT NOT NULL,
  PRIMARY KEY (tag, document_id)
) WITHOUT ROWID;
CREATE INDEX document_tags_by_word ON document_tags (word);
CREATE INDEX document_tags_by_document ON document_tags (document_id);

-- Names that links find a file by, and the aliases of its front matter: of every document with a path that has nodes.
CREATE TABLE document_names (
  document_id INTEGER NOT NULL REFERENCES documents (id),
  name TEXT NOT NULL,
  is_alias INTEGER NOT NULL,
  PRIMARY KEY (document_id, name)
) WITHOUT ROWID;
CREATE INDEX document_names_by_name ON document_names (name);

-- Keys and records that are live or erased. An attribute that is not there is ''; bytes are those of texts of records.
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

-- No inbound foreign keys: deleting a text would scan every referrer. refs counts nodes' versions, documents and their
-- versions; doctor recounts it.
CREATE TABLE texts (
  id INTEGER PRIMARY KEY,
  owner_id INTEGER NOT NULL REFERENCES owners (id),
  digest BLOB NOT NULL,
  refs INTEGER NOT NULL,
  body TEXT NOT NULL,
  UNIQUE (owner_id, digest)
);

-- Never deleted while history knows them: removed_in marks the snapshot that took one away, so an id is never given to
-- something else. links: what the text asks for, and part of what its versions say. name: of a live heading, its label as
-- links look for it.
CREATE TABLE nodes (
  key INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  document_id INTEGER NOT NULL REFERENCES documents (id),
  parent_key INTEGER REFERENCES nodes (key) DEFERRABLE INITIALLY DEFERRED,
  position TEXT NOT NULL,
  type TEXT NOT NULL,
  format TEXT NOT NULL,
  tokens INTEGER NOT NULL,
  text_id INTEGER,
  mark BLOB,
  removed_in INTEGER,
  label TEXT NOT NULL
, links TEXT, name TEXT);
CREATE INDEX nodes_by_document ON nodes (document_id, parent_key, position);
CREATE INDEX nodes_by_parent ON nodes (parent_key, position);
CREATE INDEX nodes_by_name ON nodes (name) WHERE name IS NOT NULL;

CREATE TABLE versions (
  node_key INTEGER NOT NULL REFERENCES nodes (key),
  snapshot_id INTEGER NOT NULL REFERENCES snapshots (id),
  op TEXT NOT NULL CHECK (op IN ('add', 'mod', 'rem')),
  parent_key INTEGER,
  position TEXT,
  type TEXT,
  format TEXT,
  label TEXT,
  text_id INTEGER, links TEXT,
  PRIMARY KEY (node_key, snapshot_id)
) WITHOUT ROWID;
CREATE INDEX versions_by_snapshot ON versions (snapshot_id);

-- What the file says of a node, kept while the memory says something else. No digest: the file does not have it.
-- It holds the digest of the file's text, never the text: pruned or erased text must not survive here.
CREATE TABLE overlays (
  node_key INTEGER PRIMARY KEY REFERENCES nodes (key),
  operation TEXT NOT NULL,
  parent_key INTEGER,
  position TEXT,
  type TEXT,
  format TEXT,
  label TEXT,
  digest BLOB
);

-- A link is what a text or an agent asks for (label, source, target_id); target_key is the node it leads to now, null while
-- there is none. asleep: a manual link whose source is removed; it wakes when the source comes back. name, file and section
-- are parts of the label: a change of one of them decides which links are resolved again.
CREATE TABLE links (
  id INTEGER PRIMARY KEY,
  source_key INTEGER NOT NULL REFERENCES nodes (key),
  origin TEXT NOT NULL CHECK (origin IN ('parsed', 'manual')),
  label TEXT NOT NULL,
  name TEXT NOT NULL,
  source TEXT NOT NULL DEFAULT '',
  target_id TEXT NOT NULL DEFAULT '',
  weight REAL NOT NULL,
  -- Among the links of the same node and origin, in the order of the text or of making.
  place INTEGER NOT NULL,
  target_key INTEGER REFERENCES nodes (key) DEFERRABLE INITIALLY DEFERRED,
  asleep INTEGER NOT NULL DEFAULT 0,
  created_at INTEGER NOT NULL
, file TEXT NOT NULL DEFAULT '', section TEXT NOT NULL DEFAULT '');
CREATE INDEX links_by_source ON links (source_key);
CREATE INDEX links_by_target ON links (target_key) WHERE target_key IS NOT NULL;
CREATE INDEX links_by_name ON links (name, source, target_key) WHERE target_id = '';
CREATE INDEX links_by_id ON links (target_id) WHERE target_id <> '';
CREATE INDEX links_by_file ON links (file, section, target_key) WHERE file <> '';
CREATE INDEX links_by_section ON links (section) WHERE section <> '';

-- Times of the file system in microseconds, of scans in milliseconds. A reason: the file could not be parsed.
CREATE TABLE files (
  space_id INTEGER NOT NULL REFERENCES spaces (id),
  root TEXT NOT NULL,
  path TEXT NOT NULL,
  size INTEGER NOT NULL,
  modified_at INTEGER NOT NULL,
  changed_at INTEGER NOT NULL,
  inode TEXT NOT NULL,
  scanned_at INTEGER NOT NULL,
  digest BLOB NOT NULL,
  parser TEXT NOT NULL,
  line INTEGER,
  reason TEXT,
  PRIMARY KEY (space_id, root, path)
) WITHOUT ROWID;

-- coldness = ln(value) + clock orders nodes by heat at any time: stone-cold ones first (the logarithm of nothing), null for
-- pinned and removed ones. told: it was reported as cold and has not been warm since.
CREATE TABLE heat (
  node_key INTEGER PRIMARY KEY REFERENCES nodes (key),
  value REAL NOT NULL,
  clock REAL NOT NULL,
  pinned INTEGER NOT NULL DEFAULT 0,
  accesses INTEGER NOT NULL DEFAULT 0,
  accessed_at INTEGER,
  coldness REAL
, told INTEGER NOT NULL DEFAULT 0);
-- One index for both questions: what is coldest, and what is coldest of what was not reported.
CREATE INDEX heat_by_coldness ON heat (told, coldness) WHERE coldness IS NOT NULL;
CREATE INDEX heat_pinned ON heat (node_key) WHERE pinned = 1;

CREATE TABLE counters (
  space_id INTEGER NOT NULL REFERENCES spaces (id),
  name TEXT NOT NULL,
  value INTEGER NOT NULL,
  PRIMARY KEY (space_id, name)
) WITHOUT ROWID;

CREATE TABLE changes (
  sequence INTEGER PRIMARY KEY AUTOINCREMENT,
  space_id INTEGER NOT NULL REFERENCES spaces (id),
  kind TEXT NOT NULL,
  snapshot_id INTEGER,
  created_at INTEGER NOT NULL
);

-- detail: what the holder last did; other processes on the memory show it too.
CREATE TABLE leases (
  space_id INTEGER NOT NULL REFERENCES spaces (id),
  name TEXT NOT NULL,
  holder TEXT NOT NULL,
  expires_at INTEGER NOT NULL, detail TEXT,
  PRIMARY KEY (space_id, name)
) WITHOUT ROWID;

-- A row for each removal of text whose last traces (journal, free pages) are still to be overwritten.
CREATE TABLE scrubs (
  id INTEGER PRIMARY KEY,
  requested_at INTEGER NOT NULL
);

-- What the search index holds of a node: core/find/index-row.ts decides.
CREATE VIEW node_index_rows AS
  SELECT n.key AS key, label_words(n.type, n.label) AS label, text_words(n.type, n.label, t.body) AS body
  FROM nodes n JOIN texts t ON t.id = n.text_id
  WHERE n.removed_in IS NULL;

-- Words come from core/find/words.ts: FTS5 only splits at spaces, and its ascii tokenizer leaves everything beyond ASCII alone.
CREATE VIRTUAL TABLE node_index USING fts5 (
  label, body,
  content = 'node_index_rows', content_rowid = 'key',
  tokenize = "ascii tokenchars '+#'"
);
-- How much of a transaction's index is gathered before it is written: a big compile takes a third less time.
INSERT INTO node_index (node_index, rank) VALUES ('hashsize', 16777216);
`
