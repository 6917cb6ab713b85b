import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { isInside } from '../util/paths.ts'
import { createRedactor } from './redact/redactor.ts'
import { openSourceFolder } from './source-folder.ts'
import { walk } from './walk.ts'

let root: string
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'remindb-walk-'))
})
afterEach(() => rmSync(root, { recursive: true }))

function file(path: string, text = 'x'): void {
  mkdirSync(dirname(join(root, path)), { recursive: true })
  writeFileSync(join(root, path), text)
}
const walkAll = (scope = '') => walk({ root, scope, accepts: (path) => path.endsWith('.md') })

describe('walk', () => {
  test('lists accepted files in lexical order, with / and relative to the root', () => {
    for (const path of [
      'b.md',
      'a.md',
      'sub/z.md',
      'sub-2/y.md',
      'sub/deep/x.md',
      'B.md',
      'c.txt',
      '.hidden.md',
    ])
      file(path)
    expect(walkAll()).toEqual({
      files: ['.hidden.md', 'B.md', 'a.md', 'b.md', 'sub-2/y.md', 'sub/deep/x.md', 'sub/z.md'],
      problems: [],
    })
  })

  test('keeps out of hidden folders and of those of tools, but not of one that is asked for', () => {
    for (const folder of [
      '.git',
      '.remindb',
      'node_modules',
      'dist',
      'target',
      'vendor',
      'venv',
      '__pycache__',
    ])
      file(`${folder}/a.md`)
    file('distant/a.md')
    expect(walkAll().files).toEqual(['distant/a.md'])
    expect(walkAll('dist').files).toEqual(['dist/a.md'])
    expect(walkAll('.git/a.md').files).toEqual(['.git/a.md'])
  })

  test('looks only where it is told to', () => {
    for (const path of ['a.md', 'sub/b.md', 'sub/deep/c.md', 'subway/d.md']) file(path)
    expect(walkAll('sub').files).toEqual(['sub/b.md', 'sub/deep/c.md'])
    expect(walkAll('sub/b.md').files).toEqual(['sub/b.md'])
  })

  test('follows links to files inside, reports those that leave or lead nowhere, and follows none to folders', () => {
    const outside = mkdtempSync(join(tmpdir(), 'remindb-outside-'))
    writeFileSync(join(outside, 'out.md'), 'x')
    file('in/a.md')
    symlinkSync(join(root, 'in', 'a.md'), join(root, 'good.md'))
    symlinkSync(join(outside, 'out.md'), join(root, 'bad.md'))
    symlinkSync(join(root, 'nowhere.md'), join(root, 'dead.md'))
    symlinkSync(root, join(root, 'in', 'loop'))
    symlinkSync(outside, join(root, 'in', 'outside.md'))
    const { files, problems } = walkAll()
    expect(files).toEqual(['good.md', 'in/a.md'])
    expect(Object.fromEntries(problems.map(({ path, reason }) => [path, reason]))).toEqual({
      'bad.md': 'is a link that leaves the folder',
      'dead.md': 'cannot be read (ENOENT)',
      'in/outside.md': 'is a link that leaves the folder',
    })
    rmSync(outside, { recursive: true })
  })

  test('takes a folder with the name of a file for a folder', () => {
    file('notes.md/a.md')
    expect(walkAll().files).toEqual(['notes.md/a.md'])
  })
})

describe('isInside', () => {
  test.each([
    ['/a', '/a', true],
    ['/a', '/a/b', true],
    ['/a', '/a/..b', true],
    ['/a', '/ab', false],
    ['/a', '/', false],
    ['/a/b', '/a/c', false],
  ])('of %s: %s is %s', (folder, path, expected) => {
    expect(isInside(folder, path)).toBe(expected)
  })
})

describe('a source folder', async () => {
  const redaction = await createRedactor({})
  const open = (scope = '') => openSourceFolder({ root, scope, maxNodeTokens: 1000, redaction })

  test('looks again whenever it is asked what there is', async () => {
    const folder = open()
    expect(await folder.list()).toEqual([])
    file('a.md')
    file('b.MARKDOWN')
    expect(await folder.list()).toEqual(['a.md', 'b.MARKDOWN'])
  })

  test('tells a file it has seen from a changed one, by its text and by how it is parsed', async () => {
    file('a.md', 'Text.\n')
    const loaded = await open().load('a.md', null)
    if (loaded.kind !== 'parsed') throw new Error('not parsed')
    expect(loaded.blocks).toMatchObject([{ type: 'text', text: 'Text.' }])
    expect(await open().load('a.md', loaded.digest)).toEqual({ kind: 'unchanged' })
    const other = openSourceFolder({ root, scope: '', maxNodeTokens: 50, redaction })
    expect((await other.load('a.md', loaded.digest)).kind).toBe('parsed')
  })

  test('reads a file again when other secrets are looked for', async () => {
    file('a.md', 'Text.\n')
    const loaded = await open().load('a.md', null)
    if (loaded.kind !== 'parsed') throw new Error('not parsed')
    const fewer = await createRedactor({ disableBuiltinKinds: ['jwt'] })
    const other = openSourceFolder({ root, scope: '', maxNodeTokens: 1000, redaction: fewer })
    expect((await other.load('a.md', loaded.digest)).kind).toBe('parsed')
  })

  test('says where a file stops being UTF-8', async () => {
    mkdirSync(join(root, 'sub'))
    writeFileSync(join(root, 'sub', 'a.md'), Buffer.from([0x61, 0x0a, 0xc3, 0xbc, 0x0a, 0xc3, 0x0a, 0x62]))
    await expect(open().load('sub/a.md', null)).rejects.toMatchObject({ name: 'ParseError', line: 3 })
    await expect(open().load('gone.md', null)).rejects.toMatchObject({ reason: 'cannot be read (ENOENT)' })
  })

  test('covers what it would list if it were there', async () => {
    file('sub/a.md')
    const outside = mkdtempSync(join(tmpdir(), 'remindb-outside-'))
    writeFileSync(join(outside, 'x.md'), 'x')
    symlinkSync(join(outside, 'x.md'), join(root, 'sub', 'link.md'))
    const folder = open('sub')
    await folder.list()
    const covered = ['sub/b.md', 'sub/deep/c.md', 'b.md', 'subway/b.md', 'sub/link.md', 'sub/dist/d.md']
    expect(covered.filter((path) => folder.covers(path))).toEqual(['sub/b.md', 'sub/deep/c.md'])
    file('dist/other.md')
    expect(open('dist').covers('dist/d.md')).toBe(true)
    expect(open('dist/other.md').covers('dist/other.md')).toBe(true)
    rmSync(outside, { recursive: true })
  })
})
