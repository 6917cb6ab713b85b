/**
 * Checkpoints: names of snapshots. Moves: the address that a document had until a snapshot moved it, so that a read of the past shows
 * the path of then.
 */
export const moments = `
CREATE TABLE checkpoints (
  space_id INTEGER NOT NULL REFERENCES spaces (id),
  name TEXT NOT NULL,
  snapshot_id INTEGER NOT NULL REFERENCES snapshots (id) DEFERRABLE INITIALLY DEFERRED,
  author TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  PRIMARY KEY (space_id, name)
) WITHOUT ROWID;
CREATE INDEX checkpoints_by_snapshot ON checkpoints (snapshot_id);

CREATE TABLE document_moves (
  document_id INTEGER NOT NULL REFERENCES documents (id),
  snapshot_id INTEGER NOT NULL REFERENCES snapshots (id) DEFERRABLE INITIALLY DEFERRED,
  collection TEXT NOT NULL,
  name TEXT NOT NULL,
  PRIMARY KEY (document_id, snapshot_id)
) WITHOUT ROWID;
CREATE INDEX document_moves_by_snapshot ON document_moves (snapshot_id);
`
