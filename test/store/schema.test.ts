import { readdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import Sqlite, { type Database } from 'better-sqlite3'
import { beforeAll, describe, expect, test } from 'vitest'
import { openMemory } from '../../src/runtime/memory/open-memory.ts'
import { openHandle } from '../../src/store/sqlite/database/driver.ts'
import { openReader, openWriter } from '../../src/store/sqlite/database/open.ts'
import {
  compareSchema,
  digestOf,
  expectedSchema,
  SCHEMA_DIGEST,
} from '../../src/store/sqlite/database/schema.ts'
import { repairSchemaOf } from '../../src/store/sqlite/health/repair-schema.ts'
import { ensureProgramIsBuilt, remindb } from '../support/cli.ts'
import { filledDatabase, tamper } from '../support/store-database.ts'
import { databaseBytes, fileHash, temporaryFolder } from '../support/store-files.ts'

beforeAll(ensureProgramIsBuilt)

const THIEF = `CREATE TRIGGER thief AFTER INSERT ON changes BEGIN DELETE FROM nodes; END`
const FOREIGN = [
  ['a trigger', 'trigger "thief"', THIEF],
  [
    'a trigger whose name forges lines',
    'trigger "a\\nb',
    'CREATE TRIGGER "a\nb" DELETE ON nodes BEGIN SELECT 1; END',
  ],
  ['a view', 'view "v"', 'CREATE VIEW v AS SELECT * FROM texts'],
  ['a virtual table', 'table "f"', 'CREATE VIRTUAL TABLE f USING fts5 (x)'],
  ['a table', 'table "t"', 'CREATE TABLE t (x UNIQUE)'],
  ['an index', 'index "i"', 'CREATE UNIQUE INDEX i ON nodes (type, key)'],
  [
    'another view in the place of ours',
    'changed view "node_index_rows"',
    `DROP VIEW node_index_rows; CREATE VIEW node_index_rows AS SELECT 1 AS key, 'x' AS label, 'y' AS body`,
  ],
  [
    'another index in the place of ours',
    'changed index "nodes_by_parent"',
    'DROP INDEX nodes_by_parent; CREATE UNIQUE INDEX nodes_by_parent ON nodes (type, key)',
  ],
  [
    'another search index in the place of ours',
    'changed table "node_index"',
    `DROP TABLE node_index; CREATE VIRTUAL TABLE node_index USING fts5 (label, body)`,
  ],
] as const

/** A virtual table of a module that is not here, as another program may have left it. */
function unknownModule(db: Database): void {
  db.unsafeMode(true)
  db.pragma('writable_schema = ON')
  db.exec(
    `INSERT INTO sqlite_schema VALUES ('table', 'u', 'u', 0, 'CREATE VIRTUAL TABLE u USING nowhere (x)')`,
  )
}

/** A table of ours with a column that is computed. */
function changedTable(db: Database): void {
  db.exec('ALTER TABLE owners ADD COLUMN twice TEXT AS (name || name)')
}

/** Never ends when it is run. */
const ENDLESS = `WITH RECURSIVE n (id) AS (SELECT 1 UNION ALL SELECT id + 1 FROM n) SELECT id, max(id) AS requested_at FROM n`

/** Backups beside a database, unfinished ones too. */
const copiesOf = (file: string): string[] =>
  readdirSync(dirname(file)).filter((name) => /\.bak\.|backup-part/.test(name))

const run = (file: string, ...args: string[]) => remindb([...args, '--db', file], { cwd: dirname(file) })

describe('a database with parts that remindb did not make', () => {
  test.each(FOREIGN)('%s: is refused by name, and not changed', async (_case, name, sql) => {
    const file = await filledDatabase()
    tamper(file, (db) => db.exec(sql))
    const before = fileHash(file)
    await expect(openMemory({ db: file })).rejects.toMatchObject({
      code: 'CORRUPTED_DATA',
      message: expect.stringContaining(name),
    })
    await expect(openMemory({ db: file })).rejects.toThrow('remindb doctor --fix')
    expect(fileHash(file)).toBe(before)
  })

  test.each(FOREIGN)(
    '%s: doctor reports it, and --fix removes it after a backup',
    async (_case, name, sql) => {
      const file = await filledDatabase()
      const sound = await texts(file)
      tamper(file, (db) => db.exec(sql))
      const found = run(file, 'doctor', '--json')
      expect(found.code).toBe(1)
      expect(JSON.parse(found.stdout)).toEqual({
        status: 'fail',
        checks: [
          {
            name: 'schema_objects',
            status: 'fail',
            detail: expect.stringContaining(
              `not made by remindb: ${name.startsWith('trigger "a') ? 'trigger' : name}`,
            ),
          },
        ],
      })
      const fixed = run(file, 'doctor', '--fix', '--json')
      expect(fixed.code).toBe(0)
      const report = JSON.parse(fixed.stdout)
      expect(report.status).toBe('pass')
      expect(report.checks.find((check: { name: string }) => check.name === 'schema_objects')).toMatchObject({
        fix_applied: true,
      })
      const [, backup = ''] = /^doctor: backup written to (.*)\n$/.exec(fixed.stderr) ?? []
      await expect(openMemory({ db: backup })).rejects.toMatchObject({ code: 'CORRUPTED_DATA' })
      expect(await texts(file)).toEqual(sound)
    },
  )

  test('is refused by every command and by a server', async () => {
    const file = await filledDatabase()
    tamper(file, (db) => db.exec(THIEF))
    const before = fileHash(file)
    const commands = [
      ['search', 'note'],
      ['write', 'mine'],
      ['inspect'],
      ['compile', '.'],
      ['backup'],
      ['export'],
    ]
    for (const args of commands)
      expect(run(file, ...args), args.join(' ')).toMatchObject({
        code: 1,
        stdout: '',
        stderr: expect.stringContaining('trigger "thief"'),
      })
    const call = {
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/call',
      params: { name: 'MemoryStats', arguments: {} },
    }
    const hello = {
      ...{ jsonrpc: '2.0', id: 0, method: 'initialize' },
      params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'a', version: '1' } },
    }
    const input = [hello, { jsonrpc: '2.0', method: 'notifications/initialized' }, call]
    const served = remindb(['serve', '--db', file], {
      cwd: dirname(file),
      input: input.map((message) => `${JSON.stringify(message)}\n`).join(''),
    })
    expect(served.stdout).toContain('thief')
    expect(fileHash(file)).toBe(before)
    expect(readdirSync(dirname(file)).filter((name) => name.includes('.bak.'))).toEqual([])
  })

  test('with a virtual table of a module that is not here can be freed of it', async () => {
    const file = await filledDatabase()
    tamper(file, unknownModule)
    await expect(openMemory({ db: file })).rejects.toThrow('table "u"')
    expect(run(file, 'doctor', '--fix')).toMatchObject({ code: 0 })
  })

  test('in one of its own tables cannot be repaired, and that is said', async () => {
    const file = await filledDatabase()
    tamper(file, changedTable)
    const before = fileHash(file)
    await expect(openMemory({ db: file })).rejects.toThrow('changed table "owners"')
    const { code, stdout } = run(file, 'doctor', '--fix')
    expect(code).toBe(1)
    expect(stdout).toContain('(fix error: not tried: changed table "owners"; do not use this file')
    expect(fileHash(file)).toBe(before)
  })

  test('in one of its own tables: the error promises no repair, and no copy is left', async () => {
    const file = await filledDatabase()
    tamper(file, (db) => {
      changedTable(db)
      db.exec(THIEF)
    })
    const error: Error = await openMemory({ db: file }).then(
      () => expect.unreachable(),
      (reason) => reason,
    )
    expect(error.message).toContain('changed table "owners"; do not use this file')
    expect(error.message).not.toContain('--fix')
    expect(run(file, 'doctor', '--fix').code).toBe(1)
    expect(copiesOf(file)).toEqual([])
  })

  test('instead of a table with rows of ours cannot be repaired, and that is said', async () => {
    const file = await filledDatabase()
    tamper(file, (db) => {
      db.pragma('foreign_keys = OFF')
      db.exec(`DROP TABLE texts; CREATE VIEW texts AS ${ENDLESS}`)
    })
    const before = fileHash(file)
    await expect(openMemory({ db: file })).rejects.toThrow('missing table "texts"; do not use this file')
    const { code, stdout } = run(file, 'doctor', '--fix')
    expect(code).toBe(1)
    expect(stdout).toContain('(fix error: not tried: missing table "texts"; do not use this file')
    expect(fileHash(file)).toBe(before)
    expect(copiesOf(file)).toEqual([])
  })

  test.each([
    ['a view in the place of the erasures', `DROP TABLE scrubs; CREATE VIEW scrubs AS ${ENDLESS}`],
    [
      'a trigger on erasures',
      `INSERT INTO scrubs (requested_at) VALUES (1);
       CREATE TRIGGER t BEFORE DELETE ON scrubs BEGIN INSERT INTO heavy SELECT * FROM (${ENDLESS}); END;
       CREATE TRIGGER u BEFORE INSERT ON scrubs BEGIN INSERT INTO heavy SELECT * FROM (${ENDLESS}); END;
       CREATE TABLE heavy (id, requested_at)`,
    ],
  ])(
    '%s: is not run, and no erased word is left in the file or the copy',
    async (_case, sql) => {
      const file = await filledDatabase()
      tamper(file, (db) => {
        // What an erasure leaves in the search index until it is scrubbed.
        for (const how of [
          '(rowid, label, body) VALUES (',
          `(node_index, rowid, label, body) VALUES ('delete', `,
        ])
          db.exec(`INSERT INTO node_index ${how} 900, '', 'quetzalcoatl')`)
        db.exec(sql)
      })
      expect(databaseBytes(file).includes('quetzalcoatl')).toBe(true)
      const fixed = run(file, 'doctor', '--fix')
      expect(fixed).toMatchObject({ code: 0, stderr: expect.stringContaining('removed from the backup too') })
      const [copy = '', ...others] = copiesOf(file)
      expect(others).toEqual([])
      for (const one of [file, join(dirname(file), copy)]) {
        expect(databaseBytes(one).includes('quetzalcoatl')).toBe(false)
        await using memory = await openMemory({ db: one })
        expect((await memory.doctor()).status).toBe('pass')
      }
    },
    30_000,
  )

  test('that came while it was open is reported and removed by the open memory', async () => {
    const file = await filledDatabase()
    await using memory = await openMemory({ db: file })
    tamper(file, (db) => db.exec(THIEF))
    const checks = (await memory.doctor()).checks
    expect(checks.find(({ name }) => name === 'schema_objects')).toMatchObject({
      status: 'fail',
      detail: 'not made by remindb: trigger "thief"',
    })
    expect((await memory.heal()).status).toBe('pass')
    expect((await memory.forest()).roots).not.toEqual([])
  })

  test.each([
    [
      'a view in the place of the erasures',
      'DROP TABLE scrubs; CREATE VIEW scrubs AS SELECT 1 AS id, 1 AS requested_at',
    ],
    [
      'a trigger on erasures',
      `INSERT INTO scrubs (requested_at) VALUES (1); CREATE TABLE ran (at);
       CREATE TRIGGER t BEFORE DELETE ON scrubs BEGIN INSERT INTO ran VALUES (1); END`,
    ],
    [
      'tables that refer to one another',
      `CREATE TABLE p (x PRIMARY KEY); CREATE TABLE c (x REFERENCES p); INSERT INTO p VALUES (1); INSERT INTO c VALUES (1)`,
    ],
  ])('%s that came while it was open is not run by its repair, nor by the backup', async (_case, sql) => {
    const file = await filledDatabase()
    await using memory = await openMemory({ db: file })
    // Opens the writer, which stays.
    await memory.write({ payload: 'before' })
    tamper(file, (db) => db.exec(sql))
    expect((await memory.doctor()).checks.map(({ name }) => name)).toEqual(['schema_objects'])
    await expect(memory.backup()).rejects.toMatchObject({ code: 'CORRUPTED_DATA' })
    let copy = ''
    const { status, checks } = await memory.heal((name) => {
      copy = name
    })
    expect(checks.filter((check) => check.status === 'fail')).toEqual([])
    expect(status).toBe('pass')
    expect(checks.find(({ name }) => name === 'schema_objects')).toMatchObject({ fix_applied: true })
    const db = new Sqlite(copy, { readonly: true })
    const hasRun = db.prepare(`SELECT 1 FROM sqlite_schema WHERE name = 'ran'`).get() !== undefined
    expect(hasRun ? db.prepare('SELECT * FROM ran').all() : []).toEqual([])
    db.close()
    expect((await memory.write({ payload: 'after' })).id).not.toBe('')
  })

  test('that came while it was open and cannot be removed: the repair says so, and leaves no copy', async () => {
    const file = await filledDatabase()
    await using memory = await openMemory({ db: file })
    tamper(file, changedTable)
    const { checks } = await memory.heal()
    expect(checks).toMatchObject([
      { name: 'schema_objects', fix_error: expect.stringContaining('not tried: changed table "owners"') },
    ])
    expect(copiesOf(file)).toEqual([])
  })

  test('tables that SQLite itself makes for its planner are no such parts', async () => {
    const file = await filledDatabase()
    tamper(file, (db) => db.exec('ANALYZE'))
    await using memory = await openMemory({ db: file })
    expect((await memory.doctor()).status).toBe('pass')
  })
})

test('the digest of the schema is that of the newest one: after a new migration, put what is received here', () => {
  const { objects } = expectedSchema()
  expect(SCHEMA_DIGEST).toBe(digestOf(objects))
  expect(digestOf(objects.toReversed())).toBe(SCHEMA_DIGEST)
  expect(digestOf(objects.map((object) => ({ ...object, table: 'x' })))).not.toBe(SCHEMA_DIGEST)
})

test('a sound database has nothing to remove', async () => {
  const file = await filledDatabase()
  const same = { foreign: [], missing: [] }
  tamper(file, (db) => expect(compareSchema(db)).toEqual(same))
  expect(repairSchemaOf(file, `${file}.bak`)).toEqual({ isBackupCleaned: false })
  tamper(file, (db) => expect(compareSchema(db)).toEqual(same))
  await using memory = await openMemory({ db: file })
  expect((await memory.doctor()).status).toBe('pass')
})

describe('every handle', () => {
  test('distrusts the schema and checks what it reads', async () => {
    const file = await filledDatabase()
    const writer = { file: join(temporaryFolder(), 'new.db') }
    for (const db of [openReader(file), openWriter(writer), openHandle(':memory:')]) {
      expect(db.pragma('trusted_schema', { simple: true })).toBe(0)
      expect(db.pragma('cell_size_check', { simple: true })).toBe(1)
      // SQL cannot write to the schema itself.
      db.pragma('writable_schema = ON')
      expect(db.pragma('writable_schema', { simple: true })).toBe(0)
      db.close()
    }
  })

  test('of a memory keeps the schema from calling functions of the program', async () => {
    const db = openHandle(':memory:')
    db.exec(`CREATE VIEW v AS SELECT label_words('text', 'x') AS words`)
    expect(() => db.prepare('SELECT * FROM v').get()).toThrow('unsafe use of label_words()')
    db.close()
  })
})

async function texts(file: string): Promise<unknown[]> {
  const db = new Sqlite(file, { readonly: true })
  const rows = db.prepare('SELECT n.id, t.body FROM nodes n LEFT JOIN texts t ON t.id = n.text_id').all()
  db.close()
  return rows
}
