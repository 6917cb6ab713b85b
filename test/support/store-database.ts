import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Database } from 'better-sqlite3'
import type { Engine } from '../../src/core/port/store.ts'
import { openMemory } from '../../src/runtime/open-memory.ts'
import { openHandle, trusting } from '../../src/store/sqlite/driver.ts'
import { openSqlite } from '../../src/store/sqlite/engine.ts'
import { expectedObjects } from '../../src/store/sqlite/health-expected.ts'
import { hash } from './store-changes.ts'
import { temporaryFolder } from './store-files.ts'

let template: Promise<Buffer> | undefined

/** A closed database with a few nodes and some history, in a folder of its own. */
export async function filledDatabase(): Promise<string> {
  template ??= fill()
  const file = join(temporaryFolder(), 'memory.db')
  writeFileSync(file, await template, { mode: 0o600 })
  return file
}

/** Made once in a process: every test gets a copy. */
async function fill(): Promise<Buffer> {
  const file = join(temporaryFolder(), 'memory.db')
  const memory = await openMemory({ db: file, settings: { 'store.synchronous': 'normal' } })
  const { id } = await memory.write({ payload: '# Heading\n\nFirst paragraph.\n\n- an item\n- another item' })
  const second = await memory.write({ payload: 'A second note.' })
  await memory.write({ payload: 'A second note on [[heading; w=2]], and [[nothing]].', anchor: second.id })
  await memory.relate({ sourceId: id, targetId: second.id })
  await memory.write({ payload: 'Gone again.', parent: id })
  await memory.forget({ id: (await memory.forest({ rootId: id })).roots[0]?.children.at(-1)?.id ?? '' })
  await memory.close()
  return readFileSync(file)
}

/** As it was before the eighth schema: links led to headings only. */
export function withoutDocumentNames(db: Database): void {
  db.exec('DROP TABLE document_names; DROP INDEX links_by_file; DROP INDEX links_by_section')
  for (const column of ['file', 'section']) db.exec(`ALTER TABLE links DROP COLUMN ${column}`)
}

/** As it was before the seventh schema; how often documents were asked for is kept. */
export function withoutDoorCounts(db: Database): void {
  withoutDocumentNames(db)
  for (const by of ['access', 'creation', 'update', 'accesses', 'completion'])
    db.exec(`DROP INDEX records_by_${by}`)
  db.exec('DROP TABLE door_counts; DROP TABLE tag_counts')
  makeAsIn(db, 6, ['document_accesses', 'document_accesses_by_time', 'documents_by_type'])
  db.exec('INSERT INTO document_accesses SELECT id, accesses, accessed_at FROM documents WHERE accesses > 0')
  for (const column of ['accesses', 'accessed_at']) db.exec(`ALTER TABLE documents DROP COLUMN ${column}`)
}

/** As it was before the sixth schema. */
export function withoutDoors(db: Database): void {
  withoutDoorCounts(db)
  db.exec(
    `DROP TABLE document_tags; DROP TABLE document_accesses; DROP INDEX documents_by_type; DROP INDEX documents_by_expiry`,
  )
  for (const column of ['attributes', 'appended']) db.exec(`ALTER TABLE documents DROP COLUMN ${column}`)
  for (const column of ['attributes', 'lead', 'trail'])
    db.exec(`ALTER TABLE document_versions DROP COLUMN ${column}`)
}

/** The view that the index is made from, as an earlier schema had it. */
export function withIndexRowsOf(db: Database, version: number): void {
  db.exec('DROP VIEW node_index_rows')
  makeAsIn(db, version, ['node_index_rows'])
}

/** Word for word: an older memory is refused for anything that its schema did not make. */
function makeAsIn(db: Database, version: number, names: readonly string[]): void {
  for (const { name, sql } of expectedObjects(version)) if (names.includes(name)) db.exec(sql ?? '')
}

/** Changes a database behind the engine's back, without foreign keys. */
export function tamper(file: string, change: (db: Database) => void): void {
  const db = openHandle(file)
  try {
    db.pragma('foreign_keys = OFF')
    trusting(db, () => change(db))
    db.pragma('wal_checkpoint(TRUNCATE)')
  } finally {
    db.close()
  }
}

export function openEngine(file: string): Promise<Engine> {
  return openSqlite({ file, hash })
}
