import type { Database } from 'better-sqlite3'
import { MemoryError } from '../../../core/errors.ts'
import { closing, openHandle, schemaOf } from '../database/driver.ts'
import { digestOf, schemaObjects } from '../database/schema.ts'
import { OAUTH } from './oauth-schema.ts'

/** 'RMDA': tells accounts from a memory, and from any other SQLite database. */
const APPLICATION_ID = 0x524d4441

/** `number` keeps rows in the order in which they were made, in every copy. Ids are random; see `core/accounts`. */
const FIRST = `
  CREATE TABLE users (
    number INTEGER PRIMARY KEY,
    id TEXT NOT NULL UNIQUE,
    name TEXT NOT NULL UNIQUE,
    is_admin INTEGER NOT NULL,
    created_at INTEGER NOT NULL,
    disabled_at INTEGER
  ) STRICT;
  CREATE TABLE spaces (
    number INTEGER PRIMARY KEY,
    id TEXT NOT NULL UNIQUE,
    name TEXT NOT NULL UNIQUE,
    created_at INTEGER NOT NULL,
    archived_at INTEGER
  ) STRICT;
  CREATE TABLE members (
    number INTEGER PRIMARY KEY,
    space_id TEXT NOT NULL REFERENCES spaces (id) ON DELETE CASCADE,
    user_id TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    role TEXT NOT NULL,
    added_at INTEGER NOT NULL,
    UNIQUE (space_id, user_id)
  ) STRICT;
  CREATE INDEX members_by_user ON members (user_id);
  CREATE TABLE api_keys (
    number INTEGER PRIMARY KEY,
    id TEXT NOT NULL UNIQUE,
    user_id TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    space_id TEXT NOT NULL REFERENCES spaces (id) ON DELETE CASCADE,
    parent_id TEXT REFERENCES api_keys (id) ON DELETE CASCADE,
    label TEXT NOT NULL,
    scopes TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    expires_at INTEGER,
    last_used_at INTEGER,
    revoked_at INTEGER,
    hash TEXT NOT NULL,
    previous_hash TEXT,
    previous_until INTEGER
  ) STRICT;
  CREATE INDEX api_keys_by_user ON api_keys (user_id);
  CREATE INDEX api_keys_by_space ON api_keys (space_id);
  CREATE INDEX api_keys_by_parent ON api_keys (parent_id);
`

/** Null: the default; -1: none. */
const LIMITS = `
  ALTER TABLE users ADD COLUMN memory_limit INTEGER;
  ALTER TABLE users ADD COLUMN byte_limit INTEGER;
`

/** As in a memory, for one server. */
const AUDIT = `
  CREATE TABLE audit (
    number INTEGER PRIMARY KEY,
    at INTEGER NOT NULL,
    event TEXT NOT NULL,
    user_id TEXT NOT NULL,
    principal_id TEXT NOT NULL,
    address TEXT NOT NULL,
    subject_kind TEXT NOT NULL,
    subject TEXT NOT NULL,
    hash BLOB NOT NULL
  ) STRICT;
  CREATE TABLE audit_heads (
    id INTEGER PRIMARY KEY,
    number INTEGER NOT NULL,
    hash BLOB NOT NULL,
    removed_number INTEGER NOT NULL,
    removed_hash BLOB NOT NULL
  ) STRICT;
`

/** Each leads from one schema to the next. */
const STEPS = [FIRST, LIMITS, AUDIT, OAUTH]

/** Whether there is nothing yet, or an older schema. Throws for what is not ours, or not as remindb made it. */
export function isOutdated(db: Database): boolean {
  // In one transaction: another process may be creating it.
  return db.transaction(() => {
    const isMarked = applicationId(db) !== 0 || schemaOf(db) !== 0
    if (!isMarked && schemaObjects(db).length === 0) return true
    refuseOthers(db)
    return schemaOf(db) < STEPS.length
  })()
}

/** Brings it to the newest schema. Safe when several processes do it at once. */
export function updateSchema(db: Database): void {
  const updateOnce = db.transaction(() => {
    if (!isOutdated(db)) return
    for (const step of STEPS.slice(schemaOf(db))) db.exec(step)
    db.pragma(`application_id = ${APPLICATION_ID}`)
    db.pragma(`user_version = ${STEPS.length}`)
  })
  updateOnce.immediate()
}

function refuseOthers(db: Database): void {
  if (applicationId(db) !== APPLICATION_ID)
    throw new MemoryError(
      'NOT_A_DATABASE',
      'auth.db is not a database of accounts; it was not changed. Check --spaces',
    )
  if (schemaOf(db) > STEPS.length)
    throw new MemoryError(
      'NEWER_DATABASE',
      `auth.db was written by a newer remindb (schema ${schemaOf(db)}, this one knows ${STEPS.length}); it was not changed. Upgrade remindb`,
    )
  if (digestOf(schemaObjects(db)) !== expectedDigest(schemaOf(db)))
    throw new MemoryError(
      'CORRUPTED_DATA',
      'auth.db has parts that remindb did not make, or lacks some that it made; it was not changed. Restore the newest backup',
    )
}

/** A trigger or a view could give access to somebody. */
function expectedDigest(schema: number): string {
  return closing(openHandle(':memory:'), (db) => {
    for (const step of STEPS.slice(0, schema)) db.exec(step)
    return digestOf(schemaObjects(db))
  })
}

function applicationId(db: Database): number {
  return db.pragma('application_id', { simple: true }) as number
}
