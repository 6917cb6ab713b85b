import {
  chmodSync,
  chownSync,
  copyFileSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { openMemory } from '../src/index.ts'
import { ensureProgramIsBuilt, remindb, temporaryFolder } from './support/cli.ts'
import { preparedFolder } from './support/cli-folders.ts'
import { connectHttp, serve } from './support/serving.ts'

beforeAll(ensureProgramIsBuilt)

const NOTES = { 'project/a.md': '# Deploys\n\nNever on a Friday.\n', 'outside/keep.txt': 'theirs\n' }

/** A project that somebody else made, and a place outside it that is none of its business. */
function twoFolders(isCompiled = true) {
  const folder = isCompiled ? preparedFolder('project', NOTES, compileProject) : temporaryFolder(NOTES)
  onTestFinished(() => folder[Symbol.dispose]())
  const [project, outside] = [join(folder.path, 'project'), join(folder.path, 'outside')]
  const run = (...args: string[]) => remindb(args, { cwd: project })
  return { path: folder.path, project, outside, state: join(project, '.remindb'), run }
}

function compileProject({ path }: { path: string }): void {
  expect(remindb(['compile', '.'], { cwd: join(path, 'project') }).code).toBe(0)
}

function link(to: string, at: string): void {
  mkdirSync(join(at, '..'), { recursive: true })
  rmSync(at, { recursive: true, force: true })
  symlinkSync(to, at)
}

const REFUSED = { code: 1, stdout: '', stderr: expect.stringContaining('is a symbolic link') }

describe('.remindb itself as a link', () => {
  test('is not followed: nothing is read behind it, and nothing written', () => {
    const { project, outside, state, run } = twoFolders(false)
    link(outside, state)
    for (const args of [['compile', '.'], ['serve', '--source', '.'], ['config']])
      expect(remindb(args, { cwd: project, input: '' }), args.join(' ')).toMatchObject(REFUSED)
    expect(run('compile', '.').stderr).toContain('--db')
    expect(readdirSync(outside)).toEqual(['keep.txt'])
  })

  test('is not followed to a memory that somebody keeps elsewhere', async () => {
    const { outside, state, project, run } = twoFolders()
    renameSync(state, join(outside, 'state'))
    link(join(outside, 'state'), state)
    for (const args of [['search', 'friday'], ['doctor'], ['write', 'mine']])
      expect(run(...args), args.join(' ')).toMatchObject(REFUSED)
    await expect(openMemory({ db: project })).rejects.toMatchObject({ code: 'FORBIDDEN' })
    // Naming it does not tell that somebody knows where it leads.
    for (const db of ['.remindb', '.remindb/memory.db']) {
      expect(run('search', 'friday', '--db', db), db).toMatchObject(REFUSED)
      expect(
        remindb(['search', 'friday'], { cwd: project, env: { REMINDB_DB: join(project, db) } }),
      ).toMatchObject(REFUSED)
      await expect(openMemory({ db: join(project, db) })).rejects.toMatchObject({ code: 'FORBIDDEN' })
    }
    const real = join(outside, 'state', 'memory.db')
    expect(run('search', 'friday', '--db', real).stdout).toContain('Never on a Friday.')
  })
})

describe('the database as a link', () => {
  test.each(['memory.db', 'memory.db-wal', 'memory.db-shm', 'memory.db-journal'])(
    '%s is not followed, whether there is something behind it or not',
    async (name) => {
      const { path, outside, state, project, run } = twoFolders()
      renameSync(join(state, 'memory.db'), join(outside, 'real.db'))
      if (name !== 'memory.db') renameSync(join(outside, 'real.db'), join(state, 'memory.db'))
      for (const target of ['real.db', 'nothing', 'keep.txt']) {
        link(join(outside, target), join(state, name))
        for (const args of [
          ['search', 'friday'],
          ['write', 'mine'],
          ['compile', '.'],
          ['doctor', '--fix'],
        ])
          expect(run(...args), `${target}: ${args.join(' ')}`).toMatchObject({ code: 1, stdout: '' })
      }
      expect(run('compile', '.').stderr).toContain('is a symbolic link')
      await expect(openMemory({ db: project })).rejects.toMatchObject({ code: 'FORBIDDEN' })
      expect(readFileSync(join(outside, 'keep.txt'), 'utf8')).toBe('theirs\n')
      expect(existsSync(join(outside, 'nothing'))).toBe(false)
      expect(readdirSync(path).sort()).toEqual(['outside', 'project'])
    },
  )

  test.each([
    ['the file', 'memory.db', 'outside/.remindb/memory.db', '.remindb/memory.db'],
    ['a file of another name', 'other.db', 'outside/.remindb/memory.db', '.remindb/other.db'],
    ['a folder with a memory', 'memory.db', 'outside', '.remindb/memory.db'],
    ['a folder on the way', 'sub', 'outside/.remindb', '.remindb/sub/memory.db'],
    ['the end of another link', 'memory.db', 'outside/.remindb/memory.db', '../mine.db'],
  ])('in .remindb is not followed when it is named: %s', async (_case, name, target, db) => {
    const { path, outside, state, project, run } = twoFolders()
    renameSync(state, join(outside, '.remindb'))
    link(join(path, target), join(state, name))
    link(join(state, name), join(path, 'mine.db'))
    const files = readdirSync(join(outside, '.remindb'))
    for (const args of [['tree'], ['write', 'mine'], ['compile', '.'], ['config'], ['doctor', '--fix']])
      expect(run(...args, '--db', db), args.join(' ')).toMatchObject(REFUSED)
    const result = remindb(['tree'], { cwd: project, env: { REMINDB_DB: join(project, db) } })
    expect(result).toMatchObject(REFUSED)
    expect(result.stderr).toContain('name the real file with --db')
    await expect(openMemory({ db: join(project, db) })).rejects.toMatchObject({ code: 'FORBIDDEN' })
    expect(readdirSync(join(outside, '.remindb'))).toEqual(files)
  })

  test('works when it is named: its journals lie beside the real file', async () => {
    const { path, outside, project, state, run } = twoFolders()
    renameSync(join(state, 'memory.db'), join(outside, 'real.db'))
    const named = join(path, 'named.db')
    link(join(outside, 'real.db'), named)
    expect(run('search', 'friday', '--db', named).stdout).toContain('Never on a Friday.')
    await using memory = await openMemory({ db: named })
    await memory.write({ payload: 'And never on a Monday.' })
    expect(readdirSync(outside)).toContain('real.db-wal')
    expect(readdirSync(path).sort()).toEqual(['named.db', 'outside', 'project'])
    expect(lstatSync(named).isSymbolicLink()).toBe(true)
    expect(remindb(['search', 'monday'], { cwd: project, env: { REMINDB_DB: named } }).stdout).toContain(
      'never on a Monday',
    )
  })
})

describe('a file that settles something, as a link', () => {
  test.each(['config.json', 'ignore', 'temperatures.json'])('%s is not read', (name) => {
    const { outside, state, run } = twoFolders()
    writeFileSync(join(outside, 'secret'), 'the secret of somebody else')
    link(join(outside, 'secret'), join(state, name))
    const result = run('compile', '.')
    expect(result).toMatchObject({ ...REFUSED, stderr: expect.stringContaining(`.remindb/${name}`) })
    expect(result.stderr).not.toContain('secret')
  })

  test('.gitignore is not written', () => {
    const { outside, state, run } = twoFolders(false)
    link(join(outside, 'new'), join(state, '.gitignore'))
    expect(run('compile', '.').code).toBe(0)
    expect(readdirSync(outside)).toEqual(['keep.txt'])
  })
})

describe('what a server writes, as a link', () => {
  const LOGGING = {
    server: {
      logging: { output_path: 'serve.log', session_files: { enabled: true } },
      rescan_files: { enabled: true },
    },
  }

  test.each([
    ['the log', ['serve.log'], 'keep.txt'],
    ['a new log', ['serve.log'], 'new'],
    ['the log of rescans', ['rescan.jsonl'], 'keep.txt'],
    ['the folder of the logs of sessions', ['logs'], '.'],
    ['the folder of the ledger', ['sessions'], '.'],
  ])('%s: the server works, and nothing is written behind it', async (_name, names, target) => {
    const { project, outside, state } = twoFolders()
    writeFileSync(join(state, 'config.json'), JSON.stringify(LOGGING))
    for (const name of names) link(join(outside, target), join(state, name))
    const { url, child, ended } = await serve({ cwd: project })
    const { call, read, client } = await connectHttp(url, '2025-11-25', 'ada')
    expect(await call('MemorySearch', { query: 'friday' })).toContain('Never on a Friday.')
    if (names.includes('logs')) expect(await read('remindb://sessions/logs')).toMatchObject({ logs: [] })
    if (names.includes('sessions'))
      expect(await read('remindb://sessions/history')).toMatchObject({ clients: [] })
    await client.close()
    child.kill('SIGTERM')
    expect(await ended).toBe(0)
    expect(readdirSync(outside)).toEqual(['keep.txt'])
    expect(readFileSync(join(outside, 'keep.txt'), 'utf8')).toBe('theirs\n')
  })
})

describe.skipIf(process.platform === 'win32')('what is created', () => {
  /** Everything below a folder that is not for its owner alone. */
  function open(folder: string): string[] {
    const names = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    return ['.', ...names].filter((name) => {
      const stats = lstatSync(join(folder, name))
      return (stats.mode & 0o777) !== (stats.isDirectory() ? 0o700 : 0o600)
    })
  }

  test('is for its owner alone, whatever the umask: database, journals, backups, logs, ledger', async () => {
    const { project, state } = twoFolders(false)
    // As a clone of a repository leaves it, that has settings in it.
    mkdirSync(state, { mode: 0o755 })
    writeFileSync(join(state, 'config.json'), '{}', { mode: 0o644 })
    const before = process.umask(0)
    onTestFinished(() => void process.umask(before))
    const env = {
      REMINDB_SERVER_LOGGING_OUTPUT_PATH: 'serve.log',
      REMINDB_SERVER_LOGGING_SESSION_FILES_ENABLED: 'true',
      REMINDB_SERVER_RESCAN_FILES_ENABLED: 'true',
    }
    expect(remindb(['compile', '.'], { cwd: project, env }).code).toBe(0)
    expect(remindb(['backup'], { cwd: project, env }).code).toBe(0)
    const { url, child, ended } = await serve({ cwd: project, env })
    const { call } = await connectHttp(url, '2025-11-25', 'ada')
    await call('MemoryWrite', { payload: 'A note.' })
    expect(readdirSync(state).sort()).toEqual([
      '.gitignore',
      'config.json',
      'logs',
      'memory.db',
      'memory.db-shm',
      'memory.db-wal',
      expect.stringMatching(/^memory\.db\.bak\./),
      'rescan.jsonl',
      'serve.log',
      'sessions',
    ])
    expect(open(state)).toEqual(['config.json'])
    child.kill('SIGTERM')
    expect(await ended).toBe(0)
    expect(open(state)).toEqual(['config.json'])
  })

  const modesIn = (folder: string) =>
    Object.fromEntries(
      ['.', ...readdirSync(folder).filter((name) => name.startsWith('memory.db'))].map((name) => [
        name,
        (lstatSync(join(folder, name)).mode & 0o777).toString(8),
      ]),
    )

  /** As a clone leaves it, that has a database in it. */
  function opened(state: string): void {
    chmodSync(state, 0o755)
    for (const name of readdirSync(state)) chmodSync(join(state, name), 0o644)
  }

  test.each([
    ['compile', '.'],
    ['write', 'mine'],
  ])('before, by somebody else, is closed by %s', (...args) => {
    const { state, run } = twoFolders()
    opened(state)
    expect(run(...args).code).toBe(0)
    // Journals may be left.
    const { '.': folder, ...files } = modesIn(state)
    expect(folder).toBe('700')
    expect(new Set(Object.values(files))).toEqual(new Set(['600']))
  })

  test('before is closed with its journals, by the library too, unless that only reads', async () => {
    const { state, project } = twoFolders()
    await using first = await openMemory({ db: project })
    await first.write({ payload: 'A note.' })
    opened(state)
    const wide = { '.': '755', 'memory.db': '644', 'memory.db-shm': '644', 'memory.db-wal': '644' }
    {
      await using _reader = await openMemory({ db: project, readOnly: true })
      expect(modesIn(state)).toEqual(wide)
    }
    await using _second = await openMemory({ db: project, create: false })
    const closed = { '.': '700', 'memory.db': '600', 'memory.db-shm': '600', 'memory.db-wal': '600' }
    expect(modesIn(state)).toEqual(closed)
  })

  test('elsewhere, and named, stays as it is', async () => {
    const { state, outside, run } = twoFolders()
    const named = join(outside, 'memory.db')
    copyFileSync(join(state, 'memory.db'), named)
    opened(outside)
    expect(run('write', 'mine', '--db', named).code).toBe(0)
    expect(modesIn(outside)).toMatchObject({ '.': '755', 'memory.db': '644' })
  })

  test.runIf(process.getuid?.() === 0)('by somebody else, who still owns it, stays as it is', () => {
    const { state, run } = twoFolders()
    opened(state)
    for (const name of ['.', 'memory.db']) chownSync(join(state, name), 12345, 12345)
    expect(run('write', 'mine').code).toBe(0)
    expect(modesIn(state)).toMatchObject({ '.': '755', 'memory.db': '644' })
  })
})
