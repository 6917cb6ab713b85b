import type { Database } from 'better-sqlite3'
import { linkName } from '../../../core/link.ts'

/**
 * Links between nodes, what is known of the files on disk, and what the heat of a whole memory needs.
 *
 * A link is what a text or an agent asks for (label, source, target_id); `target_key` is the node it leads to now, null
 * while there is none. `asleep`: a manual link whose source is removed; it wakes when the source comes back.
 * `nodes.links` is what the text of a node asks for, and part of what its versions say.
 */
const SCHEMA = `
ALTER TABLE nodes ADD COLUMN links TEXT;
-- Of a live heading: its label as links look for it.
ALTER TABLE nodes ADD COLUMN name TEXT;
CREATE INDEX nodes_by_name ON nodes (name) WHERE name IS NOT NULL;
ALTER TABLE versions ADD COLUMN links TEXT;

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
);
CREATE INDEX links_by_source ON links (source_key);
CREATE INDEX links_by_target ON links (target_key) WHERE target_key IS NOT NULL;
CREATE INDEX links_by_name ON links (name, source, target_key) WHERE target_id = '';
CREATE INDEX links_by_id ON links (target_id) WHERE target_id <> '';

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

-- The clock stands still while this is set.
ALTER TABLE spaces ADD COLUMN heat_frozen INTEGER NOT NULL DEFAULT 0;
-- Below which heat nodes were last reported as cold: one that is warmed to it can be reported again.
ALTER TABLE spaces ADD COLUMN cold_below REAL NOT NULL DEFAULT 0;
-- It was reported as cold and has not been warm since.
ALTER TABLE heat ADD COLUMN told INTEGER NOT NULL DEFAULT 0;
-- One index for both questions: what is coldest, and what is coldest of what was not reported.
DROP INDEX heat_by_coldness;
CREATE INDEX heat_by_coldness ON heat (told, coldness) WHERE coldness IS NOT NULL;
-- Stone-cold nodes come first in the order of coldness: the logarithm of nothing.
UPDATE heat SET coldness = -9e999 WHERE value = 0 AND pinned = 0
  AND node_key IN (SELECT key FROM nodes WHERE removed_in IS NULL);
`

export function linksFilesHeat(db: Database): void {
  db.exec(SCHEMA)
  const headings = db.prepare<[], { key: number; label: string }>(
    `SELECT key, label FROM nodes WHERE type = 'heading' AND removed_in IS NULL`,
  )
  const name = db.prepare<[string, number]>('UPDATE nodes SET name = ? WHERE key = ?')
  for (const { key, label } of headings.all()) name.run(linkName(label), key)
}
