import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import Sqlite from 'better-sqlite3'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openMemory } from '../../src/runtime/memory/open-memory.ts'
import { migrations, NEWEST_SCHEMA } from '../../src/store/sqlite/migrations/index.ts'
import { createNextProgram, type NextProgram } from '../support/next-program.ts'
import { filledDatabase, tamper } from '../support/store-database.ts'
import { fileHash } from '../support/store-files.ts'

const MIGRATION = `
  ALTER TABLE nodes ADD COLUMN language TEXT NOT NULL DEFAULT 'en';
  CREATE TABLE languages (language TEXT NOT NULL, count INTEGER NOT NULL);
  INSERT INTO languages SELECT language, count(*) FROM nodes GROUP BY language;`

const folder = mkdtempSync(join(tmpdir(), 'remindb-next-'))
let program: NextProgram

beforeAll(() => {
  program = createNextProgram(folder, MIGRATION)
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const next = (file: string, args: string[], input?: string) =>
  program([...args, '--db', file], { cwd: dirname(file), ...(input === undefined ? {} : { input }) })

const copiesOf = (file: string): string[] =>
  readdirSync(dirname(file)).filter((name) => name.includes('.bak.'))

/** The number of the schema, and every node with its text. */
function contentOf(file: string): { schema: unknown; nodes: unknown[] } {
  const db = new Sqlite(file, { readonly: true })
  try {
    const nodes = db.prepare(
      'SELECT n.id, n.label, t.body FROM nodes n LEFT JOIN texts t ON t.id = n.text_id ORDER BY n.key',
    )
    return { schema: db.pragma('user_version', { simple: true }), nodes: nodes.all() }
  } finally {
    db.close()
  }
}

test('a migration copies the database first, names the copy and keeps everything', async () => {
  const file = await filledDatabase()
  const before = contentOf(file)
  const { code, stderr } = next(file, ['inspect'])
  expect({ code, stderr }).toEqual({
    code: 0,
    stderr: expect.stringMatching(/was brought up to date; a copy from before is .*memory\.db\.bak\./),
  })
  const [copy = '', ...others] = copiesOf(file)
  expect(others).toEqual([])
  expect(copy).toMatch(/^memory\.db\.bak\.\d{4}-\d\d-\d\dT[\d-]+\.\d{3}Z$/)
  expect(stderr).toContain(copy)
  expect(contentOf(join(dirname(file), copy))).toEqual(before)
  expect(contentOf(file)).toEqual({ ...before, schema: NEWEST_SCHEMA + 1 })

  const applied = migrations.length + 1
  expect(next(file, ['doctor'])).toEqual({
    ...{ code: 0, stderr: '' },
    stdout: expect.stringContaining(`${applied}/${applied} migrations applied`),
  })
  expect(copiesOf(file)).toHaveLength(1)
})

test('a database that a newer version has migrated is refused and not changed', async () => {
  const file = await filledDatabase()
  expect(next(file, ['write', 'Written by the next version.']).code).toBe(0)
  const before = fileHash(file)
  await expect(openMemory({ db: file })).rejects.toMatchObject({
    code: 'NEWER_DATABASE',
    message: expect.stringMatching(`schema ${NEWEST_SCHEMA + 1}, this one knows ${NEWEST_SCHEMA}.*Upgrade`),
  })
  expect(fileHash(file)).toBe(before)
})

test('a read-only server refuses to migrate, and changes nothing', async () => {
  const file = await filledDatabase()
  const before = fileHash(file)
  const messages = [
    {
      ...{ id: 0, method: 'initialize' },
      params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'a', version: '1' } },
    },
    { method: 'notifications/initialized' },
    { id: 1, method: 'tools/call', params: { name: 'MemoryStats', arguments: {} } },
  ]
  const input = messages.map((message) => `${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`).join('')
  expect(next(file, ['serve', '--read-only'], input).stdout).toContain('must be migrated first')
  expect(fileHash(file)).toBe(before)
  expect(copiesOf(file)).toEqual([])
})

test('foreign parts are refused before a migration, removed by doctor --fix, and then it is migrated', async () => {
  const file = await filledDatabase()
  tamper(file, (db) => db.exec('CREATE TRIGGER thief AFTER UPDATE ON documents BEGIN DELETE FROM nodes; END'))
  const before = fileHash(file)
  const { nodes } = contentOf(file)
  expect(next(file, ['inspect'])).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('trigger "thief"'),
  })
  expect(fileHash(file)).toBe(before)
  expect(next(file, ['doctor', '--fix']).code).toBe(0)
  expect(contentOf(file)).toEqual({ schema: NEWEST_SCHEMA + 1, nodes })
})
