import {
  appendFileSync,
  cpSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import Sqlite from 'better-sqlite3'
import { expect, onTestFinished, test } from 'vitest'
import { backupSpaces, openSpaces, restoreSpaces } from '../../src/index.ts'
import { temporaryFolder } from '../support/cli.ts'

const NOW = Date.UTC(2026, 0, 2)

/** A folder of spaces with two notes, and where backups go. */
async function twoSpaces() {
  const folder = temporaryFolder()
  onTestFinished(() => folder[Symbol.dispose]())
  const dir = join(folder.path, 'team')
  const at = (...path: string[]): string => join(folder.path, ...path)
  await using spaces = await openSpaces(dir)
  const ids: Record<string, string> = {}
  for (const name of ['one', 'two']) ids[name] = (await spaces.create({ name })).id
  const write = async (name: string, payload: string): Promise<void> => {
    await using open = await openSpaces(dir)
    await using memory = await open.open(name)
    await memory.write({ payload })
  }
  await write('one', 'first')
  return { dir, at, write, idOf: (name: string): string => ids[name] ?? '' }
}

async function contentOf(dir: string): Promise<Record<string, string[]>> {
  await using spaces = await openSpaces(dir, { create: false })
  const content: Record<string, string[]> = {}
  for (const { name } of await spaces.list()) {
    await using memory = await spaces.open(name)
    content[name] = (await memory.forest()).roots.map(({ label }) => label)
  }
  return content
}

const leftIn = (dir: string): string[] => readdirSync(dir).filter((name) => name.includes('restoring'))

test('a backup has everything, and restoring it keeps what was there before', async () => {
  const { dir, at, write } = await twoSpaces()
  const { folder, spaces } = await backupSpaces({ dir, now: NOW })
  expect(folder).toBe(at('remindb-backup-2026-01-02T00-00-00.000Z'))
  expect(spaces).toBe(2)
  expect(readdirSync(folder).sort()).toEqual(['audit-head.json', 'auth.db', 'manifest.json', 'spaces'])
  await write('one', 'second')
  {
    await using open = await openSpaces(dir)
    await open.delete('two')
    await open.create({ name: 'three' })
  }
  const restored = await restoreSpaces({ backup: folder, dir, now: NOW })
  expect(await contentOf(dir)).toEqual({ one: ['first'], two: [] })
  expect(leftIn(dir)).toEqual([])
  const aside = join(dir, 'before-restore-2026-01-02T00-00-00.000Z')
  expect(restored).toEqual({ dir, aside, spaces: 2, isFinished: false })
  await restoreSpaces({ backup: aside, dir, now: NOW + 1 })
  expect(await contentOf(dir)).toEqual({ one: ['first', 'second'], three: [] })
})

test('a backup is taken while a space is open and written to', async () => {
  const { dir, at } = await twoSpaces()
  await using open = await openSpaces(dir)
  await using memory = await open.open('one')
  await memory.write({ payload: 'in the journal' })
  const { folder } = await backupSpaces({ dir, target: at('copy'), now: NOW })
  await memory.write({ payload: 'too late' })
  await restoreSpaces({ backup: folder, dir: at('elsewhere'), now: NOW })
  expect(await contentOf(at('elsewhere'))).toEqual({ one: ['first', 'in the journal'], two: [] })
})

test('settings of a space are part of the backup, its logs are not', async () => {
  const { dir, at, idOf } = await twoSpaces()
  const id = idOf('one')
  mkdirSync(join(dir, 'spaces', id, '.remindb', 'sessions'), { recursive: true })
  writeFileSync(join(dir, 'spaces', id, '.remindb', 'config.json'), '{"author":"ada"}')
  writeFileSync(join(dir, 'spaces', id, '.remindb', 'sessions', 'x.jsonl'), '{}')
  await backupSpaces({ dir, target: at('copy'), now: NOW })
  expect(readdirSync(at('copy', 'spaces', id, '.remindb'))).toEqual(['config.json'])
  await restoreSpaces({ backup: at('copy'), dir: at('new'), now: NOW })
  expect(readFileSync(at('new', 'spaces', id, '.remindb', 'config.json'), 'utf8')).toBe('{"author":"ada"}')
})

test.each([
  ['changed', 'CORRUPTED_DATA', 'differs from what was backed up'],
  ['missing', 'CORRUPTED_DATA', 'is missing'],
  ['without accounts', 'NOT_FOUND', 'has no auth.db'],
  ['of a newer remindb', 'NEWER_DATABASE', 'Upgrade remindb'],
  ['with accounts of a newer remindb', 'NEWER_DATABASE', 'newer remindb'],
  ['without one of its spaces', 'NOT_A_DATABASE', 'the space "one" of the backup: '],
])('refuses a backup that is %s, and changes nothing', async (kind, code, message) => {
  const { dir, at, idOf } = await twoSpaces()
  await backupSpaces({ dir, target: at('copy'), now: NOW })
  const db = at('copy', 'spaces', idOf('one'), 'memory.db')
  if (kind === 'changed') appendFileSync(db, 'x')
  if (kind === 'missing') rmSync(db)
  if (kind === 'without accounts') rmSync(at('copy', 'auth.db'))
  if (kind === 'of a newer remindb') {
    const manifest = JSON.parse(readFileSync(at('copy', 'manifest.json'), 'utf8'))
    writeFileSync(at('copy', 'manifest.json'), JSON.stringify({ ...manifest, version: 2 }))
  }
  if (kind.startsWith('with')) rmSync(at('copy', 'manifest.json'))
  if (kind === 'without one of its spaces') rmSync(db)
  if (kind === 'with accounts of a newer remindb') {
    const accounts = new Sqlite(at('copy', 'auth.db'))
    accounts.pragma('user_version = 999')
    accounts.close()
  }
  const restoring = restoreSpaces({ backup: at('copy'), dir, now: NOW })
  await expect(restoring).rejects.toMatchObject({ code, message: expect.stringContaining(message) })
  expect(await contentOf(dir)).toEqual({ one: ['first'], two: [] })
  expect(leftIn(dir)).toEqual([])
})

test('restoring is refused while a space or the accounts are open', async () => {
  const { dir, at } = await twoSpaces()
  await backupSpaces({ dir, target: at('copy'), now: NOW })
  const restore = () => restoreSpaces({ backup: at('copy'), dir, now: NOW })
  const open = await openSpaces(dir)
  await expect(restore()).rejects.toMatchObject({ code: 'UNAVAILABLE' })
  const memory = await open.open('one')
  await memory.overview()
  await open.close()
  await expect(restore()).rejects.toMatchObject({ code: 'UNAVAILABLE' })
  await memory.close()
  expect(leftIn(dir)).toEqual([])
  await restore()
})

test('a backup is not written over another, nor into the folder that it is of', async () => {
  const { dir, at } = await twoSpaces()
  await backupSpaces({ dir, target: at('copy'), now: NOW })
  const again = backupSpaces({ dir, target: at('copy'), now: NOW })
  await expect(again).rejects.toMatchObject({ code: 'CONFLICT' })
  const inside = backupSpaces({ dir, target: join(dir, 'copy'), now: NOW })
  await expect(inside).rejects.toMatchObject({ code: 'INVALID_INPUT' })
})

test('a space that is damaged is named, and no backup is written', async () => {
  const { dir, at, idOf } = await twoSpaces()
  writeFileSync(join(dir, 'spaces', idOf('two'), 'memory.db'), Buffer.alloc(8192, 1))
  const backup = backupSpaces({ dir, target: at('copy'), now: NOW })
  await expect(backup).rejects.toThrow('the space "two": ')
  expect(readdirSync(at()).sort()).toEqual(['team'])
})

test.each([
  ['nothing', []],
  ['the spaces', ['spaces']],
  ['all but the accounts', ['spaces', 'unlisted']],
  ['everything', ['spaces', 'unlisted', 'auth.db']],
])(
  'a restore that was killed when it had moved %s is named, and the same command finishes it',
  async (_, moved) => {
    const { dir, at, write } = await twoSpaces()
    const backup = at('copy')
    await backupSpaces({ dir, target: backup, now: NOW })
    await write('one', 'second')
    // As `restoreSpaces` leaves it.
    const [staged, aside] = ['.restoring.999999999.x', 'before-restore-x']
    cpSync(backup, join(dir, staged), { recursive: true })
    rmSync(join(dir, staged, 'manifest.json'))
    mkdirSync(join(dir, staged, 'unlisted'))
    mkdirSync(join(dir, aside))
    writeFileSync(join(dir, 'restoring.json'), JSON.stringify({ backup, staged, aside }))
    for (const name of moved) {
      renameSync(join(dir, name), join(dir, aside, name))
      renameSync(join(dir, staged, name), join(dir, name))
    }
    await expect(openSpaces(dir)).rejects.toMatchObject({
      code: 'UNAVAILABLE',
      message: expect.stringContaining(`\`remindb backup restore ${backup} --spaces ${dir}\``),
    })
    const other = restoreSpaces({ backup: at('other'), dir, now: NOW })
    await expect(other).rejects.toMatchObject({ code: 'CONFLICT' })
    expect(await restoreSpaces({ backup, dir, now: NOW })).toEqual({
      ...{ dir, aside: join(dir, aside), spaces: 2, isFinished: true },
    })
    expect(await contentOf(dir)).toEqual({ one: ['first'], two: [] })
    await restoreSpaces({ backup: join(dir, aside), dir, now: NOW })
    expect(await contentOf(dir)).toEqual({ one: ['first', 'second'], two: [] })
  },
)

test('a backup or restore that is given up leaves nothing behind', async () => {
  const { dir, at, write } = await twoSpaces()
  await backupSpaces({ dir, target: at('copy'), now: NOW })
  await write('one', 'second')
  const signal = AbortSignal.abort(new Error('given up'))
  await expect(backupSpaces({ dir, target: at('other'), now: NOW, signal })).rejects.toThrow('given up')
  await expect(restoreSpaces({ backup: at('copy'), dir, now: NOW, signal })).rejects.toThrow('given up')
  expect(readdirSync(at()).sort()).toEqual(['copy', 'team'])
  expect(leftIn(dir)).toEqual([])
  expect(await contentOf(dir)).toEqual({ one: ['first', 'second'], two: [] })
})

test('spaces that come and go during a backup do not break it', async () => {
  const { dir, at } = await twoSpaces()
  await using open = await openSpaces(dir)
  let isOver = false
  const change = async (): Promise<void> => {
    for (let round = 0; !isOver; round++) {
      await open.create({ name: `new-${round}` })
      await setImmediate()
      await open.delete(`new-${round}`)
    }
  }
  const changing = change()
  for (const target of ['copy-1', 'copy-2', 'copy-3', 'copy-4', 'copy-5'])
    await backupSpaces({ dir, target: at(target), now: NOW })
  isOver = true
  await changing
  for (const name of readdirSync(at()).filter((one) => one.startsWith('copy'))) {
    const restored = await restoreSpaces({ backup: at(name), dir: at(`new-${name}`), now: NOW })
    expect(Object.keys(await contentOf(restored.dir))).toEqual(expect.arrayContaining(['one', 'two']))
    expect(readdirSync(at(name, 'spaces'))).toHaveLength(restored.spaces)
  }
})
