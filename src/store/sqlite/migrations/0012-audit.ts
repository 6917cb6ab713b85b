/**
 * Who did what: a chain of entries. The hash of each covers all entries before it. Its head is in a row that every write changes anyway;
 * `audit_removed`: the newest entry that retention removed.
 */
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

ALTER TABLE spaces ADD COLUMN audit_number INTEGER NOT NULL DEFAULT 0;
ALTER TABLE spaces ADD COLUMN audit_hash BLOB NOT NULL DEFAULT x'';
ALTER TABLE spaces ADD COLUMN audit_removed INTEGER NOT NULL DEFAULT 0;
ALTER TABLE spaces ADD COLUMN audit_removed_hash BLOB NOT NULL DEFAULT x'';
`
