import type { Database } from 'better-sqlite3'
import { countedLinks } from './links.ts'
import { statement } from './statements.ts'

const IS_EXPIRED = `d.attributes ->> '$.expires_at' IS NOT NULL AND d.attributes ->> '$.expires_at' <= ?
  AND +d.kind = 'key' AND +d.state = 'live'`

/**
 * Whether a key has expired that nobody has removed yet: one lookup in an index of nothing but what expires. (The pluses leave
 * SQLite no other index to choose.)
 */
export function expiredLookup(db: Database): (now: number) => boolean {
  const first = statement<[number]>(db, `SELECT 1 FROM documents d WHERE ${IS_EXPIRED} LIMIT 1`)
  return (now) => first().get(now) !== undefined
}

const HIDDEN = '(SELECT key FROM temp.expired_nodes)'

/**
 * Everything that knows of nodes, without those of expired keys. SQLite looks for a name among the temporary ones first: so
 * every query is asked of these, as it stands, and none can forget to leave something out. What a statement costs stays the
 * same, because each of these is one table and a condition.
 */
const VIEWS = `
CREATE TEMP TABLE expired_nodes (key INTEGER PRIMARY KEY);
CREATE TEMP TABLE expired_counts (name TEXT PRIMARY KEY, value INTEGER NOT NULL);
CREATE TEMP VIEW nodes AS SELECT * FROM main.nodes WHERE key NOT IN ${HIDDEN};
CREATE TEMP VIEW heat AS SELECT * FROM main.heat WHERE node_key NOT IN ${HIDDEN};
CREATE TEMP VIEW links AS SELECT * FROM main.links
  WHERE source_key NOT IN ${HIDDEN} AND (target_key IS NULL OR target_key NOT IN ${HIDDEN});
CREATE TEMP VIEW node_index AS SELECT rowid, node_index, label, body, rank FROM main.node_index WHERE rowid NOT IN ${HIDDEN};
CREATE TEMP VIEW node_index_docsize AS SELECT * FROM main.node_index_docsize WHERE id NOT IN ${HIDDEN};
CREATE TEMP VIEW counters AS SELECT c.space_id, c.name, c.value - coalesce(e.value, 0) AS value
  FROM main.counters c LEFT JOIN temp.expired_counts e ON e.name = c.name;`

const HIDE_NODES = `INSERT INTO temp.expired_nodes SELECT n.key FROM main.documents d
  CROSS JOIN main.nodes n ON n.document_id = d.id WHERE ${IS_EXPIRED} AND n.removed_in IS NULL`

const HIDDEN_LINKS = `(SELECT * FROM main.links WHERE source_key IN ${HIDDEN}
  UNION SELECT * FROM main.links WHERE target_key IN ${HIDDEN})`
const HIDE_COUNTS = `INSERT INTO temp.expired_counts
  WITH hidden AS (SELECT n.type, n.tokens FROM temp.expired_nodes e CROSS JOIN main.nodes n ON n.key = e.key)
  SELECT 'nodes' AS name, count(*) AS value FROM hidden
  UNION ALL SELECT 'tokens', coalesce(sum(tokens), 0) FROM hidden
  UNION ALL SELECT 'nodes.' || type, count(*) FROM hidden GROUP BY type
  UNION ALL ${countedLinks(HIDDEN_LINKS)}`

/**
 * Makes a handle leave out the nodes of keys that have expired. The answer is to be called in every transaction; its end undoes
 * it. The database itself stays one that this handle cannot write to.
 */
export function hideExpired(db: Database): (now: number) => void {
  db.pragma('temp_store = MEMORY')
  const writingTemporary = (work: () => void): void => {
    db.pragma('query_only = OFF')
    try {
      work()
    } finally {
      db.pragma('query_only = ON')
    }
  }
  writingTemporary(() => db.exec(VIEWS))
  const nodes = statement<[number]>(db, HIDE_NODES)
  const counts = statement<[]>(db, HIDE_COUNTS)
  return (now) =>
    writingTemporary(() => {
      nodes().run(now)
      counts().run()
    })
}
