/**
 * What the kept counts save: each question answered by them, and by counting the rows.
 * `node bench/doors/counts.ts [--documents 100k] [--db file]`
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import type { Database } from 'better-sqlite3'
import { openReader } from '../../src/store/sqlite/database/open.ts'
import { COOLING_SUMS } from '../../src/store/sqlite/summary.ts'
import { DOOR_COUNTS, TAG_COUNTS } from '../../test/support/door-counts.ts'
import { child } from '../engine/child.ts'
import { nodesOf } from '../engine/corpus.ts'

const RUNS = 15
const KEYS = `owner_id = 1 AND kind = 'key' AND state IN ('live', 'erased')`
const LEARNINGS = `d.owner_id = 1 AND d.kind = 'record' AND d.state = 'live' AND d.attributes ->> '$.archived' = 0
  AND d.attributes ->> '$.type' = 'learning'`
const KEPT_LEARNINGS = `FROM door_counts WHERE owner_id = 1 AND kind = 'record' AND state = 'live' AND archived = 0 AND type = 'learning'`

/** By whom it is asked, from what is kept, by counting. */
const QUESTIONS: [string, string, string][] = [
  [
    'nodes (every search)',
    `SELECT value FROM counters WHERE space_id = 1 AND name = 'nodes'`,
    'SELECT count(*) FROM heat WHERE coldness IS NOT NULL',
  ],
  [
    'nodes and tokens by type (overview, stats)',
    'SELECT name, value FROM counters WHERE space_id = 1',
    'SELECT type, count(*), sum(tokens) FROM nodes WHERE removed_in IS NULL GROUP BY 1',
  ],
  [
    'keys (every answer of the keys)',
    `SELECT sum(count) FROM door_counts WHERE ${KEYS}`,
    `SELECT count(*) FROM documents WHERE space_id = 1 AND ${KEYS}`,
  ],
  [
    'records of a type (a page, archival)',
    `SELECT sum(count) ${KEPT_LEARNINGS}`,
    `SELECT count(*) FROM documents d WHERE ${LEARNINGS}`,
  ],
  [
    'bytes of a type (each core record, archival)',
    `SELECT sum(bytes) ${KEPT_LEARNINGS}`,
    `SELECT sum(octet_length(t.body)) FROM documents d JOIN texts t ON t.id = d.text_id WHERE ${LEARNINGS}`,
  ],
  ['all classes (record stats)', 'SELECT * FROM door_counts', DOOR_COUNTS],
  ['tags (list_tags, record stats)', 'SELECT * FROM tag_counts', TAG_COUNTS],
]
/** Asked by an overview, and remembered by a process while nobody writes. */
const REMEMBERED: [string, string, object][] = [
  ['heat of all nodes (overview)', COOLING_SUMS, { space: 1, hot: 0.7, cold: 0.1 }],
  ['rows of the search index (overview)', 'SELECT count(*) FROM node_index_docsize', {}],
]

const { values } = parseArgs({
  options: { documents: { type: 'string', default: '100k' }, db: { type: 'string' } },
})
const folder = mkdtempSync(join(tmpdir(), 'remindb-counts-'))
try {
  const file = values.db ?? join(folder, 'doors.db')
  if (!values.db) child(join(import.meta.dirname, 'prepare.ts'), [file, String(nodesOf(values.documents))])
  const db = openReader(file)
  for (const [name, kept, counted] of QUESTIONS)
    process.stdout.write(`${name.padEnd(46)} ${shown(db, kept)} ${shown(db, counted)}\n`)
  for (const [name, asked, parameters] of REMEMBERED)
    process.stdout.write(`${name.padEnd(46)} ${''.padStart(10)} ${shown(db, asked, parameters)}\n`)
  db.close()
} finally {
  rmSync(folder, { recursive: true })
}

/** The fastest run: what else happens on the machine only adds to it. */
function shown(db: Database, sql: string, parameters: object = {}): string {
  const statement = db.prepare(sql)
  const times = Array.from({ length: RUNS }, () => {
    const start = performance.now()
    statement.all(parameters)
    return performance.now() - start
  })
  return `${(Math.min(...times) * 1000).toFixed(0)} µs`.padStart(10)
}
