import type { Database } from 'better-sqlite3'
import { statement } from '../database/statements.ts'
import { dataVersion } from '../database/unchanged.ts'

const EXPIRES_AT = `d.attributes ->> '$.expires_at'`
/** Uses the index of expiring documents: the pluses exclude every other one. */
const EXPIRING = `main.documents d WHERE ${EXPIRES_AT} IS NOT NULL AND +d.kind = 'key' AND +d.state = 'live'`

const HIDDEN = '(SELECT key FROM temp.expired_nodes)'

/**
 * Views of every table that refers to nodes, without those of expired keys. SQLite resolves temporary names first, so every query
 * uses the views unchanged and none can miss the condition. Each is one table and a condition.
 */
export const VIEWS = {
  nodes: `SELECT * FROM main.nodes WHERE key NOT IN ${HIDDEN}`,
  heat: `SELECT * FROM main.heat WHERE node_key NOT IN ${HIDDEN}`,
  links: `SELECT * FROM main.links
    WHERE source_key NOT IN ${HIDDEN} AND (target_key IS NULL OR target_key NOT IN ${HIDDEN})`,
  node_index: `SELECT rowid, node_index, label, body, rank FROM main.node_index WHERE rowid NOT IN ${HIDDEN}`,
  node_index_docsize: `SELECT * FROM main.node_index_docsize WHERE id NOT IN ${HIDDEN}`,
  counters: `SELECT c.space_id, c.name, c.value - coalesce(e.value, 0) AS value
    FROM main.counters c LEFT JOIN temp.expired_counts e ON e.name = c.name`,
}
const CREATE = `CREATE TEMP TABLE expired_nodes (key INTEGER PRIMARY KEY);
  CREATE TEMP TABLE expired_counts (name TEXT PRIMARY KEY, value INTEGER NOT NULL);
  ${Object.entries(VIEWS)
    .map(([name, select]) => `CREATE TEMP VIEW ${name} AS ${select};`)
    .join('\n')}`
const DROP = `${Object.keys(VIEWS)
  .map((name) => `DROP VIEW IF EXISTS temp.${name};`)
  .join('\n')}
  DROP TABLE IF EXISTS temp.expired_nodes; DROP TABLE IF EXISTS temp.expired_counts;`

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
 * Makes a handle leave out the nodes of keys that have expired, for as long as there are any: the views are not free. Each
 * transaction calls `hide` or `show` before it reads. What is hidden stays hidden if the transaction is committed, and is looked up
 * again only after a write or when another key has expired. The database itself stays read-only for this handle.
 */
export function expiredKeys(db: Database) {
  const version = dataVersion(db)
  const bounds = statement<[{ now: number }], { since: number | null; until: number | null }>(db, BOUNDS)
  /** The state and the period of time for which the hidden keys are right. */
  let known: { version: number; since: number; until: number } | undefined
  let isHiding = false
  let round = 0

  /** Null: nothing is hidden. */
  function change(now: number | null): void {
    if (!isHiding && now === null) return
    round++
    db.pragma('query_only = OFF')
    try {
      if (isHiding) db.exec(DROP)
      isHiding = now !== null
      if (now === null) return
      db.exec(CREATE)
      db.prepare(HIDE_NODES).run(now)
      db.exec(HIDE_COUNTS)
    } finally {
      db.pragma('query_only = ON')
    }
  }
  return {
    hide(now: number): void {
      const current = version()
      if (known?.version === current && known.since <= now && now < known.until) return
      known = undefined
      const { since = null, until = null } = bounds().get({ now }) ?? {}
      change(since === null ? null : now)
      known = {
        version: current,
        since: since ?? Number.NEGATIVE_INFINITY,
        until: until ?? Number.POSITIVE_INFINITY,
      }
    },
    show(): void {
      if (isHiding) known = undefined
      change(null)
    },
    /** After a rollback, which also undoes `hide` and `show`. */
    forget(): void {
      known = undefined
      isHiding = true
    },
    /** A number that changes with the set of hidden keys. */
    round: (): number => round,
  }
}
