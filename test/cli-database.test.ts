import { chmodSync, existsSync, readdirSync, renameSync } from 'node:fs'
import { join } from 'node:path'
import Sqlite from 'better-sqlite3'
import { beforeAll, describe, expect, test } from 'vitest'
import { ensureProgramIsBuilt, remindb, temporaryFolder } from './support/cli.ts'
import { compiledFolder, editedFolder, OPS } from './support/cli-folders.ts'

beforeAll(ensureProgramIsBuilt)

describe('rollback', () => {
  test('goes back, and says when there is nothing to do', () => {
    using folder = editedFolder()
    expect(folder.run('rollback', '1').stdout).toBe(
      'rolled back to snapshot 1 (new snapshot 3, 4 nodes affected)\n',
    )
    expect(folder.run('inspect', '--tree').stdout).toContain('Talk to Ada.')
    expect(folder.run('rollback', '3').stdout).toBe('already at snapshot 3; nothing to do\n')
    expect(folder.run('rollback', '1').stdout).toBe(
      'no rollback applied; computed state matches HEAD for snapshot 1\n',
    )
  })

  test('drops what came after', () => {
    using folder = editedFolder()
    expect(folder.run('rollback', '1', '--drop-after').stdout).toBe(
      'rolled back to snapshot 1 (new snapshot 3, 4 nodes affected); pruned 1 intermediate snapshot\n',
    )
    expect(folder.run('diff', '1', '2')).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('snapshot 2 not found'),
    })
  })

  test('--dry-run shows what would change and changes nothing', () => {
    using folder = editedFolder()
    const { code, stdout } = folder.run('rollback', '1', '--dry-run')
    expect(code).toBe(0)
    expect(stdout.match(/^\[(add|mod|rem)\]/gm)).toHaveLength(4)
    expect(stdout).toMatch(/^\[\w{3}\] \w{11} team\/ops\.md › .*: Talk to Ada\.$/m)
    expect(stdout).toMatch(
      /\nrollback to snapshot 1: would change 4 nodes\. This was a dry run: nothing was changed\n$/,
    )
    const json = JSON.parse(folder.run('rollback', '1', '--dry-run', '--drop-after', '--json').stdout)
    expect(json).toMatchObject({ dry_run: true, target: 1, documents: 0, pruned: 1 })
    expect(json.changes).toHaveLength(4)
    expect(folder.run('history').stdout.trimEnd().split('\n')).toHaveLength(2)
  })

  test('prints JSON', () => {
    using folder = editedFolder()
    const roll = (id: string) => JSON.parse(folder.run('rollback', id, '--json').stdout)
    expect(roll('1')).toEqual({ status: 'rolled-back', target: 1, affected: 4, pruned: 0, snapshot_id: 3 })
    expect(roll('3')).toEqual({ status: 'at-target', target: 3, affected: 0, pruned: 0, snapshot_id: null })
  })

  test('refuses a snapshot that is not there', () => {
    using folder = compiledFolder()
    expect(folder.run('rollback', '9')).toEqual({
      code: 1,
      stdout: '',
      stderr: 'remindb: snapshot 9 is ahead of HEAD 1\n',
    })
  })
})

describe('doctor', () => {
  const damage = (db: string): void => {
    const handle = new Sqlite(db)
    handle.pragma('foreign_keys = OFF')
    handle.exec('UPDATE spaces SET head_id = 99')
    handle.close()
  }

  test('finds a healthy database healthy', () => {
    using folder = compiledFolder()
    const { code, stdout, stderr } = folder.run('doctor')
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    expect(stdout).toMatch(/^✓ Database is healthy\n\n✓ fts5_sync {12}FTS5 index in sync with 6 nodes\n/)
    expect(folder.run('doctor', '--fix').stdout).toBe(stdout)
    expect(readdirSync(join(folder.path, '.remindb')).filter((name) => name.includes('.bak.'))).toEqual([])
  })

  test('warns of a root that is gone, without failing', () => {
    using folder = temporaryFolder({ 'notes/a.md': OPS, 'state/keep.txt': '' })
    remindb(['compile', 'notes', '--db', 'state/x.db'], { cwd: folder.path })
    renameSync(join(folder.path, 'notes'), join(folder.path, 'moved'))
    const { code, stdout } = remindb(['doctor', '--db', 'state/x.db'], { cwd: folder.path })
    expect(code).toBe(0)
    expect(stdout).toMatch(/^⚠ Database has warnings\n\n/)
    expect(stdout).toMatch(/\n⚠ stale_compile_root {3}1\/1 compile roots no longer exist: \[/)
  })

  test('fails on a damaged one, repairs it after a backup, and is content', () => {
    using folder = compiledFolder()
    damage(folder.db)
    const broken = folder.run('doctor')
    expect(broken.code).toBe(1)
    expect(broken.stdout).toMatch(/^✗ Database is unhealthy\n\n/)
    expect(broken.stdout).toContain('\n✗ head_cursor          HEAD points at missing snapshot 99\n')
    const fixed = folder.run('doctor', '--fix')
    expect(fixed.code).toBe(0)
    expect(fixed.stdout).toMatch(/\n✓ head_cursor {10}HEAD → snapshot 1 {2}\(fixed\)\n/)
    const [, backup = ''] = /^doctor: backup written to (.*)\n$/.exec(fixed.stderr) ?? []
    expect(existsSync(backup)).toBe(true)
    expect(folder.run('doctor').code).toBe(0)
  })

  test('prints what it repaired as JSON', () => {
    using folder = compiledFolder()
    damage(folder.db)
    const { code, stdout } = folder.run('doctor', '--json')
    expect([code, JSON.parse(stdout).status]).toEqual([1, 'fail'])
    const { status, checks } = JSON.parse(folder.run('doctor', '--fix', '--json').stdout)
    expect(status).toBe('pass')
    expect(checks).toContainEqual({
      name: 'head_cursor',
      status: 'pass',
      detail: 'HEAD → snapshot 1',
      fix_applied: true,
    })
  })
})

describe('backup', () => {
  test('writes a copy beside the database, to a file, and into a folder', () => {
    using folder = compiledFolder()
    folder.write('safe/keep.txt', '')
    const written = (...args: string[]) =>
      /^backup written to (.*) \([\d.]+ KB\)\n$/.exec(folder.run('backup', ...args).stdout)?.[1] ?? ''
    const targets = [written(), written('copy.db'), written('safe')]
    expect(targets[0]).toMatch(/\.remindb\/memory\.db\.bak\.\d{4}-\d\d-\d\dT[\d-]+\.\d{3}Z$/)
    expect(targets[1]).toBe(join(folder.path, 'copy.db'))
    expect(targets[2]).toMatch(/\/safe\/memory\.db\.bak\./)
    for (const target of targets)
      expect(folder.run('inspect', '--tree', '--db', target).stdout).toBe(
        folder.run('inspect', '--tree').stdout,
      )
    const { file, bytes } = JSON.parse(folder.run('backup', 'json.db', '--json').stdout)
    expect([file, bytes > 0]).toEqual([join(folder.path, 'json.db'), true])
  })

  test('never writes over a file, and names a folder that is missing', () => {
    using folder = compiledFolder()
    expect(folder.run('backup', 'billing.md')).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('already'),
    })
    expect(folder.run('backup', 'no/x.db').stderr).toBe(
      `remindb: there is no folder ${join(folder.path, 'no')}; create it first\n`,
    )
  })
})

describe('a database', () => {
  test('that nobody may write to says so', () => {
    using folder = compiledFolder()
    const all = [folder.path, join(folder.path, '.remindb')]
    for (const path of readdirSync(join(folder.path, '.remindb')))
      chmodSync(join(folder.path, '.remindb', path), 0o444)
    for (const path of all) chmodSync(path, 0o555)
    const run = (...args: string[]) => remindb(args, { cwd: folder.path, isUnprivileged: true })
    const refused = run('rollback', '1', '--drop-after')
    chmodSync(folder.path, 0o755)
    folder.write('new.md', OPS)
    chmodSync(folder.path, 0o555)
    const compile = run('compile', '.')
    for (const path of all) chmodSync(path, 0o755)
    for (const { code, stderr } of [refused, compile]) {
      expect(code).toBe(1)
      expect(stderr).toMatch(
        new RegExp(`^remindb: ${folder.db}: the database or its folder cannot be written to; [^\n]+\n$`),
      )
    }
  })

  test('cannot be made where nobody may write', () => {
    using folder = temporaryFolder({ 'a.md': OPS })
    chmodSync(folder.path, 0o555)
    const { code, stderr } = remindb(['compile', '.'], { cwd: folder.path, isUnprivileged: true })
    chmodSync(folder.path, 0o755)
    expect(code).toBe(1)
    expect(stderr).toContain(`${join(folder.path, '.remindb')} cannot be made or written to (EACCES)`)
  })

  test('that cannot be used is told in JSON where JSON was asked for', () => {
    using folder = temporaryFolder({ 'a.db': 'not a database' })
    const { code, stdout, stderr } = remindb(['inspect', '--json', '--db', 'a.db'], { cwd: folder.path })
    expect(code).toBe(1)
    expect(JSON.parse(stdout)).toEqual({
      error: { code: 'NOT_A_DATABASE', message: expect.stringContaining('not a remindb database') },
    })
    expect(stderr).toMatch(/^remindb: .*not a remindb database/)
  })

  test('that is something else is left alone', () => {
    using folder = temporaryFolder({ 'notes.txt': 'hello, this is not a database at all' })
    for (const command of ['inspect', 'doctor', 'delta']) {
      const { code, stderr } = remindb([command, '--db', 'notes.txt'], { cwd: folder.path })
      expect(code).toBe(1)
      expect(stderr).toBe(
        `remindb: ${join(folder.path, 'notes.txt')}: the file is not a remindb database; it was not changed. Check --db\n`,
      )
    }
  })

  test('of an unreleased version is left alone, and the way out is named', () => {
    using folder = compiledFolder()
    const file = join(folder.path, '.remindb', 'memory.db')
    const db = new Sqlite(file)
    db.pragma('user_version = 8')
    db.close()
    for (const args of [['inspect'], ['doctor', '--fix'], ['compile', '.']])
      expect(folder.run(...args)).toEqual({
        ...{ code: 1, stdout: '' },
        stderr: `remindb: ${file}: the database was written by an unreleased version of remindb (schema 8, this one knows 9 and later); it was not changed. Run \`remindb export\` with that version and \`remindb import\` with this one, or move the file away and compile again\n`,
      })
  })
})
