import { existsSync, mkdirSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { openMemory, openSpaces } from '../../src/index.ts'
import { temporaryFolder } from '../support/cli.ts'

function newFolder(): string {
  const folder = temporaryFolder()
  onTestFinished(() => folder[Symbol.dispose]())
  return folder.path
}

const foldersIn = (dir: string): string[] => readdirSync(join(dir, 'spaces'))

test('two spaces share nothing, and each keeps its state in its own folder', async () => {
  const dir = newFolder()
  await using spaces = await openSpaces(dir)
  for (const name of ['one', 'two']) {
    await spaces.create({ name })
    await using memory = await spaces.open(name)
    await memory.write({ payload: `text of ${name}` })
    await memory.keys.remember({ key: 'colour', value: name })
  }
  for (const name of ['one', 'two']) {
    await using memory = await spaces.open(name)
    const { roots } = await memory.forest()
    expect(roots.map(({ label }) => label)).toContain(`text of ${name}`)
    expect(JSON.stringify(roots)).not.toContain(`text of ${name === 'one' ? 'two' : 'one'}`)
  }
  expect(
    readdirSync(dir)
      .filter((name) => !/^auth\.db|audit-head\.json/.test(name))
      .sort(),
  ).toEqual(['spaces', 'unlisted'])
})

test('a renamed space keeps its memory, and its old name is free', async () => {
  await using spaces = await openSpaces(newFolder())
  const { id } = await spaces.create({ name: 'ops' })
  {
    await using memory = await spaces.open('ops')
    await memory.write({ payload: 'runbook' })
  }
  expect(await spaces.rename('ops', 'platform')).toMatchObject({ id, name: 'platform' })
  await expect(spaces.open('ops')).rejects.toMatchObject({ code: 'NOT_FOUND' })
  await spaces.create({ name: 'ops' })
  expect((await spaces.stats('platform')).nodes).toBe(1)
  expect((await spaces.stats('ops')).nodes).toBe(0)
  expect((await spaces.list()).map(({ name }) => name).sort()).toEqual(['ops', 'platform'])
})

test('an archived space is kept and cannot be opened', async () => {
  await using spaces = await openSpaces(newFolder())
  await spaces.create({ name: 'old' })
  await spaces.archive('old')
  await expect(spaces.open('old')).rejects.toMatchObject({ code: 'FORBIDDEN' })
  expect((await spaces.list())[0]?.archivedAt).toBeGreaterThan(0)
  expect((await spaces.stats('old')).nodes).toBe(0)
  await spaces.unarchive('old')
  await (await spaces.open('old')).close()
})

test('a deleted space leaves no files, and one of the same name begins empty', async () => {
  const dir = newFolder()
  await using spaces = await openSpaces(dir)
  const { id } = await spaces.create({ name: 'gone' })
  {
    await using memory = await spaces.open('gone')
    await memory.write({ payload: 'secret' })
  }
  await spaces.delete('gone')
  expect(foldersIn(dir)).toEqual([])
  expect(readdirSync(join(dir, 'unlisted'))).toEqual([])
  const next = await spaces.create({ name: 'gone' })
  expect(next.id).not.toBe(id)
  expect((await spaces.stats('gone')).nodes).toBe(0)
})

test('a space made from a memory is a copy of it, as it is now', async () => {
  const [dir, other] = [newFolder(), newFolder()]
  await using memory = await openMemory({ db: other })
  await memory.write({ payload: 'copied' })
  await using spaces = await openSpaces(dir)
  await spaces.create({ name: 'copy', from: memory.path })
  await memory.write({ payload: 'later' })
  await using copy = await spaces.open('copy')
  expect((await copy.forest()).roots.map(({ label }) => label)).toEqual(['copied'])
})

test.each(['Ops', '', '-a', 'a/b', '..', 'a'.repeat(64)])('refuses the name %j', async (name) => {
  const dir = newFolder()
  await using spaces = await openSpaces(dir)
  await expect(spaces.create({ name })).rejects.toMatchObject({ code: 'INVALID_INPUT' })
  expect(existsSync(join(dir, 'spaces'))).toBe(false)
})

test('a space that cannot be made leaves nothing behind', async () => {
  const dir = newFolder()
  writeFileSync(join(dir, 'no.db'), 'no database')
  await using spaces = await openSpaces(dir)
  await expect(spaces.create({ name: 'a', from: join(dir, 'no.db') })).rejects.toMatchObject({
    code: 'NOT_A_DATABASE',
  })
  await spaces.create({ name: 'a' })
  await expect(spaces.create({ name: 'a' })).rejects.toMatchObject({ code: 'CONFLICT' })
  expect(foldersIn(dir)).toHaveLength(1)
  expect(readdirSync(join(dir, 'unlisted'))).toEqual([])
})

test('what a killed process left of a space is removed, and nothing else', async () => {
  const dir = newFolder()
  await using spaces = await openSpaces(dir)
  const { id } = await spaces.create({ name: 'kept' })
  const put = (name: string, note?: string): void => {
    mkdirSync(join(dir, 'spaces', name), { recursive: true })
    if (note !== undefined) writeFileSync(join(dir, 'unlisted', name), note)
  }
  const NO_PROCESS = '999999999'
  put('halfMade', NO_PROCESS)
  put('beingMade', String(process.ppid))
  put('putBackByHand')
  writeFileSync(join(dir, 'unlisted', id), NO_PROCESS)
  await spaces.delete((await spaces.create({ name: 'x' })).name)
  expect(foldersIn(dir).sort()).toEqual([id, 'beingMade', 'putBackByHand'].sort())
  expect(readdirSync(join(dir, 'unlisted'))).toEqual(['beingMade'])
  await (await spaces.open('kept')).close()
})

test('a space whose folder or database is a symbolic link is refused', async () => {
  const [dir, other] = [newFolder(), newFolder()]
  await using spaces = await openSpaces(dir)
  const { id } = await spaces.create({ name: 'a' })
  const folder = join(dir, 'spaces', id)
  rmSync(folder, { recursive: true })
  symlinkSync(other, folder)
  await expect(spaces.open('a')).rejects.toMatchObject({ code: 'FORBIDDEN' })
  rmSync(folder)
  mkdirSync(folder)
  symlinkSync(join(other, 'x.db'), join(folder, 'memory.db'))
  await expect(spaces.open('a')).rejects.toMatchObject({ code: 'FORBIDDEN' })
})
