import type { Database } from 'better-sqlite3'
import { type Finding, fail, pass } from '../../../core/doctor/check.ts'
import { plural } from '../../../util/text/units.ts'
import { withoutDefence } from '../database/driver.ts'
import { compareSchema, expectedSchema, indexSettings, isOfIndex } from '../database/schema.ts'
import { fillIndex, INDEX_ROWS } from '../nodes/node-index.ts'
import { type Integrity, isIndexError } from './health-file.ts'

const LIVE = 'SELECT key FROM nodes WHERE removed_in IS NULL'
const INDEXED = 'SELECT id FROM node_index_docsize'
const SAMPLE_SIZE = 200
/** The index holds words separated by spaces. */
const WORD = /\S+/

/** FTS5's own integrity check writes; this one only reads: the same rows, and a sample of them found by their words. */
export function checkIndex(db: Database, integrity: () => Integrity): Finding {
  try {
    return compareIndex(db, integrity)
  } catch (error) {
    if (isIndexError(error)) return fail('FTS5 index is damaged')
    throw error
  }
}

function compareIndex(db: Database, integrity: () => Integrity): Finding {
  if (!hasItsSettings(db)) return fail('FTS5 index has lost its settings')
  const count = (rows: string): number => countOf(db, `SELECT count(*) AS count FROM (${rows})`)
  const missing = count(`${LIVE} EXCEPT ${INDEXED}`)
  const extra = count(`${INDEXED} EXCEPT ${LIVE}`)
  const total = count(LIVE)
  const misses = missing + extra === 0 ? sampleMisses(db, total) : 0
  if (missing + extra + misses > 0) {
    return fail(
      `FTS5 index is out of sync: ${plural(missing, 'node')} missing, ${extra} left over, ${misses} not found by their words`,
    )
  }
  if (!integrity().index) return fail('FTS5 index is damaged')
  return pass(`FTS5 index in sync with ${plural(total, 'node')}`)
}

function sampleMisses(db: Database, total: number): number {
  const step = Math.max(1, Math.floor(total / SAMPLE_SIZE))
  const sample = db
    .prepare<[number], { key: number; text: string }>(
      `SELECT r.key, r.label || ' ' || r.body AS text FROM ${INDEX_ROWS} r WHERE r.key % ? = 0 LIMIT ${2 * SAMPLE_SIZE}`,
    )
    .all(step)
  // The driver binds numbers as REAL, and FTS5 ignores a condition on rowid whose value is not an INTEGER.
  const find = db.prepare('SELECT 1 FROM node_index WHERE node_index MATCH ? AND rowid = CAST(? AS INTEGER)')
  return sample.filter(({ key, text }) => {
    const word = WORD.exec(text)?.[0]
    return word !== undefined && !find.get(`"${word}"`, key)
  }).length
}

export function countOf(db: Database, sql: string): number {
  return db.prepare<[], { count: number }>(sql).get()?.count ?? 0
}

/** Without them removed words would stay in the file. `version` is FTS5's own: it changes with the first removal. */
function hasItsSettings(db: Database): boolean {
  const actual = new Map(indexSettings(db).map(({ name, value }) => [name, value]))
  return expectedSchema().indexSettings.every(
    ({ name, value }) => name === 'version' || actual.get(name) === value,
  )
}

/** Rebuilds the search index, with its settings, from the nodes. FTS5's own `rebuild` cannot when its tables are damaged. */
export function rebuildIndex(db: Database): void {
  if (compareSchema(db).foreign.some((object) => !isOfIndex(object)))
    throw new Error('not tried: the database has parts that remindb did not make')
  makeDroppable(db)
  db.exec('DROP TABLE IF EXISTS node_index')
  db.exec(sqlOf('node_index'))
  const set = db.prepare('INSERT INTO node_index (node_index, rank) VALUES (?, CAST(? AS INTEGER))')
  for (const { name, value } of expectedSchema().indexSettings) if (name !== 'version') set.run(name, value)
  fillIndex(db)
}

/** FTS5 refuses even to drop an index whose version it does not know. SQLite lets only FTS5 write to its tables. */
function makeDroppable(db: Database): void {
  if (!hasTable(db, 'node_index')) return
  const version = expectedSchema().indexSettings.find(({ name }) => name === 'version')?.value
  withoutDefence(db, () => {
    if (!hasTable(db, 'node_index_config')) db.exec(sqlOf('node_index_config'))
    db.prepare(`INSERT OR REPLACE INTO node_index_config (k, v) VALUES ('version', CAST(? AS INTEGER))`).run(
      version,
    )
  })
}

function sqlOf(table: string): string {
  return expectedSchema().objects.find(({ name }) => name === table)?.sql ?? ''
}

function hasTable(db: Database, name: string): boolean {
  return db.prepare(`SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = ?`).get(name) !== undefined
}
