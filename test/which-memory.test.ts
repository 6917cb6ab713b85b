import { spawnSync } from 'node:child_process'
import { chownSync, existsSync, mkdirSync, readFileSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { ensureProgramIsBuilt, remindb, temporaryFolder } from './support/cli.ts'
import { ROOT } from './support/docs.ts'

beforeAll(ensureProgramIsBuilt)

/** A folder with a memory, `home`, and what is around it. */
function places() {
  const folder = temporaryFolder({
    'home/a.md': '# Home\n',
    'home/sub/b.md': '# Sub\n',
    'elsewhere/c.md': '# Elsewhere\n',
  })
  onTestFinished(() => folder[Symbol.dispose]())
  const at = (...path: string[]): string => join(folder.path, ...path)
  const run = (cwd: string, ...args: string[]) => remindb(args, { cwd: at(cwd) })
  /** The database that a command in a folder uses, as the program itself says. */
  const found = (cwd: string, ...args: string[]): string =>
    JSON.parse(run(cwd, 'config', '--json', ...args).stdout).db_path
  const compile = (cwd: string, ...args: string[]): void => expect(run(cwd, 'compile', ...args).code).toBe(0)
  compile('home', '.')
  return { at, run, found, compile, memory: at('home/.remindb/memory.db') }
}

function git(cwd: string, ...args: string[]): void {
  const who = ['-c', 'user.name=a', '-c', 'user.email=a@example.com']
  expect(spawnSync('git', [...who, ...args], { cwd, encoding: 'utf8' })).toMatchObject({ status: 0 })
}

/** Each row of the table in docs/reference/configuration.md, and what holds it. */
const CASES: Record<string, () => void> = {
  'a subfolder': () => {
    const { found, compile, at, memory } = places()
    expect(found('home/sub')).toBe(memory)
    compile('home/sub', '.')
    expect(existsSync(at('home/sub/.remindb'))).toBe(false)
  },
  'a subfolder with a `.remindb/memory.db`': () => {
    const { found, compile, at } = places()
    compile('home/sub', '.', '--db', '.')
    expect(found('home/sub')).toBe(at('home/sub/.remindb/memory.db'))
    compile('home', 'sub')
    expect(found('home/sub')).toBe(at('home/sub/.remindb/memory.db'))
  },
  'a second git worktree beside the first': () => {
    const { found, run, compile, at } = places()
    git(at('home'), 'init', '-q')
    git(at('home'), 'add', '.')
    git(at('home'), 'commit', '-qm', 'x')
    git(at('home'), 'worktree', 'add', '-q', '../second')
    expect(run('second', 'search', 'home').stderr).toContain('there is no memory in')
    compile('second', '.')
    expect(found('second')).toBe(at('second/.remindb/memory.db'))
  },
  'a git worktree inside a folder with a memory': () => {
    const { found, at, compile, memory } = places()
    git(at('home'), 'init', '-q')
    git(at('home'), 'add', '.')
    git(at('home'), 'commit', '-qm', 'x')
    git(at('home'), 'worktree', 'add', '-q', 'trees/second')
    expect(found('home/trees/second')).toBe(memory)
    compile('home/trees/second', '.')
    expect(existsSync(at('home/trees/second/.remindb'))).toBe(false)
  },
  'a folder entered through a symbolic link': () => {
    const { found, at, memory, run } = places()
    symlinkSync(at('home/sub'), at('elsewhere/link'))
    symlinkSync(at('elsewhere'), at('home/out'))
    expect(found('elsewhere/link')).toBe(memory)
    expect(run('home/out', 'search', 'home').stderr).toContain(`there is no memory in ${at('elsewhere')}`)
  },
  'a symbolic link to a folder with a memory': () => {
    const { run, at, compile } = places()
    symlinkSync(at('home'), at('elsewhere/link'))
    expect(run('elsewhere', 'search', 'sub', '--db', 'link').stdout).toContain('[heading] Sub')
    compile('elsewhere', 'link')
    expect(existsSync(at('elsewhere/.remindb'))).toBe(false)
    const served = remindb(['serve', '--source', 'link'], { cwd: at('elsewhere'), input: '' })
    expect(served).toMatchObject({
      code: 0,
      stderr: expect.stringContaining(at('elsewhere/link/.remindb/memory.db')),
    })
    expect(existsSync(at('elsewhere/.remindb'))).toBe(false)
  },
  'a symbolic link to a folder without a memory': () => {
    const { at, compile, run } = places()
    symlinkSync(at('elsewhere'), at('home/link'))
    compile('home', 'link')
    expect(existsSync(at('elsewhere/.remindb'))).toBe(false)
    expect(run('home', 'search', 'elsewhere').stdout).toContain('[heading] Elsewhere')
  },
  'a database file that is a symbolic link': () => {
    const { at, found, memory } = places()
    symlinkSync(memory, at('elsewhere/link.db'))
    expect(found('elsewhere', '--db', 'link.db')).toBe(memory)
    const named = remindb(['config', '--json'], { cwd: at(), env: { REMINDB_DB: at('elsewhere/link.db') } })
    expect(JSON.parse(named.stdout).db_path).toBe(memory)
  },
  'a `.remindb` that is a symbolic link': () => {
    const { at, run } = places()
    symlinkSync(at('home/.remindb'), at('elsewhere/.remindb'))
    for (const args of [
      ['compile', '.'],
      ['search', 'home'],
      ['search', 'home', '--db', '.'],
      ['search', 'home', '--db', '.remindb'],
      ['search', 'home', '--db', '.remindb/memory.db'],
    ])
      expect(run('elsewhere', ...args)).toMatchObject({
        code: 1,
        stdout: '',
        stderr: expect.stringContaining(`${at('elsewhere/.remindb')} is a symbolic link`),
      })
  },
}

describe('which memory', () => {
  test.each(Object.entries(CASES))('%s', (_case, holds) => holds())

  test('is what docs/reference/configuration.md says, row by row', () => {
    const page = readFileSync(join(ROOT, 'docs/reference/configuration.md'), 'utf8')
    const section = page.split('\n## Which memory\n')[1]?.split('\n## ')[0] ?? ''
    const rows = [...section.matchAll(/^\| (.+?) +\|/gm)].map(([, first]) => first)
    expect(rows.filter((row) => row !== 'case' && !row?.startsWith('--'))).toEqual(Object.keys(CASES))
  })
})

test('a folder that is named but has no memory yet gets one of its own', () => {
  const { at, compile, found } = places()
  mkdirSync(at('home/new'))
  compile('home/new', '.', '--db', '.')
  expect(found('home/new')).toBe(at('home/new/.remindb/memory.db'))
})

test.runIf(process.getuid?.() === 0)('a memory of another user above is not used unless it is named', () => {
  const { at, run, found, compile, memory } = places()
  chownSync(at('home/.remindb'), 12345, 12345)
  for (const args of [['tree'], ['write', 'mine'], ['compile', '.'], ['serve']])
    expect(run('home/sub', ...args), args.join(' ')).toMatchObject({
      code: 1,
      stdout: '',
      stderr: expect.stringContaining(`the memory at ${memory} belongs to another user`),
    })
  expect(run('home/sub', 'tree', '--db', '..').stdout).toContain('Home')
  const served = remindb(['serve', '--source', at('elsewhere')], { cwd: at('home/sub'), input: '' })
  expect(served).toMatchObject({ code: 0, stderr: expect.stringContaining(at('elsewhere/.remindb')) })
  compile('home/sub', '.', '--db', '.')
  expect(found('home/sub')).toBe(at('home/sub/.remindb/memory.db'))
})
