import { existsSync, mkdirSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { openMemory, openSpaces } from '../../src/index.ts'
import { ensureProgramIsBuilt, killedWhen, remindb, temporaryFolder } from '../support/cli.ts'

beforeAll(ensureProgramIsBuilt)

function project() {
  const folder = temporaryFolder({ 'a.md': 'first\n' })
  onTestFinished(() => folder[Symbol.dispose]())
  const run = (line: string) => remindb(line.split(' '), { cwd: folder.path })
  return { path: folder.path, run, at: (...path: string[]): string => join(folder.path, ...path) }
}

async function textsOf(db: string): Promise<string[]> {
  await using memory = await openMemory({ db, create: false, readOnly: true })
  return (await memory.forest()).roots.map(({ label }) => label)
}

const kill = (line: string, cwd: string, isTime: () => boolean): Promise<void> =>
  killedWhen(line.split(' '), { cwd }, isTime)

const isPart = (name: string): boolean => name.endsWith('.backup-part')
const isAside = (name: string): boolean => name.startsWith('memory.db.bak.')

describe('remindb backup restore', () => {
  test('puts a backup back, keeps what was there and says how to go back', async () => {
    const { run, at } = project()
    run('compile .')
    run('backup copy.db')
    run('write second')
    const { code, stdout } = run('backup restore copy.db')
    expect(code).toBe(0)
    const [, aside = '', back = ''] =
      /^restored .* from .*copy\.db; every check passed\nthe previous memory is now (.*)\nto go back: \S+ (.*)\n$/.exec(
        stdout,
      ) ?? []
    expect(await textsOf(at())).toEqual(['first'])
    expect(await textsOf(aside)).toEqual(['first', 'second'])
    expect(run(back).code).toBe(0)
    expect(await textsOf(at())).toEqual(['first', 'second'])
  })

  test('of a space works where its database is lost, and leaves the other spaces alone', async () => {
    const { run, at } = project()
    for (const name of ['one', 'two']) run(`spaces create ${name} --spaces team`)
    run('write first --spaces team --space one')
    run('backup one.db --spaces team --space one')
    const [{ id }] = JSON.parse(run('spaces list --json --spaces team').stdout)
    rmSync(at('team', 'spaces', id), { recursive: true })
    expect(run('tree --spaces team --space one').stderr).toContain('is missing: ')
    expect(run('backup restore one.db --spaces team --space one').code).toBe(0)
    expect(run('tree --spaces team --space one').stdout).toContain('first')
    expect(run('tree --spaces team --space two').stdout).not.toContain('first')
  })

  test('of all spaces, from a folder that backup wrote', () => {
    const { run, at } = project()
    run('spaces create one --spaces team')
    run('write first --spaces team')
    expect(run('backup copy --spaces team').stdout).toMatch(/^backup of 1 space written to \S+copy \(/)
    run('write second --spaces team')
    const { stdout } = run('backup restore copy --spaces team')
    expect(stdout).toMatch(
      /^restored 1 space of .*\npasswords, keys, .* works again\nthe previous spaces are now in .*\nto go back: .* --spaces team\n$/,
    )
    expect(run('tree --spaces team').stdout).not.toContain('second')
    expect(existsSync(at('copy', 'manifest.json'))).toBe(true)
  })

  test.each([
    ['none.db', 1, 'there is no file'],
    ['folder', 2, 'folder is a folder: to restore a backup of spaces, name their folder with --spaces DIR'],
    ['folder --spaces team', 1, 'is not a backup of spaces: it has no auth.db'],
    ['folder --spaces team --space one', 2, 'omit --space to restore all of it'],
    ['none --spaces team', 1, 'there is no folder'],
  ])('refuses: %s', (line, code, message) => {
    const { run, at } = project()
    run('spaces create one --spaces team')
    mkdirSync(at('folder'))
    expect(run(`backup restore ${line}`)).toMatchObject({ code, stderr: expect.stringContaining(message) })
  })
})

describe('a restore whose process is killed', () => {
  test('leaves a memory that is whole, the old one or the new one', async () => {
    const { run, path, at } = project()
    run('compile .')
    run('backup copy.db')
    run('write second')
    const state = at('.remindb')
    const moments = [
      () => readdirSync(state).some(isPart),
      () => readdirSync(state).some(isAside),
      () => readdirSync(state).some(isAside) && !readdirSync(state).some(isPart),
    ]
    for (const isTime of moments) {
      await kill('backup restore copy.db', path, isTime)
      expect([['first'], ['first', 'second']]).toContainEqual(await textsOf(at()))
      for (const name of readdirSync(state).filter(isAside)) {
        expect(await textsOf(join(state, name))).toEqual(['first', 'second'])
        expect(run(`backup restore .remindb/${name}`).code).toBe(0)
      }
      expect(await textsOf(at())).toEqual(['first', 'second'])
      expect(run('backup').code).toBe(0)
      expect(readdirSync(state).filter(isPart)).toEqual([])
      for (const name of readdirSync(state).filter(isAside)) rmSync(join(state, name))
    }
  })

  test('leaves spaces that are the old or the new ones, or an error that names the command that finishes', async () => {
    const { run, path, at } = project()
    run('spaces create one --spaces team')
    run('write first --spaces team')
    run('backup copy --spaces team')
    run('write second --spaces team')
    const inTeam = (start: string): boolean => readdirSync(at('team')).some((name) => name.startsWith(start))
    const moments = [
      () => inTeam('.restoring'),
      () => inTeam('restoring.json'),
      () => inTeam('before-restore'),
      () => inTeam('before-restore') && existsSync(at('team', 'spaces')),
      () => inTeam('before-restore') && !inTeam('restoring.json'),
    ]
    for (const isTime of moments) {
      await kill('backup restore copy --spaces team', path, isTime)
      const { code, stderr } = run('tree --spaces team')
      const [, command] = /was interrupted; finish it with `remindb (.*)`/.exec(stderr) ?? []
      expect(code === 0 || command !== undefined, stderr).toBe(true)
      if (command) expect(run(command).stdout).toMatch(/^finished restoring 1 space/)
      await using spaces = await openSpaces(at('team'), { create: false })
      await using memory = await spaces.open('one')
      const texts = (await memory.forest()).roots.map(({ label }) => label)
      expect([['first'], ['first', 'second']]).toContainEqual(texts)
      if (texts.length === 1) await memory.write({ payload: 'second' })
      for (const name of readdirSync(at('team')).filter((one) => one.startsWith('before-restore')))
        rmSync(at('team', name), { recursive: true })
    }
    expect(run('backup restore copy --spaces team').code).toBe(0)
    expect(inTeam('.restoring')).toBe(false)
  })
})
