import { copyFileSync } from 'node:fs'
import type { Database } from 'better-sqlite3'
import { openHandle } from '../../src/store/sqlite/driver.ts'
import { openReader } from '../../src/store/sqlite/open.ts'
import { FILES } from './corpus.ts'

const AT = 'd.space_id = 1 AND d.owner_id = 1'
const TEXT = `SELECT t.body FROM documents d JOIN texts t ON t.id = d.text_id WHERE ${AT}`
const OF_TAG = `FROM document_tags g CROSS JOIN documents d ON d.id = g.document_id
  LEFT JOIN document_accesses a ON a.document_id = d.id
  WHERE g.tag = ? AND ${AT} AND d.kind = 'record' AND d.state = 'live' AND d.attributes ->> '$.archived' = 0`

/** The least SQL for each answer. Reads are on a handle of their own; writes go to a copy, with the same settings. */
export function createFloors(file: string) {
  const db = openReader(file)
  const copy = openCopy(file)
  const accesses = counts(copy)
  const key = db.prepare(`${TEXT} AND d.kind = 'key' AND d.collection = '' AND d.name = ?`)
  const path = db.prepare(`${TEXT} AND d.kind = 'file' AND d.collection = ? AND d.name = ?`)
  const collection = JSON.stringify([FILES.node, FILES.scope, FILES.thread])
  const count = db.prepare(`SELECT count(*) AS count ${OF_TAG}`)
  const page = db.prepare(
    `SELECT d.id, d.name, d.attributes, d.created_at, d.updated_at, a.count, a.accessed_at, t.body
     FROM (SELECT d.id AS id, coalesce(a.accessed_at, d.created_at) AS at ${OF_TAG} ORDER BY 2 DESC LIMIT 10) f
     CROSS JOIN documents d ON d.id = f.id LEFT JOIN document_accesses a ON a.document_id = d.id
     JOIN texts t ON t.id = d.text_id ORDER BY f.at DESC`,
  )
  return {
    recall: (name: string) => key.get(name),
    read: (name: string) => path.get(collection, name),
    query: (tag: string) => ({ count: count.get(tag), rows: page.all(tag) }),
    queryAndCount(tag: string) {
      count.get(tag)
      accesses(page.all(tag) as { id: number }[])
    },
    remember: upserts(copy),
    close() {
      db.close()
      copy.close()
    },
  }
}

function openCopy(file: string): Database {
  copyFileSync(file, `${file}.floor`)
  const db = openHandle(`${file}.floor`)
  db.pragma('journal_mode = WAL')
  db.pragma('synchronous = FULL')
  return db
}

/** How often and when each was asked for; as with ours, a loss of power may undo it. */
function counts(db: Database): (rows: { id: number }[]) => void {
  const count = db.prepare(
    `INSERT INTO document_accesses VALUES (?, 1, ?) ON CONFLICT DO UPDATE SET count = count + 1, accessed_at = excluded.accessed_at`,
  )
  const all = db.transaction((rows: { id: number }[]) => {
    for (const { id } of rows) count.run(id, Date.now())
  })
  return (rows) => {
    db.pragma('synchronous = NORMAL')
    all.immediate(rows)
    db.pragma('synchronous = FULL')
  }
}

/** A value under a key, what it was before, and its words: durable when it returns. Nothing else. */
function upserts(db: Database): (key: string, value: string) => void {
  db.exec(`CREATE TABLE floor_values (key TEXT PRIMARY KEY, value TEXT NOT NULL, updated_at INTEGER NOT NULL);
    CREATE TABLE floor_history (key TEXT NOT NULL, value TEXT NOT NULL, updated_at INTEGER NOT NULL);
    CREATE VIRTUAL TABLE floor_index USING fts5 (value)`)
  const before = db.prepare('INSERT INTO floor_history SELECT * FROM floor_values WHERE key = ?')
  const put = db.prepare(
    `INSERT INTO floor_values VALUES (?, ?, ?) ON CONFLICT DO UPDATE SET value = excluded.value, updated_at = excluded.updated_at`,
  )
  const index = db.prepare('INSERT INTO floor_index (value) VALUES (?)')
  const store = db.transaction((key: string, value: string) => {
    before.run(key)
    put.run(key, value, Date.now())
    index.run(value)
  })
  return (key, value) => store.immediate(key, value)
}
