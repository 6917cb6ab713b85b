import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import Sqlite, { type Database } from 'better-sqlite3'
import { describe, expect, test } from 'vitest'
import type { DoctorReport } from '../../src/core/doctor/doctor.ts'
import { type Memory, openMemory } from '../../src/runtime/memory/open-memory.ts'
import { healthOf } from '../support/health.ts'
import { BREAKAGES } from '../support/store-breakages.ts'
import { filledDatabase, openEngine, tamper } from '../support/store-database.ts'
import { databaseBytes, fileHash, temporaryFolder } from '../support/store-files.ts'

const CHECKS = [
  'fts5_sync',
  'orphan_parent_id',
  'head_cursor',
  'dangling_diffs',
  'history',
  'schema_version',
  'stale_compile_root',
  'schema_objects',
  'foreign_keys',
  'missing_text',
  'text_digest',
  'text_refs',
  'labels',
  'unreachable_nodes',
  'links',
  'counters',
  'cursor_hash',
  'heat',
  'leases',
  'files',
  'documents',
  'pending_scrub',
  'database_file',
]

const find = (report: DoctorReport, name: string) => report.checks.find((check) => check.name === name)
const failing = (report: DoctorReport) => report.checks.filter((check) => check.status !== 'pass')

/** What a person would miss: every live node with its text. */
function liveTexts(file: string): { id: string; body: string }[] {
  const db = new Sqlite(file, { readonly: true })
  const rows = db
    .prepare<[], { id: string; body: string }>(
      'SELECT n.id, t.body FROM nodes n LEFT JOIN texts t ON t.id = n.text_id WHERE removed_in IS NULL',
    )
    .all()
  db.close()
  return rows
}

function liveLabels(file: string): unknown[] {
  const db = new Sqlite(file, { readonly: true })
  const rows = db.prepare('SELECT key, label FROM nodes WHERE removed_in IS NULL').all()
  db.close()
  return rows
}

/** A healed memory can be edited and rolled back like any other. */
async function goOn(memory: Memory): Promise<void> {
  const [first] = (await memory.forest()).roots
  const { snapshot } = await memory.write({ anchor: first?.id ?? '', payload: 'Edited after healing.' })
  await memory.write({ payload: 'New after healing.' })
  await memory.forget({ id: first?.id ?? '', mode: 'cascade' })
  expect(failing(await memory.doctor())).toEqual([])
  await memory.rollback({ snapshotId: snapshot?.id ?? 0 })
  expect(failing(await memory.doctor())).toEqual([])
}

const NO_SCRUB = {
  name: 'pending_scrub',
  status: 'pass',
  detail: 'no removed text waits to be overwritten',
}

describe('doctor', () => {
  test('names every check, in order, and passes a healthy memory without a backup', async () => {
    const file = await filledDatabase()
    await using memory = await openMemory({ db: file })
    const report = await memory.doctor()
    expect(report.checks.map((check) => check.name)).toEqual(CHECKS)
    expect(report.status).toBe('pass')
    expect(await memory.heal(() => expect.unreachable('no backup is needed'))).toEqual(report)
  })

  test.each(BREAKAGES)('$check: finds and heals that $what', async ({ check, sql }) => {
    const file = await filledDatabase()
    const sound = liveTexts(file)
    tamper(file, (db) => db.unsafeMode(true).exec(sql))
    const texts = liveTexts(file)
    await using memory = await openMemory({ db: file })
    const before = await memory.doctor()
    expect(find(before, check)?.status).toBe('fail')
    expect(before.status).toBe('fail')

    const backups: string[] = []
    const healed = await memory.heal((name) => backups.push(name))
    expect(find(healed, check)).toMatchObject({ status: 'pass', fix_applied: true })
    expect(failing(healed)).toEqual([])
    expect(failing(await memory.doctor())).toEqual([])
    expect(liveTexts(file)).toEqual(sound)

    expect(backups).toHaveLength(1)
    await using backup = await openMemory({ db: backups[0] ?? '', create: false })
    // A backup has nothing that is still to be overwritten.
    const found = before.checks.map((one) => (one.name === 'pending_scrub' ? NO_SCRUB : one))
    expect((await backup.doctor()).checks).toEqual(found)
    expect(liveTexts(backup.path)).toEqual(texts)
    await goOn(memory)
  })

  test('never writes: not the file, not a snapshot', async () => {
    const file = await filledDatabase()
    const checks = ['orphan_parent_id', 'labels', 'unreachable_nodes', 'missing_text', 'head_cursor']
    for (const { sql } of BREAKAGES.filter(({ check }) => checks.includes(check)))
      tamper(file, (db) => db.exec(sql))
    const before = fileHash(file)
    await using memory = await openMemory({ db: file })
    const snapshots = await memory.snapshots()
    expect((await memory.doctor()).status).toBe('fail')
    const bytes = databaseBytes(file)
    await memory.doctor()
    expect(databaseBytes(file).equals(bytes)).toBe(true)
    expect(fileHash(file)).toBe(before)
    expect(await memory.snapshots()).toEqual(snapshots)
    expect(readdirSync(dirname(file)).filter((name) => name.includes('.bak.'))).toEqual([])
  })

  test('warns of a compile root that is gone, and leaves it at that', async () => {
    const folder = temporaryFolder()
    mkdirSync(join(folder, 'elsewhere'))
    writeFileSync(join(folder, 'elsewhere', 'a.md'), '# A\n\nText.')
    mkdirSync(join(folder, 'home'))
    await using memory = await openMemory({ db: join(folder, 'home') })
    await memory.compile(join(folder, 'elsewhere'))
    expect((await memory.doctor()).status).toBe('pass')
    rmSync(join(folder, 'elsewhere'), { recursive: true })
    const report = await memory.heal(() => expect.unreachable('a warning changes nothing'))
    expect(failing(report)).toEqual([
      {
        name: 'stale_compile_root',
        status: 'warn',
        detail: expect.stringMatching(/^1\/1 compile roots no longer exist: \[.*elsewhere\]$/),
      },
    ])
  })

  test('reports texts that do not match their digests, which only a backup restores', async () => {
    const file = await filledDatabase()
    tamper(file, (db) => db.exec(`UPDATE texts SET body = 'TAMPERED' WHERE id = 1`))
    const labels = liveLabels(file)
    await using memory = await openMemory({ db: file })
    expect(find(await memory.doctor(), 'text_digest')).toEqual({
      name: 'text_digest',
      status: 'fail',
      detail: '1 texts do not match their digests; restore the newest backup that passes this check',
    })
    const healed = await memory.heal()
    expect(failing(healed).map(({ name }) => name)).toEqual(['text_digest'])
    expect(find(healed, 'text_digest')?.fix_error).toMatch(/cannot be repaired/)
    expect(liveLabels(file)).toEqual(labels)
  })

  test.each(['7', "'seven'"])(
    'repairs links also where the digest of a text is %s, not bytes',
    async (digest) => {
      const file = await filledDatabase()
      tamper(file, (db) =>
        db.exec(`UPDATE texts SET digest = ${digest} WHERE id = (SELECT text_id FROM nodes WHERE name IS NOT NULL LIMIT 1);
        UPDATE nodes SET name = 'another' WHERE name IS NOT NULL`),
      )
      await using memory = await openMemory({ db: file })
      expect(failing(await memory.doctor()).map(({ name }) => name)).toEqual([
        'text_digest',
        'links',
        'cursor_hash',
      ])
      expect(failing(await memory.heal()).map(({ name }) => name)).toEqual(['text_digest'])
    },
  )

  test('makes no backup for what it cannot repair: the newest one is the one to restore', async () => {
    const file = await filledDatabase()
    // Of a version that is in no index.
    tamper(file, (db) => db.exec(`UPDATE texts SET body = 'TAMPERED' WHERE body = 'Gone again.'`))
    await using memory = await openMemory({ db: file })
    const healed = await memory.heal(() => expect.unreachable('nothing is going to be changed'))
    expect(failing(healed).map(({ name }) => name)).toEqual(['text_digest'])
  })

  test('empties nodes whose text is lost, and the next compile brings back what files say', async () => {
    const folder = temporaryFolder()
    mkdirSync(join(folder, 'notes'))
    writeFileSync(join(folder, 'notes', 'a.md'), '# Kept\n\nFirst text.\n\n## Lost heading\n\nBelow it.\n')
    writeFileSync(join(folder, 'notes', 'b.md'), '# Other\n')
    const file = join(folder, 'memory.db')
    await using memory = await openMemory({ db: file })
    await memory.compile(join(folder, 'notes'))
    await memory.write({ payload: 'A note that is lost.' })
    const bodies = () => liveTexts(file).map(({ body }) => body)
    const before = bodies().sort()
    const ids = liveTexts(file).map((node) => node.id)
    tamper(file, (db) =>
      db.exec(`DELETE FROM texts WHERE body IN ('First text.', 'Lost heading', 'A note that is lost.')`),
    )
    expect(find(await memory.doctor(), 'missing_text')).toMatchObject({
      status: 'fail',
      detail: expect.stringMatching(
        /^3 nodes, 3 versions and \d documents lost their text; compile again to restore/,
      ),
    })
    const healed = await memory.heal()
    expect(failing(healed)).toEqual([])
    expect(find(healed, 'missing_text')).toMatchObject({
      fix_applied: true,
      detail: 'no reference to a lost text; compile again to restore the text of 1 file',
    })
    expect(bodies().sort()).toEqual(['', '', '', 'Below it.', 'Kept', 'Other'])

    const { files } = await memory.compile(join(folder, 'notes'))
    expect(files.changed).toBe(1)
    expect(bodies().sort()).toEqual(
      before.map((body) => (body === 'A note that is lost.' ? '' : body)).sort(),
    )
    expect(liveTexts(file).map((node) => node.id)).toEqual(ids)
    expect(failing(await memory.doctor())).toEqual([])
    expect(find(await memory.doctor(), 'missing_text')?.detail).toBe('every referenced text exists')
    await memory.rollback({ snapshotId: 1 })
    expect(failing(await memory.doctor())).toEqual([])
  })

  test('names the tables whose rows lead nowhere', async () => {
    const file = await filledDatabase()
    tamper(file, (db) => db.exec('DELETE FROM documents'))
    await using memory = await openMemory({ db: file })
    expect(find(await memory.doctor(), 'foreign_keys')).toMatchObject({
      status: 'fail',
      detail: expect.stringMatching(
        /\d of document_versions to documents, \d of nodes to documents; restore the newest/,
      ),
    })
    expect(find(await memory.heal(), 'foreign_keys')).toMatchObject({
      status: 'fail',
      fix_error: expect.stringMatching(/cannot be repaired/),
    })
  })

  test.each(['heat', 'documents', 'texts', 'nodes', 'snapshots', 'overlays', 'counters'])(
    'says that the table %s is missing, makes what checks it can, and changes nothing',
    async (table) => {
      const file = await filledDatabase()
      tamper(file, (db) => db.exec(`DROP TABLE ${table}`))
      const before = fileHash(file)
      await using memory = await openMemory({ db: file })
      const report = await memory.doctor()
      expect(report.checks.map((check) => check.name)).toEqual(CHECKS)
      expect(find(report, 'schema_objects')).toMatchObject({
        status: 'fail',
        detail: expect.stringMatching(
          new RegExp(`^missing: (.*, )?table ${table}\\b.*; restore the newest backup`),
        ),
      })
      const healed = await memory.heal()
      expect(find(healed, 'schema_objects')?.fix_error).toBe(
        `not tried: the tables ${table} are missing; restore the newest backup that has them`,
      )
      expect(fileHash(file)).toBe(before)
    },
  )

  test('makes the table of pending erasures again, and a backup before', async () => {
    const file = await filledDatabase()
    tamper(file, (db) => db.exec('DROP TABLE scrubs'))
    await using memory = await openMemory({ db: file })
    expect(find(await memory.doctor(), 'schema_objects')).toMatchObject({
      status: 'fail',
      detail: 'missing: table scrubs',
    })
    const healed = await memory.heal()
    expect(find(healed, 'schema_objects')).toMatchObject({ status: 'pass', fix_applied: true })
    expect(healed.status).toBe('pass')
    expect(readdirSync(dirname(file)).filter((name) => name.includes('.bak.'))).toHaveLength(1)
  })

  test('finds a cycle of any length, and what hangs below it', async () => {
    const file = await filledDatabase()
    tamper(file, (db) =>
      db.exec('UPDATE nodes SET parent_key = CASE key WHEN 1 THEN 3 WHEN 3 THEN 2 ELSE 1 END'),
    )
    await using memory = await openMemory({ db: file })
    const live = liveTexts(file).length
    expect(find(await memory.doctor(), 'unreachable_nodes')).toMatchObject({
      status: 'fail',
      detail: `${live} nodes are below no root: 1 cycle of parents`,
    })
    const [hit] = (await memory.search({ query: 'first paragraph' })).hits
    expect(hit?.headingPath.length).toBeLessThan(live)
    const { nodes } = await memory.fetch({ anchor: hit?.id ?? '', depth: 0 })
    expect(nodes.length).toBeLessThanOrEqual(live)
    expect(failing(await memory.heal())).toEqual([])
    expect((await memory.forest()).roots).toHaveLength(1)
  })

  test('gives an index that was built anew its settings', async () => {
    const file = await filledDatabase()
    tamper(file, (db) => db.unsafeMode(true).exec('DELETE FROM node_index_config'))
    await using memory = await openMemory({ db: file })
    await memory.heal()
    const db = new Sqlite(file, { readonly: true })
    expect(db.prepare('SELECT k, v FROM node_index_config ORDER BY k').all()).toEqual([
      { k: 'hashsize', v: 16777216 },
      { k: 'version', v: expect.any(Number) },
    ])
    db.close()
  })

  test('reports migrations that are missing and asks nothing else', async () => {
    const file = await filledDatabase()
    const engine = await openEngine(file)
    await engine.store.read((tx) => tx.state())
    tamper(file, (db) => db.pragma('user_version = 0'))
    expect(await engine.store.read(healthOf)).toEqual([
      { name: 'schema_version', status: 'fail', detail: expect.stringContaining('missing') },
    ])
    await engine.close()
  })

  test.each(['changes', 'nodes', 'texts', 'node_index_data'])(
    'reports a damaged page of %s and changes nothing',
    async (table) => {
      const file = await filledDatabase()
      damage(file, table)
      const before = fileHash(file)
      await using memory = await openMemory({ db: file })
      const report = await memory.doctor()
      expect(find(report, 'database_file')).toMatchObject({
        status: 'fail',
        detail: expect.stringMatching(/damaged.*restore the newest backup/),
      })
      const healed = await memory.heal(() => expect.unreachable('nothing is going to be changed'))
      expect(find(healed, 'database_file')?.fix_error).toMatch(/damaged.*restore/)
      expect(fileHash(file)).toBe(before)
    },
  )
})

function damage(file: string, table: string): void {
  const db: Database = new Sqlite(file, { readonly: true })
  const { rootpage } = db.prepare('SELECT rootpage FROM sqlite_schema WHERE name = ?').get(table) as {
    rootpage: number
  }
  db.close()
  const bytes = readFileSync(file)
  bytes.fill(0x7f, (rootpage - 1) * 4096, rootpage * 4096)
  writeFileSync(file, bytes)
}
