import { join } from 'node:path'
import Sqlite, { type Database } from 'better-sqlite3'
import { expect, onTestFinished, test } from 'vitest'
import { openMemory } from '../../src/runtime/memory/open-memory.ts'
import { migrate } from '../../src/store/sqlite/database/migrate.ts'
import { APPLICATION_ID, openWriter } from '../../src/store/sqlite/database/open.ts'
import { migrations, NEWEST_SCHEMA } from '../../src/store/sqlite/migrations/index.ts'
import { start } from '../support/store-children.ts'
import { filledDatabase, tamper } from '../support/store-database.ts'
import { fileHash, temporaryFolder } from '../support/store-files.ts'

const SECOND = `
  ALTER TABLE nodes ADD COLUMN language TEXT NOT NULL DEFAULT 'en';
  CREATE TABLE tags (node_key INTEGER NOT NULL REFERENCES nodes (key), tag TEXT NOT NULL);
  INSERT INTO tags SELECT key, type FROM nodes;`

function openFile(file: string): Database {
  const db = openWriter({ file, synchronous: 'normal' })
  onTestFinished(() => void db.close())
  return db
}

function schemaOf(db: Database): unknown[] {
  return db.prepare('SELECT type, name, sql FROM sqlite_schema ORDER BY type, name').all()
}

function contentOf(db: Database): unknown[] {
  const tables = ['nodes', 'versions', 'texts', 'documents', 'snapshots', 'spaces', 'heat', 'counters']
  return tables.map((table) => db.prepare(`SELECT * FROM ${table}`).all())
}

test('an empty file becomes a memory: schema, numbers, one space with one owner', () => {
  const db = openFile(join(temporaryFolder(), 'memory.db'))
  migrate(db, 42)
  expect(db.pragma('user_version', { simple: true })).toBe(NEWEST_SCHEMA)
  expect(db.pragma('application_id', { simple: true })).toBe(APPLICATION_ID)
  expect(db.prepare('SELECT id, name, head_id, heat_ticked_at FROM spaces').all()).toEqual([
    { id: 1, name: 'default', head_id: null, heat_ticked_at: 42 },
  ])
  expect(db.prepare('SELECT * FROM owners').all()).toEqual([{ id: 1, space_id: 1, name: 'local' }])
  expect(db.pragma('integrity_check', { simple: true })).toBe('ok')
  expect(db.pragma('foreign_key_check')).toEqual([])
})

test('migrating again changes nothing', () => {
  const db = openFile(join(temporaryFolder(), 'memory.db'))
  migrate(db, 1)
  const before = db.prepare('SELECT total_changes() AS changes').get()
  migrate(db, 2)
  expect(db.prepare('SELECT total_changes() AS changes').get()).toEqual(before)
})

test('the next migration finds the data of the one before and keeps it', async () => {
  const file = await filledDatabase()
  const db = openFile(file)
  const before = contentOf(db)
  migrate(db, 0, [...migrations, SECOND])
  expect(db.pragma('user_version', { simple: true })).toBe(NEWEST_SCHEMA + 1)
  const [nodes = [], ...others] = contentOf(db) as Record<string, unknown>[][]
  expect(nodes.map(({ language, ...row }) => row)).toEqual(before[0])
  expect(others).toEqual(before.slice(1))
  expect(db.prepare('SELECT count(*) AS count FROM tags').get()).toEqual({ count: nodes.length })
})

test.each([
  ['broken SQL', 'CREATE TABLE half (x); THIS IS NOT SQL'],
  ['a broken rule', `CREATE TABLE half (x); INSERT INTO nodes (key) VALUES (1)`],
  ['a missing parent', `CREATE TABLE half (x); UPDATE nodes SET parent_key = 999999`],
])('a migration that fails because of %s leaves the database as it was', async (_reason, sql) => {
  const file = await filledDatabase()
  const db = openFile(file)
  const [schema, content] = [schemaOf(db), contentOf(db)]
  expect(() => migrate(db, 0, [...migrations, SECOND, sql])).toThrow(
    expect.objectContaining({ code: 'CORRUPTED_DATA', message: expect.stringContaining('not changed') }),
  )
  expect(db.pragma('user_version', { simple: true })).toBe(NEWEST_SCHEMA)
  expect(schemaOf(db)).toEqual(schema)
  expect(contentOf(db)).toEqual(content)
  expect(db.inTransaction).toBe(false)
})

test('two processes that migrate at once do it once', async () => {
  const file = await filledDatabase()
  const children = [start('migrate', { file, sql: SECOND }), start('migrate', { file, sql: SECOND })]
  for (const child of children) expect(await child.next()).toBe('ready')
  for (const child of children) child.tell()
  for (const child of children) expect(await child.next()).toBe('done')
  expect((await Promise.all(children.map((child) => child.ended()))).join('')).toBe('')
  const db = new Sqlite(file, { readonly: true })
  const { nodes, tags } = db
    .prepare('SELECT (SELECT count(*) FROM nodes) AS nodes, (SELECT count(*) FROM tags) AS tags')
    .get() as { nodes: number; tags: number }
  expect(tags).toBe(nodes)
  expect(db.pragma('user_version', { simple: true })).toBe(NEWEST_SCHEMA + 1)
  db.close()
})

test('a schema that does not fit its number is reported and left alone', async () => {
  const file = await filledDatabase()
  tamper(file, (db) => db.pragma('user_version = 0'))
  const before = fileHash(file)
  await expect(openMemory({ db: file })).rejects.toMatchObject({ code: 'CORRUPTED_DATA' })
  expect(fileHash(file)).toBe(before)
})

test('a creation that was cut short is taken up again', async () => {
  const file = join(temporaryFolder(), 'memory.db')
  const db = new Sqlite(file)
  db.pragma('journal_mode = WAL')
  db.close()
  await expect(openMemory({ db: file, create: false })).rejects.toMatchObject({ code: 'NOT_FOUND' })
  await using memory = await openMemory({ db: file })
  await memory.write({ payload: 'works' })
  expect((await memory.doctor()).status).toBe('pass')
})
