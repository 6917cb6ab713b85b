import type { Database } from 'better-sqlite3'
import { statement } from './statements.ts'
import { dataVersion } from './unchanged.ts'

const EXPIRES_AT = `d.attributes ->> '$.expires_at'`
/** From an index of nothing but what expires: the pluses leave SQLite no other to choose. */
const EXPIRING = `main.documents d WHERE ${EXPIRES_AT} IS NOT NULL AND +d.kind = 'key' AND +d.state = 'live'`

/**
 * Whether a key has expired that nobody has removed yet. When the next one does is asked again only after somebody has written:
 * every read asks this.
 */
export function expiredLookup(db: Database): (now: number) => boolean {
  const version = dataVersion(db)
  const first = statement<[], { at: number }>(
    db,
    `SELECT ${EXPIRES_AT} AS at FROM ${EXPIRING} ORDER BY ${EXPIRES_AT} LIMIT 1`,
  )
  let known: { version: number; at: number } | undefined
  return (now) => {
    const current = version()
    if (known?.version !== current)
      known = { version: current, at: first().get()?.at ?? Number.POSITIVE_INFINITY }
    return known.at <= now
  }
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

const HIDE_NODES = `INSERT INTO temp.expired_nodes SELECT n.key
  FROM (SELECT d.id FROM ${EXPIRING} AND ${EXPIRES_AT} <= ?) d
  CROSS JOIN main.nodes n ON n.document_id = d.id WHERE n.removed_in IS NULL`

const HIDDEN_LINKS = `(SELECT * FROM main.links WHERE source_key IN ${HIDDEN}
  UNION SELECT * FROM main.links WHERE target_key IN ${HIDDEN})`
/** As `countLinks` does it. */
const HIDDEN_EDGES = `SELECT 'relations.' || origin AS name, count(*) AS value FROM
    (SELECT DISTINCT source_key, origin, target_key FROM ${HIDDEN_LINKS} WHERE asleep = 0 AND target_key IS NOT NULL)
    GROUP BY origin
  UNION ALL SELECT 'relations_pending', count(*) FROM ${HIDDEN_LINKS} WHERE asleep = 0 AND target_key IS NULL`
const HIDE_COUNTS = `INSERT INTO temp.expired_counts
  WITH hidden AS (SELECT n.type, n.tokens FROM temp.expired_nodes e CROSS JOIN main.nodes n ON n.key = e.key)
  SELECT 'nodes' AS name, count(*) AS value FROM hidden
  UNION ALL SELECT 'tokens', coalesce(sum(tokens), 0) FROM hidden
  UNION ALL SELECT 'nodes.' || type, count(*) FROM hidden GROUP BY type
  UNION ALL ${HIDDEN_EDGES}`

/** The last moment at which a key expired, and the next. */
const BOUNDS = `SELECT
  (SELECT ${EXPIRES_AT} FROM ${EXPIRING} AND ${EXPIRES_AT} <= @now ORDER BY ${EXPIRES_AT} DESC LIMIT 1) AS since,
  (SELECT ${EXPIRES_AT} FROM ${EXPIRING} AND ${EXPIRES_AT} > @now ORDER BY ${EXPIRES_AT} LIMIT 1) AS until`

/**
 * Makes a handle leave out the nodes of keys that have expired. The answer is to be called in every transaction. What it found
 * is kept while nobody writes and no other key expires, if the transaction is committed. The database itself stays one that this
 * handle cannot write to.
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
  const version = dataVersion(db)
  const bounds = statement<[{ now: number }], { since: number | null; until: number | null }>(db, BOUNDS)
  const nodes = statement<[number]>(db, HIDE_NODES)
  const counts = statement<[]>(db, HIDE_COUNTS)
  // Kept with the tables: what is taken back with them is not known any more.
  const kept = statement<[], { user_version: number }>(db, 'PRAGMA temp.user_version')
  let round = 0
  let known: { version: number; since: number; until: number } | undefined

  function isKnown(now: number): boolean {
    if (known?.version !== version() || kept().get()?.user_version !== round) return false
    return known.since <= now && now < known.until
  }
  return (now) => {
    if (isKnown(now)) return
    const { since, until } = bounds().get({ now }) ?? {}
    known = {
      version: version(),
      since: since ?? Number.NEGATIVE_INFINITY,
      until: until ?? Number.POSITIVE_INFINITY,
    }
    writingTemporary(() => {
      db.exec(`DELETE FROM temp.expired_nodes; DELETE FROM temp.expired_counts`)
      nodes().run(now)
      counts().run()
      db.pragma(`temp.user_version = ${++round}`)
    })
  }
}
