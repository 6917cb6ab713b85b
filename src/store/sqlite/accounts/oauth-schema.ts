/**
 * Passwords, logins, and what the authorization server keeps. A grant has no foreign key to its client: a client that is known by
 * a metadata document has no row.
 */
export const OAUTH = `
  CREATE TABLE passwords (
    number INTEGER PRIMARY KEY,
    user_id TEXT NOT NULL UNIQUE REFERENCES users (id) ON DELETE CASCADE,
    hash TEXT NOT NULL,
    changed_at INTEGER NOT NULL
  ) STRICT;
  CREATE TABLE logins (
    number INTEGER PRIMARY KEY,
    id TEXT NOT NULL UNIQUE,
    user_id TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    created_at INTEGER NOT NULL,
    expires_at INTEGER NOT NULL
  ) STRICT;
  CREATE INDEX logins_by_user ON logins (user_id);
  CREATE INDEX logins_by_end ON logins (expires_at);
  CREATE TABLE oauth_clients (
    number INTEGER PRIMARY KEY,
    id TEXT NOT NULL UNIQUE,
    name TEXT NOT NULL,
    user_id TEXT REFERENCES users (id) ON DELETE CASCADE,
    metadata TEXT NOT NULL,
    created_at INTEGER NOT NULL
  ) STRICT;
  CREATE INDEX oauth_clients_by_user ON oauth_clients (user_id);
  CREATE TABLE grants (
    number INTEGER PRIMARY KEY,
    id TEXT NOT NULL UNIQUE,
    user_id TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    client_id TEXT NOT NULL,
    space_id TEXT NOT NULL REFERENCES spaces (id) ON DELETE CASCADE,
    client_name TEXT NOT NULL,
    scopes TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    expires_at INTEGER,
    last_used_at INTEGER,
    revoked_at INTEGER,
    UNIQUE (user_id, client_id, space_id)
  ) STRICT;
  CREATE INDEX grants_by_client ON grants (client_id);
  CREATE INDEX grants_by_space ON grants (space_id);
  CREATE TABLE oauth_records (
    number INTEGER PRIMARY KEY,
    kind TEXT NOT NULL,
    id TEXT NOT NULL,
    grant_id TEXT REFERENCES grants (id) ON DELETE CASCADE,
    uid TEXT,
    payload TEXT NOT NULL,
    expires_at INTEGER,
    consumed_at INTEGER,
    UNIQUE (kind, id)
  ) STRICT;
  CREATE INDEX oauth_records_by_grant ON oauth_records (grant_id);
  CREATE INDEX oauth_records_by_uid ON oauth_records (kind, uid);
  CREATE INDEX oauth_records_by_end ON oauth_records (expires_at);
  CREATE TABLE server_secrets (
    number INTEGER PRIMARY KEY,
    id TEXT NOT NULL UNIQUE,
    kind TEXT NOT NULL,
    value TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    expires_at INTEGER
  ) STRICT;
`
