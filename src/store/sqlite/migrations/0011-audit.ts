/** Who did what: a chain of entries, each with the hash of everything before it. The head also has where retention ended. */
export const audit = `
CREATE TABLE audit (
  number INTEGER PRIMARY KEY,
  space_id INTEGER NOT NULL REFERENCES spaces (id),
  at INTEGER NOT NULL,
  event TEXT NOT NULL,
  user_id TEXT NOT NULL,
  principal_id TEXT NOT NULL,
  address TEXT NOT NULL,
  subject_kind TEXT NOT NULL,
  subject TEXT NOT NULL,
  hash BLOB NOT NULL
);

CREATE TABLE audit_heads (
  space_id INTEGER PRIMARY KEY REFERENCES spaces (id),
  number INTEGER NOT NULL,
  hash BLOB NOT NULL,
  removed_number INTEGER NOT NULL,
  removed_hash BLOB NOT NULL
);
`
