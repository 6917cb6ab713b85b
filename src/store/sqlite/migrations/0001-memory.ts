/**
 * One model for all four doors: documents have an address, documents become nodes, nodes have versions.
 *
 * Nodes are never deleted while history knows them: `removed_in` marks the snapshot that took one away, so an id is
 * never given to something else. Texts have no inbound foreign keys (deleting one would scan every referrer); their
 * `refs` count versions and documents (with theirs), and doctor recounts it.
 */
export const memory = `
CREATE TABLE spaces (
  id INTEGER PRIMARY KEY,
  name TEXT NOT NULL UNIQUE,
  home TEXT,
  head_id INTEGER REFERENCES snapshots (id) DEFERRABLE INITIALLY DEFERRED,
  state_digest BLOB NOT NULL,
  heat_clock REAL NOT NULL DEFAULT 0,
  heat_ticked_at INTEGER NOT NULL
);

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
  updated_at INTEGER NOT NULL,
  UNIQUE (space_id, owner_id, kind, collection, name)
);

CREATE TABLE document_versions (
  document_id INTEGER NOT NULL REFERENCES documents (id),
  snapshot_id INTEGER NOT NULL REFERENCES snapshots (id),
  state TEXT NOT NULL,
  text_id INTEGER,
  digest BLOB,
  PRIMARY KEY (document_id, snapshot_id)
) WITHOUT ROWID;
CREATE INDEX document_versions_by_snapshot ON document_versions (snapshot_id);

CREATE TABLE texts (
  id INTEGER PRIMARY KEY,
  owner_id INTEGER NOT NULL REFERENCES owners (id),
  digest BLOB NOT NULL,
  refs INTEGER NOT NULL,
  body TEXT NOT NULL,
  UNIQUE (owner_id, digest)
);

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
);
CREATE INDEX nodes_by_document ON nodes (document_id, parent_key, position);
CREATE INDEX nodes_by_parent ON nodes (parent_key, position);

CREATE TABLE versions (
  node_key INTEGER NOT NULL REFERENCES nodes (key),
  snapshot_id INTEGER NOT NULL REFERENCES snapshots (id),
  op TEXT NOT NULL CHECK (op IN ('add', 'mod', 'rem')),
  parent_key INTEGER,
  position TEXT,
  type TEXT,
  format TEXT,
  label TEXT,
  text_id INTEGER,
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

-- coldness = ln(value) + clock orders nodes by heat at any time; null for pinned and removed nodes.
CREATE TABLE heat (
  node_key INTEGER PRIMARY KEY REFERENCES nodes (key),
  value REAL NOT NULL,
  clock REAL NOT NULL,
  pinned INTEGER NOT NULL DEFAULT 0,
  accesses INTEGER NOT NULL DEFAULT 0,
  accessed_at INTEGER,
  coldness REAL
);
CREATE INDEX heat_by_coldness ON heat (coldness) WHERE coldness IS NOT NULL;
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

CREATE TABLE leases (
  space_id INTEGER NOT NULL REFERENCES spaces (id),
  name TEXT NOT NULL,
  holder TEXT NOT NULL,
  expires_at INTEGER NOT NULL,
  PRIMARY KEY (space_id, name)
) WITHOUT ROWID;

-- A row for each removal of text whose last traces (journal, free pages) are still to be overwritten.
CREATE TABLE scrubs (
  id INTEGER PRIMARY KEY,
  requested_at INTEGER NOT NULL
);

-- What the search index holds of a node, and the only place that says so. A text's label is its own beginning and a
-- heading's text is its label: neither is indexed twice.
CREATE VIEW node_index_rows AS
  SELECT n.key AS key,
    CASE WHEN n.type = 'text' THEN '' ELSE n.label END AS label,
    CASE WHEN n.type = 'heading' AND n.label = t.body THEN '' ELSE t.body END AS body
  FROM nodes n JOIN texts t ON t.id = n.text_id
  WHERE n.removed_in IS NULL;

CREATE VIRTUAL TABLE node_index USING fts5 (
  label, body,
  content = 'node_index_rows', content_rowid = 'key',
  tokenize = 'porter unicode61 remove_diacritics 2'
);
-- How much of a transaction's index is gathered before it is written: a big compile takes a third less time.
INSERT INTO node_index (node_index, rank) VALUES ('hashsize', 16777216);
`
