import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { boostHeat, setHeat } from '../../src/core/rows/heat.ts'
import { openReader, openWriter } from '../../src/store/sqlite/database/open.ts'
import { healthOf } from '../support/health.ts'
import { addDocument, commit, documentText, note } from '../support/store-changes.ts'
import { filledDatabase, openEngine } from '../support/store-database.ts'
import { databaseBytes, fileHash, temporaryFolder } from '../support/store-files.ts'
import { rootsOf } from '../support/store-reads.ts'
import { writing } from '../support/writing.ts'

function pragmasOf(synchronous: 'full' | 'normal') {
  const file = join(temporaryFolder(), 'memory.db')
  const db = openWriter({ file, synchronous })
  onTestFinished(() => void db.close())
  return (name: string) => db.pragma(name, { simple: true })
}

test('the writer has every safety on', () => {
  const pragma = pragmasOf('full')
  expect(pragma('journal_mode')).toBe('wal')
  expect(pragma('synchronous')).toBe(2)
  expect(pragma('foreign_keys')).toBe(1)
  expect(pragma('secure_delete')).toBe(1)
})

test('synchronous can be relaxed', () => {
  expect(pragmasOf('normal')('synchronous')).toBe(1)
})

const WRITES = [
  `INSERT INTO leases (space_id, name, holder, expires_at) VALUES (1, 'x', 'y', 0)`,
  'UPDATE spaces SET heat_clock = 1',
  'DELETE FROM nodes',
  `INSERT INTO node_index (node_index) VALUES ('rebuild')`,
  `INSERT INTO node_index (node_index, rank) VALUES ('integrity-check', 1)`,
  'CREATE TABLE t (x)',
  'DROP TABLE nodes',
  'VACUUM',
  'PRAGMA user_version = 9',
  'PRAGMA query_only = OFF; DELETE FROM nodes',
]

test('the engine itself refuses every write through a read handle', async () => {
  const file = await filledDatabase()
  const before = fileHash(file)
  const db = openReader(file)
  for (const sql of WRITES) expect(() => db.exec(sql), sql).toThrow(/readonly|read-only/)
  db.close()
  expect(fileHash(file)).toBe(before)
})

test('opening and reading writes nothing; neither does a write that changes nothing', async () => {
  const file = await filledDatabase()
  const engine = await openEngine(file)
  await engine.store.read((tx) => rootsOf(tx))
  await writing(engine.store, (tx) => tx.state())
  await writing(engine.store, (tx) => setHeat(tx, [], { value: 1 }))
  const before = databaseBytes(file)
  await writing(engine.store, (tx) => rootsOf(tx))
  await writing(engine.store, async (tx) => {
    await setHeat(tx, [1], { value: 1 })
    throw new Error('on purpose')
  }).catch(() => undefined)
  expect(databaseBytes(file).equals(before)).toBe(true)
  await engine.close()
})

test.each([
  'before\u0000after \u{10ffff} \ufeff',
  '\u{2ee5e}word',
  'one\ue000word',
  '𝒳word',
  'e\u0301word',
  'it’s',
])('a text keeps every character and the index agrees: %j', async (text) => {
  const engine = await openEngine(await filledDatabase())
  const failing = async () => (await engine.store.read(healthOf)).filter((check) => check.status === 'fail')
  const { document } = await addDocument(engine.store, note('odd'), [{ id: 'odd', text }], text)
  expect(await engine.store.read((tx) => documentText(tx, document.id))).toBe(text)
  expect(await failing()).toEqual([])
  await commit(engine.store, (tx, id) => tx.eraseDocument(document.id, id))
  expect(await engine.maintenance.scrub()).toBe(true)
  expect(await failing()).toEqual([])
  await engine.close()
})

test('a write after a failed one is not harmed by it', async () => {
  const engine = await openEngine(await filledDatabase())
  const failing = commit(engine.store, (tx, id) => tx.applyChanges(id, [{ op: 'rem', key: 999_999 }]))
  await expect(failing).rejects.toThrow()
  await addDocument(engine.store, note('n'), [{ id: 'n', text: 'n' }])
  expect((await engine.store.read(healthOf)).filter((check) => check.status !== 'pass')).toEqual([])
  await engine.close()
})

test('every write that changes something leaves a change row, with or without a snapshot', async () => {
  const file = await filledDatabase()
  const engine = await openEngine(file)
  const rows = (): number => {
    const db = openReader(file)
    const { count } = db.prepare<[], { count: number }>('SELECT count(*) AS count FROM changes').get() ?? {
      count: 0,
    }
    db.close()
    return count
  }
  const before = rows()
  await writing(engine.store, (tx) => setHeat(tx, [1], { pinned: true }))
  expect(rows()).toBe(before + 1)
  await writing(engine.store, (tx) => tx.state())
  expect(rows()).toBe(before + 1)
})

test('a run of writes without a snapshot leaves one change row: the newest', async () => {
  const file = await filledDatabase()
  const engine = await openEngine(file)
  onTestFinished(() => engine.close())
  const updates = (): { sequence: number }[] => {
    const db = openReader(file)
    const rows = db
      .prepare<[], { sequence: number }>(`SELECT sequence FROM changes WHERE kind = 'update'`)
      .all()
    db.close()
    return rows
  }
  const id = (await engine.store.read((tx) => rootsOf(tx)))[0]?.id ?? ''
  const boost = () => writing(engine.store, (tx) => boostHeat(tx, [{ id, by: 0.1, times: 1 }], 0))
  await boost()
  const [first] = updates()
  await boost()
  const [second, ...more] = updates()
  expect(more).toEqual([])
  expect(second?.sequence).toBeGreaterThan(first?.sequence ?? Number.NaN)
  await addDocument(engine.store, note('between'), [])
  await boost()
  expect(updates()).toHaveLength(2)
})
