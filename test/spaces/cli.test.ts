import { existsSync, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { openMemory } from '../../src/index.ts'
import { ensureProgramIsBuilt, remindb, type TemporaryFolder, temporaryFolder } from '../support/cli.ts'
import { preparedFolder } from '../support/cli-folders.ts'

beforeAll(ensureProgramIsBuilt)

const NOTES = { 'notes/a.md': '# Notes\n\nRelease on friday.\n' }

/** Commands that run in a folder with notes. */
function commandsIn(folder: TemporaryFolder) {
  onTestFinished(() => folder[Symbol.dispose]())
  const run = (line: string, env = {}) => remindb(line.split(' '), { cwd: folder.path, env })
  const json = (line: string, env = {}) => JSON.parse(run(`${line} --json`, env).stdout)
  return { run, json, at: (...path: string[]): string => join(folder.path, ...path) }
}

function project() {
  return commandsIn(temporaryFolder(NOTES))
}

function twoSpaces() {
  return commandsIn(
    preparedFolder('two-spaces', NOTES, ({ path: cwd }) => {
      for (const name of ['ops', 'sales'])
        expect(remindb(['spaces', 'create', name, '--spaces', 'team'], { cwd })).toEqual({
          ...{ code: 0, stdout: `created: space ${name}\n`, stderr: '' },
        })
    }),
  )
}

describe('remindb spaces', () => {
  test('creates, lists, renames, archives and deletes', () => {
    const { run, json, at } = twoSpaces()
    const names = (): string[] => json('spaces list --spaces team').map(({ name }: { name: string }) => name)
    expect(names()).toEqual(['ops', 'sales'])
    expect(run('spaces rename ops platform --spaces team').stdout).toBe(
      'renamed: space ops is now platform\n',
    )
    expect(names()).toEqual(['platform', 'sales'])
    expect(json('spaces archive sales --spaces team').archived_at).toMatch(/Z$/)
    expect(run('spaces list --spaces team').stdout).toMatch(/\nsales +archived 2/)
    expect(json('spaces unarchive sales --spaces team').archived_at).toBeNull()
    expect(run('spaces delete sales --spaces team')).toMatchObject({
      ...{
        code: 1,
        stderr: expect.stringContaining(
          'nothing was changed; deleting "sales" also deletes its memory, 0 members and 0 keys',
        ),
      },
    })
    expect(run('spaces delete sales --yes --spaces team').stdout).toBe('deleted: space sales\n')
    expect(names()).toEqual(['platform'])
    expect(readdirSync(at('team', 'spaces'))).toHaveLength(1)
    expect(statSync(at('team')).mode & 0o077).toBe(0)
  })

  test('creates one from a memory, and shows how large it is', () => {
    const { run, json } = project()
    run('compile notes')
    expect(run('spaces create notes --from notes --spaces team').stdout).toBe(
      'created: space notes from notes\n',
    )
    expect(json('spaces stats --spaces team')).toEqual([
      {
        ...{ id: expect.any(String), name: 'notes', created_at: expect.any(String), archived_at: null },
        ...{ nodes: 2, bytes: expect.any(Number), changed_at: expect.any(String), members: 0, keys: 0 },
      },
    ])
    expect(run('search friday --spaces team').stdout).toContain('Release on friday.')
  })

  test.each([
    ['list', 2, 'which spaces? Name their folder with --spaces DIR, or in REMINDB_SPACES'],
    ['list --db notes', 2, 'this command takes no --db'],
    [
      'list --spaces none',
      1,
      'is not a folder of spaces; create one with `remindb spaces create NAME --spaces ',
    ],
    ['create Ops --spaces team', 1, 'the name of a space has lower-case letters, digits and dashes'],
    ['rename a b --spaces none', 1, 'is not a folder of spaces'],
    ['create x --from none.db --spaces team', 1, 'the file is empty, or not there'],
  ])('refuses: %s', (line, code, message) => {
    const { run, at } = project()
    expect(run(`spaces ${line}`)).toMatchObject({
      code,
      stdout: '',
      stderr: expect.stringContaining(message),
    })
    expect(existsSync(at('none'))).toBe(false)
  })
})

describe('a command on a space', () => {
  test('reads and writes that one only', () => {
    const { run, at } = twoSpaces()
    expect(run('compile notes --spaces team --space ops').stdout).toBe(
      'compiled: 2 added, 0 modified, 0 removed (2 ops)\n',
    )
    expect(existsSync(at('notes', '.remindb'))).toBe(false)
    expect(run('search friday --spaces team --space ops').stdout).toContain('Release on friday.')
    expect(run('search friday --spaces team --space sales').stdout).not.toContain('Release')
    expect(run('--spaces team --space ops tree').stdout).toContain('[heading] Notes')
    expect(run('doctor --spaces team --space ops').code).toBe(0)
    expect(run('tree', { REMINDB_SPACES: 'team', REMINDB_SPACE: 'ops' }).stdout).toContain('[heading] Notes')
    expect(run('write hello --spaces team', { REMINDB_SPACE: 'sales' }).code).toBe(0)
  })

  test('shows its next commands with the same flags', () => {
    const { run } = twoSpaces()
    const { stdout } = run('compile notes --overview --spaces team --space ops')
    expect(stdout).toMatch(/remindb tree --spaces team --space ops +#/)
  })

  test('works while another process has the space open', async () => {
    const { run, json, at } = twoSpaces()
    const [{ id }] = json('spaces list --spaces team')
    await using memory = await openMemory({ db: at('team', 'spaces', id, 'memory.db') })
    await memory.write({ payload: 'a note' })
    expect(run('compile notes --spaces team --space ops').code).toBe(0)
    expect((await memory.overview()).nodes.total).toBe(3)
  })

  test('means the only space where none is named', () => {
    const { run } = project()
    run('spaces create ops --spaces team')
    expect(run('write hello --spaces team').code).toBe(0)
    expect(run('tree --spaces team').stdout).toContain('hello')
  })

  test.each([
    ['tree --spaces team', 1, 'team has 2 spaces; name one with --space: there are ops, sales'],
    ['tree --spaces team --space x', 1, 'there is no space "x"; there are ops, sales'],
    [
      'tree --spaces none',
      1,
      'is not a folder of spaces; create one with `remindb spaces create NAME --spaces ',
    ],
    ['tree --space ops', 2, 'which spaces? Name their folder with --spaces DIR'],
    ['tree --db notes --space ops', 2, '--db and --space both name a memory; give only one'],
    ['tree --db notes --spaces team', 2, '--db and --spaces both name a memory; give only one'],
    ['bench --dir notes --spaces team', 2, 'bench creates its own database; omit --spaces'],
  ])('refuses: %s', (line, code, message) => {
    const { run } = twoSpaces()
    expect(run(line)).toMatchObject({ code, stdout: '', stderr: expect.stringContaining(message) })
  })

  test('is refused where the environment names two memories, unless a flag decides', () => {
    const { run } = twoSpaces()
    run('compile notes')
    const env = { REMINDB_DB: 'notes', REMINDB_SPACES: 'team' }
    expect(run('tree', env).stderr).toContain('REMINDB_DB and REMINDB_SPACES both name a memory')
    expect(run('tree --db notes', env).stdout).toContain('Notes')
    expect(run('tree --space ops', env)).toMatchObject({ code: 0 })
    expect(run('tree', { REMINDB_SPACE: 'ops' }).stderr).toContain('set REMINDB_SPACES to its folder')
  })

  test('is refused on an archived space, and says how to use it again', () => {
    const { run } = twoSpaces()
    run('spaces archive ops --spaces team')
    expect(run('tree --spaces team --space ops').stderr).toContain('run `remindb spaces unarchive ops`')
    expect(run('tree --spaces team').code).toBe(0)
  })
})
