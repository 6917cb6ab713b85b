import { randomBytes } from 'node:crypto'
import { copyFileSync } from 'node:fs'
import type { Database } from 'better-sqlite3'
import { openReader, openWriter } from '../../src/store/sqlite/database/open.ts'
import { INDEX_ROWS } from '../../src/store/sqlite/nodes/node-index.ts'
import { FILES } from './corpus.ts'

const AT = 'd.space_id = 1 AND d.owner_id = 1'
const TEXT = `SELECT t.body FROM documents d JOIN texts t ON t.id = d.text_id WHERE ${AT}`
const ACCESSED = 'coalesce(d.accessed_at, d.created_at)'
const OF_TAG = `FROM document_tags g CROSS JOIN documents d ON d.id = g.document_id
  WHERE g.tag = ? AND +d.space_id = 1 AND d.owner_id = 1 AND d.kind = 'record' AND d.state = 'live' AND d.attributes ->> '$.archived' = 0`

/** The least SQL for each answer. Reads are on a handle of their own; writes go to a copy, with the same settings. */
export function createFloors(file: string) {
  const db = openReader(file)
  const copy = openCopy(file)
  const accesses = counts(copy)
  const key = db.prepare(`${TEXT} AND d.kind = 'key' AND d.collection = '' AND d.name = ?`)
  const path = db.prepare(`${TEXT} AND d.kind = 'file' AND d.collection = ? AND d.name = ?`)
  const collection = JSON.stringify([FILES.node, FILES.scope, FILES.thread])
  const page = db.prepare(
    `SELECT d.id, count(*) OVER () AS total ${OF_TAG} ORDER BY ${ACCESSED} DESC, d.id DESC LIMIT 10`,
  )
  const rows = db.prepare(
    `SELECT d.id, d.name, d.attributes, d.created_at, d.updated_at, d.accesses, d.accessed_at, t.body
     FROM json_each(?) j CROSS JOIN documents d ON d.id = j.value
     JOIN texts t ON t.id = d.text_id ORDER BY j.key`,
  )
  const recent = db.prepare(
    `SELECT d.id FROM documents d INDEXED BY records_by_access WHERE ${AT} AND d.kind = 'record' AND d.state = 'live'
       AND d.attributes ->> '$.archived' = 0 AND d.attributes ->> '$.type' = 'learning' ORDER BY ${ACCESSED} DESC LIMIT 20`,
  )
  const ask = (tag: string) =>
    rows.all(JSON.stringify((page.all(tag) as { id: number }[]).map(({ id }) => id))) as { id: number }[]
  return {
    recall: (name: string) => key.get(name),
    read: (name: string) => path.get(collection, name),
    query: ask,
    /** A handle forgets what it has read when somebody writes: both have looked at the recent records again before they are asked. */
    catchUp: () => recent.all(),
    queryAndCount: (tag: string) => accesses(ask(tag)),
    remember: upserts(copy),
    close() {
      db.close()
      copy.close()
    },
  }
}

function openCopy(file: string): Database {
  copyFileSync(file, `${file}.floor`)
  return openWriter({ file: `${file}.floor` })
}

/** How often and when each was asked for; as with ours, a loss of power may undo it. */
function counts(db: Database): (rows: { id: number }[]) => void {
  const count = db.prepare('UPDATE documents SET accesses = accesses + 1, accessed_at = @at WHERE id = @id')
  const all = db.transaction((rows: { id: number }[]) => {
    for (const { id } of rows) count.run({ id, at: Date.now() })
  })
  return (rows) => {
    db.pragma('synchronous = NORMAL')
    all.immediate(rows)
    db.pragma('synchronous = FULL')
  }
}

/**
 * A new value under a key, in the tables that have to know of it: its text, the document and its versions, the node and its
 * versions, the words in the index, the snapshot and the row by which others learn of it. Durable when it returns.
 */
function upserts(db: Database): (key: string, value: string) => void {
  const find = db.prepare<[string], { id: number; text_id: number }>(
    `SELECT id, text_id FROM documents d WHERE ${AT} AND d.kind = 'key' AND d.collection = '' AND d.name = ?`,
  )
  const node = db.prepare<[number], { key: number; parent_key: number; position: string; text_id: number }>(
    `SELECT key, parent_key, position, text_id FROM nodes WHERE document_id = ? AND type = 'text' AND removed_in IS NULL`,
  )
  const snapshot = db.prepare(
    `INSERT INTO snapshots (space_id, parent_id, cursor_hash, author, operation, message, root, created_at)
     VALUES (1, (SELECT head_id FROM spaces WHERE id = 1), '0000000000000000', 'bench', 'key', 'remember', '', ?)`,
  )
  const text = db.prepare('INSERT INTO texts (owner_id, digest, refs, body) VALUES (1, ?, 3, ?)')
  const steps = [
    'UPDATE documents SET text_id = @text, revision = revision + 1, updated_at = @at WHERE id = @document',
    `INSERT INTO document_versions (document_id, snapshot_id, state, text_id, attributes)
      SELECT id, @snapshot, state, text_id, attributes FROM documents WHERE id = @document`,
    `INSERT INTO node_index (node_index, rowid, label, body)
      SELECT 'delete', key, label, body FROM ${INDEX_ROWS} WHERE key = @node`,
    'UPDATE nodes SET text_id = @text, label = substr(@value, 1, 77) WHERE key = @node',
    `INSERT INTO versions (node_key, snapshot_id, op, parent_key, position, type, format, text_id)
      SELECT key, @snapshot, 'mod', parent_key, position, type, format, text_id FROM nodes WHERE key = @node`,
    `INSERT INTO node_index (rowid, label, body) SELECT key, label, body FROM ${INDEX_ROWS} WHERE key = @node`,
    'UPDATE spaces SET head_id = @snapshot WHERE id = 1',
    `INSERT INTO changes (space_id, kind, snapshot_id, created_at) VALUES (1, 'key', @snapshot, @at)`,
  ].map((sql) => db.prepare(sql))
  const store = db.transaction((name: string, value: string) => {
    const document = find.get(name)
    const told = document && node.get(document.id)
    if (!document || !told) throw new Error(`the floor has no key ${name}`)
    const at = Date.now()
    const id = Number(snapshot.run(at).lastInsertRowid)
    const digest = randomBytes(16)
    const textId = Number(text.run(digest, value).lastInsertRowid)
    const row = { at, value, document: document.id, node: told.key, snapshot: id, text: textId }
    for (const step of steps) step.run(row)
  })
  return (name, value) => store.immediate(name, value)
}
