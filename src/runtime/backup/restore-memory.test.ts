import {
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Sqlite from 'better-sqlite3'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { openMemory } from '../memory/open-memory.ts'
import { restoreMemory } from './restore-memory.ts'

let folder: string
let db: string
beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'remindb-restore-')))
  db = join(folder, '.remindb', 'memory.db')
})
afterEach(() => rmSync(folder, { recursive: true }))

const NOW = Date.UTC(2026, 0, 2)
const restore = (backup: string) => restoreMemory({ backup, db, now: NOW })

async function write(payload: string): Promise<void> {
  await using memory = await openMemory({ db })
  await memory.write({ payload })
}

async function textsOf(file: string): Promise<string[]> {
  await using memory = await openMemory({ db: file, readOnly: true })
  const { roots } = await memory.forest()
  return roots.map(({ label }) => label)
}

async function backUp(name = 'copy.db'): Promise<string> {
  await using memory = await openMemory({ db })
  return memory.backup(join(folder, name))
}

test('puts the backup in place and keeps the present memory under a name with the time', async () => {
  await write('before')
  const backup = await backUp()
  await write('after')
  const { aside } = await restore(backup)
  expect(await textsOf(db)).toEqual(['before'])
  expect(aside).toBe(`${db}.bak.2026-01-02T00-00-00.000Z`)
  expect(await textsOf(aside ?? '')).toEqual(['before', 'after'])
  await expect(restore(aside ?? '')).rejects.toThrow()
  await restoreMemory({ backup: aside ?? '', db, now: NOW + 1 })
  expect(await textsOf(db)).toEqual(['before', 'after'])
})

test('makes the memory where there is none', async () => {
  await write('before')
  const backup = await backUp()
  rmSync(join(folder, '.remindb'), { recursive: true })
  expect(await restore(backup)).toEqual({ db, aside: null })
  expect(await textsOf(db)).toEqual(['before'])
})

test('is refused while the memory is open, also by who only reads', async () => {
  await write('before')
  const backup = await backUp()
  for (const readOnly of [false, true]) {
    await using memory = await openMemory({ db, readOnly })
    await memory.overview()
    await expect(restore(backup)).rejects.toMatchObject({ code: 'UNAVAILABLE' })
  }
  expect(readdirSync(join(folder, '.remindb')).filter((name) => name.includes('.bak.'))).toEqual([])
})

test.each([
  ['damaged', 'CORRUPTED_DATA'],
  ['newer', 'NEWER_DATABASE'],
  ['foreign', 'NOT_A_DATABASE'],
  ['text', 'NOT_A_DATABASE'],
  ['missing', 'NOT_FOUND'],
  ['failing', 'CORRUPTED_DATA'],
  ['itself', 'INVALID_INPUT'],
])('refuses a backup that is %s, and changes nothing', async (kind, code) => {
  await write('before')
  const backup = join(folder, 'copy.db')
  if (kind !== 'missing') await backUp()
  spoil(kind, backup)
  await expect(restore(kind === 'itself' ? db : backup)).rejects.toMatchObject({ code })
  expect(await textsOf(db)).toEqual(['before'])
  expect(readdirSync(join(folder, '.remindb')).filter((name) => name.includes('.bak.'))).toEqual([])
})

function spoil(kind: string, file: string): void {
  if (kind === 'text') writeFileSync(file, 'no database at all, only words\n'.repeat(100))
  if (!['damaged', 'newer', 'foreign', 'failing'].includes(kind)) return
  const copy = new Sqlite(file)
  if (kind === 'newer') copy.pragma('user_version = 999')
  if (kind === 'foreign') copy.pragma('application_id = 1')
  if (kind === 'failing') copy.exec("UPDATE nodes SET label = 'other'")
  const pages = copy.pragma('page_count', { simple: true }) as number
  copy.close()
  if (kind === 'damaged') overwritePages(file, pages)
}

function overwritePages(file: string, pages: number): void {
  const bytes = Buffer.alloc(4096 * pages, 1)
  const copy = new Sqlite(file, { readonly: true })
  copy.serialize().copy(bytes, 0, 0, 4096 * 2)
  copy.close()
  writeFileSync(file, bytes)
}

test('replaces a damaged memory, and no journal of it is left beside the new one', async () => {
  await write('before')
  const backup = await backUp()
  const damaged = Buffer.alloc(8192, 1)
  writeFileSync(db, damaged)
  writeFileSync(`${db}-wal`, 'a journal')
  writeFileSync(`${db}-journal`, 'another')
  const { aside } = await restore(backup)
  expect(await textsOf(db)).toEqual(['before'])
  expect(readFileSync(aside ?? '')).toEqual(damaged)
  expect(['-wal', '-shm', '-journal'].filter((end) => existsSync(`${db}${end}`))).toEqual([])
})
