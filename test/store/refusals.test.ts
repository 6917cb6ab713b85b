import { chmodSync, mkdirSync, readdirSync, readFileSync, truncateSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import Sqlite from 'better-sqlite3'
import { expect, test } from 'vitest'
import { openMemory } from '../../src/runtime/memory/open-memory.ts'
import { start } from '../support/store-children.ts'
import { filledDatabase, tamper } from '../support/store-database.ts'
import { fileHash, temporaryFolder } from '../support/store-files.ts'

const emptyPath = (): string => join(temporaryFolder(), 'memory.db')

/** Opens, reads and writes; gives the errors. The file must be as it was after each. */
async function refusalsOf(file: string): Promise<unknown[]> {
  const before = fileHash(file)
  const errors: unknown[] = []
  for (const create of [false, true]) {
    try {
      await using memory = await openMemory({ db: file, create })
      await memory.write({ payload: 'must not get in' })
    } catch (error) {
      errors.push(error)
    }
    expect(fileHash(file)).toBe(before)
  }
  return errors
}

const refused = (code: string, message: RegExp) =>
  expect.objectContaining({ name: 'MemoryError', code, message: expect.stringMatching(message) })

test('a database of a newer remindb', async () => {
  const file = await filledDatabase()
  tamper(file, (db) => db.pragma('user_version = 99'))
  const error = refused('NEWER_DATABASE', /schema 99.*not changed.*Upgrade/)
  expect(await refusalsOf(file)).toEqual([error, error])
})

test.each([1, 5, 8])('a database of schema %i, which was never released', async (version) => {
  const file = await filledDatabase()
  tamper(file, (db) => db.pragma(`user_version = ${version}`))
  const error = refused(
    'OLDER_DATABASE',
    new RegExp(`unreleased.*schema ${version}\\b.*not changed.*export.*import.*compile`),
  )
  expect(await refusalsOf(file)).toEqual([error, error])
  expect(readdirSync(dirname(file)).filter((name) => name.includes('.bak'))).toEqual([])
})

test.each([
  ['text', 'This is not a database, but my diary.\n'.repeat(1000)],
  ['three bytes', 'abc'],
  ['almost the right beginning', `SQLite format 4\0${'x'.repeat(5000)}`],
])('a file of %s', async (_what, content) => {
  const file = emptyPath()
  writeFileSync(file, content)
  const error = refused('NOT_A_DATABASE', /not a remindb database.*not changed.*--db/)
  expect(await refusalsOf(file)).toEqual([error, error])
})

test('a file with the right beginning and nothing else right', async () => {
  const file = emptyPath()
  writeFileSync(file, Buffer.concat([Buffer.from('SQLite format 3\0'), Buffer.alloc(8000, 0x5a)]))
  const error = refused('NOT_A_DATABASE', /not changed.*--db/)
  expect(await refusalsOf(file)).toEqual([error, error])
})

test.each(['delete', 'wal'])("another program's SQLite database (journal mode %s)", async (mode) => {
  const file = emptyPath()
  const db = new Sqlite(file)
  db.pragma(`journal_mode = ${mode}`)
  db.exec(`CREATE TABLE nodes (id INTEGER PRIMARY KEY, text TEXT); INSERT INTO nodes VALUES (1, 'theirs')`)
  db.close()
  const error = refused('NOT_A_DATABASE', /not one of remindb.*not changed.*--db/)
  expect(await refusalsOf(file)).toEqual([error, error])
})

test('a database cut in half', async () => {
  const file = await filledDatabase()
  truncateSync(file, Math.floor(readFileSync(file).length / 2))
  const error = refused('CORRUPTED_DATA', /damaged.*not changed.*backup/)
  expect(await refusalsOf(file)).toEqual([error, error])
})

test('a database with garbage after its first page', async () => {
  const file = await filledDatabase()
  const bytes = readFileSync(file)
  writeFileSync(file, bytes.fill(0xa5, 4096))
  const error = refused('CORRUPTED_DATA', /damaged.*not changed.*backup/)
  expect(await refusalsOf(file)).toEqual([error, error])
})

test('an empty file is no memory, until it is meant to become one', async () => {
  const file = emptyPath()
  writeFileSync(file, '')
  await expect(openMemory({ db: file, create: false })).rejects.toEqual(
    refused('NOT_FOUND', /no memory here yet.*compile.*--db/),
  )
  expect(readFileSync(file)).toHaveLength(0)
  await using memory = await openMemory({ db: file })
  await memory.write({ payload: 'works' })
})

test('a path without a file: nothing is created by looking', async () => {
  const file = emptyPath()
  await expect(openMemory({ db: file, create: false })).rejects.toEqual(
    refused('NOT_FOUND', /no memory here/),
  )
  expect(readdirSync(dirname(file))).toEqual([])
  await expect(openMemory({ db: join(file, 'deeper', 'memory.db') })).rejects.toEqual(
    refused('NOT_FOUND', /parent directory.*create it/),
  )
})

test('a folder where the file should be', async () => {
  const folder = temporaryFolder()
  mkdirSync(join(folder, '.remindb', 'memory.db'), { recursive: true })
  for (const create of [false, true])
    await expect(openMemory({ db: folder, create })).rejects.toEqual(
      refused('NOT_A_DATABASE', /not|something else.*--db/),
    )
  expect(readdirSync(join(folder, '.remindb', 'memory.db'))).toEqual([])
})

/** Runs as a user who has no rights on what root made; where tests do not run as root, rights are taken away. */
async function attemptUnprivileged(file: string): Promise<(string | undefined)[]> {
  const child = start('attempt', { file }, { isUnprivileged: true })
  const outcomes = [await child.next(), await child.next()]
  expect(await child.ended()).toBe('')
  return outcomes
}

test.runIf(process.platform !== 'win32').each([
  { what: 'a read-only file', fileMode: 0o444, folderMode: 0o777 },
  { what: 'a read-only folder', fileMode: 0o666, folderMode: 0o555 },
  { what: 'a read-only file in a read-only folder', fileMode: 0o444, folderMode: 0o555 },
])('$what can be read and says why it cannot be written', async ({ fileMode, folderMode }) => {
  const file = await filledDatabase()
  const before = fileHash(file)
  chmodSync(file, fileMode)
  chmodSync(dirname(file), folderMode)
  const [read, written] = await attemptUnprivileged(file)
  expect(read).toMatch(/^[1-9]\d* nodes, pass$/)
  expect(written).toMatch(/^READ_ONLY: .*nothing was changed.*write permission/)
  expect(fileHash(file)).toBe(before)
  if (folderMode === 0o555) expect(readdirSync(dirname(file))).toEqual(['memory.db'])
})

test.runIf(process.platform !== 'win32')('a folder that may be written to again is', async () => {
  const file = await filledDatabase()
  chmodSync(dirname(file), 0o555)
  const child = start('write-when-permitted', { file }, { isUnprivileged: true })
  expect(await child.next()).toMatch(/^READ_ONLY: /)
  chmodSync(dirname(file), 0o755)
  child.tell()
  expect([await child.next(), await child.next(), await child.next()]).toEqual(Array(3).fill('written'))
  await child.ended()
})

test.runIf(process.platform !== 'win32').each([
  { what: 'a file that may not be read', fileMode: 0o000, folderMode: 0o755 },
  { what: 'a folder that may not be entered', fileMode: 0o644, folderMode: 0o000 },
])('$what', async ({ fileMode, folderMode }) => {
  const file = await filledDatabase()
  const before = fileHash(file)
  chmodSync(file, fileMode)
  chmodSync(dirname(file), folderMode)
  const outcomes = await attemptUnprivileged(file)
  chmodSync(dirname(file), 0o755)
  chmodSync(file, 0o644)
  for (const outcome of outcomes) expect(outcome).toMatch(/^FORBIDDEN: .*read permission/)
  expect(fileHash(file)).toBe(before)
})

test.runIf(process.platform !== 'win32')('a memory cannot be created in a read-only folder', async () => {
  const file = emptyPath()
  chmodSync(dirname(file), 0o555)
  const [read, written] = await attemptUnprivileged(file)
  expect(read).toMatch(/^NOT_FOUND: /)
  expect(written).toMatch(/^READ_ONLY: .*write permission/)
  expect(readdirSync(dirname(file))).toEqual([])
})
