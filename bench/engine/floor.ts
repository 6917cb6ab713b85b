/** Child of `bench/engine.ts`: the least that must be done — parse the files, insert the same rows — and nothing else. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Database } from 'better-sqlite3'
import { parseMarkdown } from '../../src/ingest/parse/markdown/markdown.ts'
import { openHandle } from '../../src/store/sqlite/database/driver.ts'
import { migrations } from '../../src/store/sqlite/migrations/index.ts'
import { INDEX_ROWS } from '../../src/store/sqlite/nodes/node-index.ts'

const [folder = '', compiled = '', target = ''] = process.argv.slice(2)
const TABLES = [
  'spaces',
  'owners',
  'snapshots',
  'documents',
  'texts',
  'nodes',
  'versions',
  'heat',
  'links',
  'files',
  'counters',
  'changes',
]
const CHUNK = 5000

const parseMs = parseAll()
const insertMs = insertAll()
process.stdout.write(JSON.stringify({ parseMs, insertMs }))

function parseAll(): number {
  const start = performance.now()
  const folders = [folder]
  for (let at = folders.pop(); at !== undefined; at = folders.pop()) {
    for (const entry of readdirSync(at, { withFileTypes: true })) {
      const path = join(at, entry.name)
      if (entry.isDirectory()) folders.push(path)
      else
        parseMarkdown(readFileSync(path, 'utf8'), { maxNodeTokens: 1000, redact: String, findKeys: () => [] })
    }
  }
  return performance.now() - start
}

/** The rows a compile writes, with prepared statements, in one transaction, on the same settings. */
function insertAll(): number {
  const from = openHandle(compiled, { readonly: true })
  const to = openHandle(target)
  to.pragma('journal_mode = WAL')
  to.pragma('synchronous = full')
  to.pragma('secure_delete = ON')
  to.pragma('cache_size = -65536')
  for (const step of migrations) to.exec(step)
  let spent = 0
  const clocked = (work: () => void): void => {
    const start = performance.now()
    work()
    spent += performance.now() - start
  }
  clocked(() => to.exec('BEGIN IMMEDIATE'))
  for (const table of TABLES) copyRows(from, to, table, clocked)
  const index = to.prepare('INSERT INTO node_index (rowid, label, body) VALUES (?, ?, ?)')
  forChunks(from, `SELECT key, label, body FROM ${INDEX_ROWS} ORDER BY key`, (rows) =>
    clocked(() => {
      for (const row of rows) index.run(...row)
    }),
  )
  clocked(() => to.exec('COMMIT'))
  clocked(() => to.close())
  return spent
}

function copyRows(from: Database, to: Database, table: string, clocked: (work: () => void) => void): void {
  const columns = from.prepare(`SELECT name FROM pragma_table_info('${table}')`).pluck().all() as string[]
  const insert = to.prepare(
    `INSERT INTO ${table} (${columns.join(', ')}) VALUES (${columns.map(() => '?').join(', ')})`,
  )
  forChunks(from, `SELECT ${columns.join(', ')} FROM ${table}`, (rows) =>
    clocked(() => {
      for (const row of rows) insert.run(...row)
    }),
  )
}

function forChunks(from: Database, sql: string, work: (rows: unknown[][]) => void): void {
  let rows: unknown[][] = []
  for (const row of from.prepare(sql).raw().iterate()) {
    rows.push(row as unknown[])
    if (rows.length < CHUNK) continue
    work(rows)
    rows = []
  }
  work(rows)
}
