import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, expect, test, vi } from 'vitest'
import { commandFor, shortestPath } from './invocation.ts'

const folder = realpathSync(mkdtempSync(join(tmpdir(), 'remindb-invocation-')))
const script = join(folder, 'project', 'bin', 'remindb')
const db = join(folder, 'project', 'docs', '.remindb', 'memory.db')
for (const file of [script, db, join(folder, 'on path', 'x'), join(folder, 'a b', 'x')]) {
  mkdirSync(join(file, '..'), { recursive: true })
  writeFileSync(file, '')
}
symlinkSync(script, join(folder, 'on path', 'remindb'))

afterEach(() => vi.unstubAllEnvs())
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const at = (cwd: string, file = db, space?: { spaces?: string; space?: string }): string => {
  const named = { db: undefined, spaces: undefined, space: undefined, ...space }
  return commandFor({ script, cwd: join(folder, cwd), ...named }, file)('inspect')
}

test('names the program and the database as seen from here', () => {
  vi.stubEnv('PATH', '/usr/bin')
  vi.stubEnv('REMINDB_DB', '')
  expect(at('project')).toBe('bin/remindb inspect --db docs')
  expect(at('project/bin')).toBe('./remindb inspect --db ../docs')
  expect(at('project/docs')).toBe('../bin/remindb inspect')
  expect(at('project', join(folder, 'a b', 'team.db'))).toBe("bin/remindb inspect --db '../a b/team.db'")
})

test('is short if the shell finds the program', () => {
  vi.stubEnv('PATH', `/usr/bin:${join(folder, 'on path')}`)
  vi.stubEnv('REMINDB_DB', '')
  expect(at('project/docs')).toBe('remindb inspect')
})

test('has --db if the environment names a database', () => {
  vi.stubEnv('PATH', join(folder, 'on path'))
  vi.stubEnv('REMINDB_DB', '/elsewhere.db')
  expect(at('project/docs')).toBe('remindb inspect --db .')
})

test('repeats the flags that name a space', () => {
  vi.stubEnv('PATH', join(folder, 'on path'))
  vi.stubEnv('REMINDB_DB', '')
  vi.stubEnv('REMINDB_SPACES', '')
  expect(at('project', db, { spaces: 'the team', space: 'ops' })).toBe(
    "remindb inspect --spaces 'the team' --space ops",
  )
  vi.stubEnv('REMINDB_SPACES', '/srv/team')
  expect(at('project', db, { space: 'ops' })).toBe('remindb inspect --space ops')
})

test('takes the shorter path', () => {
  expect(shortestPath('/a/b/c/d', '/x/y')).toBe('/x/y')
  expect(shortestPath('/a/b', '/a/b/c')).toBe('c')
  expect(shortestPath('/a/b', '/a/b')).toBe('.')
})
