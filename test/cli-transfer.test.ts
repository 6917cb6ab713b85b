import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { ensureProgramIsBuilt, PROGRAM, remindb, remindbOnTerminal, temporaryFolder } from './support/cli.ts'
import { editedFolder, OPS } from './support/cli-folders.ts'

beforeAll(ensureProgramIsBuilt)

const withoutTime = (text: string): string => text.replace(/"exported_at":\d+/, '')

describe('export', () => {
  test('writes to stdout, and to a file that only its owner can read', () => {
    using folder = editedFolder()
    const { code, stdout, stderr } = folder.run('export')
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    expect(stdout).toMatch(/^\{"remindb":"export","version":1,[^\n]+\n(\{[^\n]+\}\n)+\{"end":true\}\n$/)
    expect(withoutTime(folder.run('export', '-').stdout)).toBe(withoutTime(stdout))
    const written = folder.run('export', 'memory.jsonl')
    expect(written).toMatchObject({ code: 0, stderr: '' })
    expect(written.stdout).toMatch(
      /^exported 3 documents, 7 nodes and 2 snapshots to memory\.jsonl \([\d.]+ KB\)\n$/,
    )
    const file = join(folder.path, 'memory.jsonl')
    expect(withoutTime(readFileSync(file, 'utf8'))).toBe(withoutTime(stdout))
    expect(statSync(file).mode & 0o777).toBe(0o600)
  })

  test('writes over a file only when told to, and over a folder never', () => {
    using folder = editedFolder()
    folder.write('memory.jsonl', 'mine')
    expect(folder.run('export', 'memory.jsonl')).toEqual({
      code: 1,
      stdout: '',
      stderr: 'remindb: memory.jsonl already exists; choose another name, or overwrite it with --force\n',
    })
    expect(readFileSync(join(folder.path, 'memory.jsonl'), 'utf8')).toBe('mine')
    expect(folder.run('export', 'memory.jsonl', '--force').code).toBe(0)
    expect(readFileSync(join(folder.path, 'memory.jsonl'), 'utf8')).toMatch(/^\{"remindb"/)
    expect(folder.run('export', '.', '--force').stderr).toBe(
      'remindb: . is a folder; name the file to write\n',
    )
    expect(folder.run('export', '/dev/null', '--force').stderr).toBe(
      'remindb: /dev/null is not a regular file; use - to write to stdout\n',
    )
    expect(folder.run('export', 'no/x').stderr).toBe(
      `remindb: there is no folder ${join(folder.path, 'no')}; create it first\n`,
    )
    expect(readdirSync(folder.path).filter((name) => name.endsWith('.part'))).toEqual([])
  })

  test('does not let a text rule the terminal', () => {
    using folder = temporaryFolder({ 'a.md': '# Title\n\nbefore\u009b2Jafter \u202e\n' })
    remindb(['compile', '.'], { cwd: folder.path })
    const shown = remindbOnTerminal(['export'], { cwd: folder.path })
    expect(shown).toContain('before\\u009b2Jafter')
    expect(shown).not.toMatch(/[\u009b\u202e]/)
    const lines = shown.trimEnd().split(/\r?\n/)
    expect(lines.map((line) => Object.keys(JSON.parse(line))[0])).toContain('version')
    expect(remindb(['export'], { cwd: folder.path }).stdout).toContain('\u009b2J')
  })

  test('of no memory says so, and makes no file', () => {
    using folder = temporaryFolder()
    const { code, stderr } = remindb(['export', 'x.jsonl'], { cwd: folder.path })
    expect(code).toBe(1)
    expect(stderr).toContain('there is no memory')
    expect(readdirSync(folder.path)).toEqual([])
  })
})

describe('import', () => {
  test('makes an equal memory in the current folder, and one named by --db', () => {
    using folder = editedFolder()
    folder.run('export', 'memory.jsonl')
    const inner = join(folder.path, 'inner')
    mkdirSync(inner)
    const { code, stdout, stderr } = remindb(['import', '../memory.jsonl'], { cwd: inner })
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    expect(stdout).toBe(`imported 3 documents, 7 nodes and 2 snapshots into ${inner}\n`)
    expect(readdirSync(inner)).toEqual(['.remindb'])
    for (const args of [
      ['inspect', '--tree'],
      ['diff', '0', '2'],
      ['delta', '--json'],
      ['history', '--json'],
    ]) {
      const copied = remindb(args, { cwd: inner }).stdout.replaceAll(inner, folder.path)
      expect(copied).toBe(folder.run(...args).stdout)
    }
    expect(remindb(['doctor'], { cwd: inner }).code).toBe(0)
    const { db_path, ...counts } = JSON.parse(
      folder.run('import', 'memory.jsonl', '--db', 'copy.db', '--json').stdout,
    )
    expect(db_path).toBe(join(folder.path, 'copy.db'))
    expect(counts).toEqual({ snapshots: 2, documents: 3, nodes: 7, versions: 10, redactions: 0 })
    expect(withoutTime(folder.run('export', '--db', 'copy.db').stdout)).toBe(
      withoutTime(folder.run('export').stdout),
    )
  })

  test('reads stdin', () => {
    using folder = editedFolder()
    const input = folder.run('export').stdout
    const { status, stdout } = spawnSync(process.execPath, [PROGRAM, 'import', '-', '--db', 'copy.db'], {
      cwd: folder.path,
      input,
      encoding: 'utf8',
    })
    expect({ status, stdout }).toEqual({
      status: 0,
      stdout: `imported 3 documents, 7 nodes and 2 snapshots into ${join(folder.path, 'copy.db')}\n`,
    })
    expect(withoutTime(folder.run('export', '--db', 'copy.db').stdout)).toBe(withoutTime(input))
  })

  test('does not merge into a memory that has something', () => {
    using folder = editedFolder()
    folder.run('export', 'memory.jsonl')
    const before = folder.run('inspect', '--tree').stdout
    expect(folder.run('import', 'memory.jsonl')).toEqual({
      code: 1,
      stdout: '',
      stderr:
        'remindb: this memory is not empty; an import needs an empty one: name a new database with --db\n',
    })
    expect(folder.run('inspect', '--tree').stdout).toBe(before)
  })

  test.each([
    ['cut.jsonl', /^remindb: line \d+: is not JSON; nothing was imported\n$/],
    ['empty.jsonl', /^remindb: the file is empty; nothing was imported\n$/],
    ['note.md', /^remindb: line 1: is not the header of an export of remindb; nothing was imported\n$/],
    ['nowhere.jsonl', /^remindb: there is no file nowhere\.jsonl\n$/],
    ['folder', /^remindb: folder is a folder; to read its files, use `remindb compile`\n$/],
  ])('of %s leaves nothing behind', (name, message) => {
    using folder = editedFolder()
    const text = folder.run('export').stdout
    using place = temporaryFolder({ 'empty.jsonl': '', 'note.md': OPS, 'folder/a.md': OPS })
    writeFileSync(join(place.path, 'cut.jsonl'), text.slice(0, text.length / 2))
    const before = readdirSync(place.path)
    const { code, stdout, stderr } = remindb(['import', name], { cwd: place.path })
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
    expect(stderr).toMatch(message)
    expect(readdirSync(place.path)).toEqual(before)
    remindb(['import', name, '--db', 'other.db'], { cwd: place.path })
    expect(readdirSync(place.path)).toEqual(before)
  })

  test('keeps a folder and a database that were there', () => {
    using folder = editedFolder()
    folder.write('cut.jsonl', folder.run('export').stdout.slice(0, 900))
    using place = temporaryFolder({ '.remindb/config.json': '{}' })
    const cut = join(folder.path, 'cut.jsonl')
    expect(remindb(['import', cut], { cwd: place.path }).code).toBe(1)
    expect(readdirSync(join(place.path, '.remindb'))).toEqual(['config.json'])
    expect(folder.run('import', 'cut.jsonl').code).toBe(1)
    expect(existsSync(folder.db)).toBe(true)
    expect(folder.run('doctor').code).toBe(0)
  })
})
