import type { Database } from 'better-sqlite3'
import { openHandle } from '../../src/store/sqlite/database/driver.ts'
import { migrations } from '../../src/store/sqlite/migrations/index.ts'
import { INDEX_ROWS } from '../../src/store/sqlite/nodes/node-index.ts'
import { processorClock } from '../engine/timing.ts'

/** A short note adds one row to each of these. */
const TABLES = [
  'snapshots',
  'texts',
  'documents',
  'document_versions',
  'nodes',
  'versions',
  'heat',
  'changes',
] as const
/** What a transaction reads and updates besides. */
const UPDATES = [
  'UPDATE spaces SET head_id = (SELECT max(id) FROM snapshots), state_digest = randomblob(8)',
  `UPDATE counters SET value = value + 1 WHERE space_id = 1 AND name = 'nodes'`,
  `UPDATE counters SET value = value + 1 WHERE space_id = 1 AND name = 'nodes.text'`,
  `UPDATE counters SET value = value + 30 WHERE space_id = 1 AND name = 'tokens'`,
]

export interface InsertTimes {
  each: number[]
  wallMs: number
  processorMs: number
}

/** Stores the rows of the notes of another memory by hand: one transaction for each note, on disk before the next. */
export function insertNotes(source: string, target: string, warmUp: number): InsertTimes {
  const from = openHandle(source, { readonly: true })
  const to = emptyCopy(from, target)
  const inserts = [
    ...TABLES.map((table) => inserting(from, to, table)),
    inserting(from, to, 'node_index', `SELECT key AS rowid, label, body FROM ${INDEX_ROWS} ORDER BY key`),
  ]
  const updates = UPDATES.map((sql) => to.prepare(sql))
  const [begin, commit] = [to.prepare('BEGIN IMMEDIATE'), to.prepare('COMMIT')]
  const count = from.prepare('SELECT count(*) FROM snapshots').pluck().get() as number
  const times: InsertTimes = { each: [], wallMs: 0, processorMs: 0 }
  for (let at = 0; at < count; at++) {
    const [since, processor] = [performance.now(), processorClock()]
    begin.run()
    for (const insert of inserts) insert(at)
    for (const update of updates) update.run()
    commit.run()
    if (at < warmUp) continue
    times.each.push(performance.now() - since)
    times.processorMs += processorClock() - processor
  }
  times.wallMs = times.each.reduce((sum, ms) => sum + ms, 0)
  from.close()
  to.close()
  return times
}

function emptyCopy(from: Database, target: string): Database {
  const to = openHandle(target)
  to.pragma('journal_mode = WAL')
  to.pragma('synchronous = full')
  to.pragma('foreign_keys = ON')
  to.pragma('secure_delete = ON')
  to.pragma('cache_size = -65536')
  for (const step of migrations) to.exec(step)
  for (const table of ['spaces', 'owners', 'counters']) {
    const insert = inserting(from, to, table)
    const rows = from.prepare(`SELECT count(*) FROM ${table}`).pluck().get() as number
    to.pragma('defer_foreign_keys = ON')
    to.transaction(() => {
      to.pragma('defer_foreign_keys = ON')
      for (let at = 0; at < rows; at++) insert(at)
      if (table === 'spaces') to.exec('UPDATE spaces SET head_id = NULL')
    })()
  }
  return to
}

/** Returns what inserts the row at a place of the source. */
function inserting(from: Database, to: Database, table: string, select = `SELECT * FROM ${table}`) {
  const read = from.prepare(select)
  const columns = read.columns().map(({ name }) => name)
  const rows = read.raw().all() as unknown[][]
  const insert = to.prepare(
    `INSERT INTO ${table} (${columns.join(', ')}) VALUES (${columns.map(() => '?').join(', ')})`,
  )
  return (at: number): void => void insert.run(...(rows[at] ?? []))
}
