import { join } from 'node:path'
import Sqlite, { type Database } from 'better-sqlite3'
import { expect, onTestFinished, test } from 'vitest'
import { nodeMark } from '../../src/core/digest.ts'
import type { Format, NodeType } from '../../src/core/model.ts'
import { openMemory } from '../../src/runtime/open-memory.ts'
import { markBlob } from '../../src/store/sqlite/marks.ts'
import { migrate } from '../../src/store/sqlite/migrate.ts'
import { migrations } from '../../src/store/sqlite/migrations/index.ts'
import { APPLICATION_ID, openWriter } from '../../src/store/sqlite/open.ts'
import { hash } from '../support/store-changes.ts'
import { start } from '../support/store-children.ts'
import { filledDatabase, tamper } from '../support/store-database.ts'
import { fileHash, temporaryFolder } from '../support/store-files.ts'

const SECOND = `
  ALTER TABLE nodes ADD COLUMN language TEXT NOT NULL DEFAULT 'en';
  CREATE TABLE tags (node_key INTEGER NOT NULL REFERENCES nodes (key), tag TEXT NOT NULL);
  INSERT INTO tags SELECT key, type FROM nodes;`

function openFile(file: string): Database {
  const db = openWriter({ file, synchronous: 'normal', busyTimeoutMs: 5000 })
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
  expect(db.pragma('user_version', { simple: true })).toBe(migrations.length)
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
  expect(db.pragma('user_version', { simple: true })).toBe(migrations.length + 1)
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
  expect(db.pragma('user_version', { simple: true })).toBe(migrations.length)
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
  expect(db.pragma('user_version', { simple: true })).toBe(migrations.length + 1)
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

test('a memory of the first schema opens with all it has, and its headings can be linked to', async () => {
  const [first = ''] = migrations
  const file = join(temporaryFolder(), 'memory.db')
  const old = openWriter({ file, synchronous: 'normal', busyTimeoutMs: 5000 })
  migrate(old, 0, [first])
  copyRows(await filledDatabase(), old)
  old.close()

  await using memory = await openMemory({ db: file })
  expect((await memory.doctor()).checks.filter(({ status }) => status !== 'pass')).toEqual([])
  const { id } = await memory.write({ payload: 'See [[HEADING]].' })
  const heading = (await memory.forest()).roots.find(({ label }) => label === 'Heading')
  expect((await memory.graph()).edges).toEqual([
    { source: id, target: heading?.id, weight: 1, origin: 'parsed' },
  ])
})

/** What the older schema has room for, counters of links apart. */
function copyRows(from: string, to: Database): void {
  to.pragma('foreign_keys = OFF')
  to.prepare('ATTACH ? AS newer').run(from)
  for (const table of [
    'spaces',
    'owners',
    'snapshots',
    'documents',
    'texts',
    'nodes',
    'versions',
    'heat',
    'counters',
  ]) {
    const columns = to.prepare(`SELECT name FROM pragma_table_info('${table}')`).pluck().all().join(', ')
    to.exec(
      `DELETE FROM main.${table}; INSERT INTO main.${table} (${columns}) SELECT ${columns} FROM newer.${table}`,
    )
  }
  to.exec(`DELETE FROM counters WHERE name LIKE 'relations%';
    INSERT INTO node_index (node_index) VALUES ('rebuild')`)
  const mark = to.prepare('UPDATE nodes SET mark = ? WHERE key = ?')
  const nodes = to.prepare<
    [],
    {
      key: number
      id: string
      parent: string | null
      position: string
      type: NodeType
      format: Format
      label: string | null
      digest: Buffer
    }
  >(
    `SELECT n.key, n.id, p.id AS parent, n.position, n.type, n.format, v.label, t.digest FROM nodes n
     JOIN texts t ON t.id = n.text_id LEFT JOIN nodes p ON p.key = n.parent_key
     JOIN versions v ON v.node_key = n.key AND v.snapshot_id = (SELECT max(snapshot_id) FROM versions WHERE node_key = n.key)`,
  )
  let sum = 0n
  for (const { key, id, parent, digest, ...state } of nodes.all()) {
    const share = nodeMark(hash, id, parent, { ...state, digest: digest.toString('hex'), links: null })
    mark.run(markBlob(share), key)
    sum += share
  }
  const digest = markBlob(BigInt.asUintN(64, sum))
  to.prepare('UPDATE spaces SET state_digest = ?').run(digest)
  to.prepare('UPDATE snapshots SET cursor_hash = ? WHERE id = (SELECT head_id FROM spaces)').run(
    digest.toString('hex'),
  )
}
