import { execFileSync } from 'node:child_process'
import { once } from 'node:events'
import {
  mkdirSync,
  mkdtempSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { isInside } from '../util/files/paths.ts'
import { parseIgnoreFile } from './ignore-file.ts'
import { createRedactor } from './redact/redactor.ts'
import { openSourceFolder } from './source-folder.ts'
import { type WalkInput, walk } from './walk.ts'

let root: string
beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), 'remindb-walk-')))
})
afterEach(() => rmSync(root, { recursive: true }))

function file(path: string, text = 'x'): void {
  mkdirSync(dirname(join(root, path)), { recursive: true })
  writeFileSync(join(root, path), text)
}
async function walkAll(scope = '', more: Partial<WalkInput> = {}) {
  const found = await walk({ root, scope, accepts: (path) => path.endsWith('.md'), ...more })
  const { unread, ...others } = found
  return { ...others, unread: [...unread], files: found.files.map(({ path }) => path) }
}
const ignoring = (text: string): Partial<WalkInput> => ({ findRule: parseIgnoreFile(text) })

describe('walk', () => {
  test('lists accepted files in lexical order, with / and relative to the root', async () => {
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
    expect(await walkAll()).toEqual({
      files: ['.hidden.md', 'B.md', 'a.md', 'b.md', 'sub-2/y.md', 'sub/deep/x.md', 'sub/z.md'],
      problems: [],
      refused: [],
      unread: [['txt', 1]],
    })
  })

  test('skips hidden folders and those of tools, unless one is requested', async () => {
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
    expect((await walkAll()).files).toEqual(['distant/a.md'])
    expect((await walkAll('dist')).files).toEqual(['dist/a.md'])
    expect((await walkAll('.git/a.md')).files).toEqual(['.git/a.md'])
  })

  test('scans only the given scope', async () => {
    for (const path of ['a.md', 'sub/b.md', 'sub/deep/c.md', 'subway/d.md']) file(path)
    expect((await walkAll('sub')).files).toEqual(['sub/b.md', 'sub/deep/c.md'])
    expect((await walkAll('sub/b.md')).files).toEqual(['sub/b.md'])
  })

  test('follows links to files inside, reports those that leave, ignores broken ones, and follows none to folders', async () => {
    const outside = mkdtempSync(join(tmpdir(), 'remindb-outside-'))
    writeFileSync(join(outside, 'out.md'), 'x')
    file('in/a.bak')
    symlinkSync(join(root, 'in', 'a.bak'), join(root, 'good.md'))
    symlinkSync(join(outside, 'out.md'), join(root, 'bad.md'))
    symlinkSync(join(root, 'nowhere.md'), join(root, 'dead.md'))
    symlinkSync(join(root, 'in', 'a.bak', 'below.md'), join(root, 'below.md'))
    symlinkSync('self.md', join(root, 'self.md'))
    symlinkSync(root, join(root, 'in', 'loop'))
    symlinkSync(outside, join(root, 'in', 'outside.md'))
    const { files, problems } = await walkAll()
    expect(files).toEqual(['good.md'])
    expect(Object.fromEntries(problems.map(({ path, reason }) => [path, reason]))).toEqual({
      'bad.md': 'is a link that leaves the folder',
      'in/outside.md': 'is a link that leaves the folder',
    })
    rmSync(outside, { recursive: true })
  })

  test('takes a folder with the name of a file for a folder', async () => {
    file('notes.md/a.md')
    expect((await walkAll()).files).toEqual(['notes.md/a.md'])
  })

  test('reports size and times of a file, and for a link those of its target', async () => {
    file('a.bak', 'four')
    symlinkSync('a.bak', join(root, 'link.md'))
    const { mtimeNs, ctimeNs, ino } = statSync(join(root, 'a.bak'), { bigint: true })
    const [modifiedAt, changedAt] = [Number(mtimeNs / 1000n), Number(ctimeNs / 1000n)]
    const times = { modifiedAt, changedAt, inode: String(ino) }
    const accepts = (path: string): boolean => path === 'link.md'
    const { files } = await walk({ root, scope: '', accepts })
    expect(files).toEqual([{ path: 'link.md', sizeBytes: 4, ...times, target: 'a.bak' }])
    expect((await walk({ root, scope: '', accepts: (path) => path === 'a.bak' })).files).toEqual([
      { path: 'a.bak', sizeBytes: 4, ...times },
    ])
  })

  test('lists a file once, by its own name, even if links lead to it', async () => {
    file('z/real.md')
    file('raw.bak')
    symlinkSync(join(root, 'z/real.md'), join(root, 'a.md'))
    symlinkSync('real.md', join(root, 'z/b.md'))
    symlinkSync('raw.bak', join(root, 'c.md'))
    symlinkSync('raw.bak', join(root, 'd.md'))
    expect((await walkAll()).files).toEqual(['c.md', 'z/real.md'])
    expect(await walkAll('a.md')).toMatchObject({
      files: [],
      refused: [{ path: 'a.md', reason: 'is a link to z/real.md; compile that' }],
    })
  })

  test('counts the files that are not read by their extension, but not hidden and ignored ones', async () => {
    for (const path of ['a.png', 'b/c.PNG', 'Makefile', 'x.zip', '.DS_Store', 'node_modules/d.png', 'e.log'])
      file(path)
    symlinkSync(root, join(root, 'loop'))
    expect(new Map((await walkAll('', ignoring('*.log'))).unread)).toEqual(
      new Map([
        ['png', 2],
        ['', 1],
        ['zip', 1],
      ]),
    )
  })

  test('leaves out ignored files, and everything in an ignored folder', async () => {
    for (const path of ['a.md', 'drafts/b.md', 'drafts/keep.md', 'sub/c.md', 'sub/drafts/d.md']) file(path)
    const found = await walkAll('', ignoring('drafts/\n!drafts/keep.md\n/sub/c.md\n'))
    expect(found).toEqual({ files: ['a.md'], problems: [], refused: [], unread: [] })
  })

  test('says why something that was named is left out', async () => {
    for (const path of ['drafts/b.md', 'sub/c.md', '.remindb/x.md']) file(path)
    const rules = ignoring('# not yet\n\ndrafts/\nc.md')
    const reason = async (scope: string) => (await walkAll(scope, rules)).refused
    expect(await reason('drafts')).toEqual([
      { path: 'drafts', reason: 'is ignored by .remindb/ignore, line 3' },
    ])
    expect(await reason('drafts/b.md')).toMatchObject([{ path: 'drafts/b.md' }])
    expect(await reason('sub/c.md')).toMatchObject([{ reason: expect.stringContaining('line 4') }])
    expect(await reason('sub')).toEqual([])
    expect(await reason('.remindb/x.md')).toEqual([
      { path: '.remindb/x.md', reason: 'is in .remindb, which is never compiled' },
    ])
    expect((await walkAll('.remindb', rules)).files).toEqual([])
  })

  test('does not list an ignored file through a link', async () => {
    for (const path of ['secret.md', 'node_modules/x/r.md', '.remindb/y.md', 'fine.md']) file(path)
    for (const [at, target] of ['secret.md', 'node_modules/x/r.md', '.remindb/y.md', 'fine.md'].entries())
      symlinkSync(join(root, target), join(root, `link-${at}.md`))
    const found = await walkAll('', ignoring('/secret.md'))
    expect(found).toMatchObject({ files: ['fine.md'], problems: [] })
    symlinkSync(join(root, 'node_modules/x/r.md'), join(root, 'node_modules/x/s.md'))
    expect((await walkAll('node_modules/x')).files).toEqual(['node_modules/x/r.md'])
  })

  test('reports files that are too large', async () => {
    file('a.md', 'x'.repeat(100))
    file('b.md')
    truncateSync(join(root, 'b.md'), 12 * 1024 * 1024)
    expect(await walkAll('', { maxFileBytes: 10 * 1024 * 1024 })).toEqual({
      files: ['a.md'],
      problems: [{ path: 'b.md', reason: 'is larger than compile.max_file_size (12.0 MB > 10.0 MB)' }],
      refused: [],
      unread: [],
    })
    expect((await walkAll('', { maxFileBytes: 100 })).files).toEqual(['a.md'])
  })

  // Elsewhere the system refuses such names.
  test.runIf(process.platform === 'linux')('reports names that are not valid UTF-8', async () => {
    const bytes = (...parts: (string | number[])[]): Buffer =>
      Buffer.concat([Buffer.from(`${root}/`), ...parts.map((part) => Buffer.from(part as string))])
    writeFileSync(bytes('caf', [0xe9], '.md'), 'x')
    writeFileSync(bytes('caf', [0xe9], '.png'), 'x')
    mkdirSync(bytes('\u00fcber', [0xff, 0xc3]))
    mkdirSync(bytes('.', [0xff]))
    writeFileSync(bytes('\u00fcber', [0xff, 0xc3], '/a.md'), 'x')
    file('a\uFFFDb.md')
    file('fine.md')
    const { files, problems } = await walkAll()
    expect(files).toEqual(['a\uFFFDb.md', 'fine.md'])
    const reason = 'has a name that is not valid UTF-8; rename it'
    expect(problems.toSorted((a, b) => (a.path < b.path ? -1 : 1))).toEqual([
      { path: 'caf\\xe9.md', reason },
      { path: '\u00fcber\\xff\\xc3', reason },
    ])
  })

  test.runIf(process.platform !== 'win32')(
    'passes over pipes, sockets and devices without waiting',
    async () => {
      execFileSync('mkfifo', [join(root, 'pipe.md')])
      const server = createServer().listen(join(root, 'socket.md'))
      await once(server, 'listening')
      symlinkSync('/dev/zero', join(root, 'device.md'))
      file('a.md')
      expect(await walkAll()).toEqual({
        files: ['a.md'],
        problems: [{ path: 'device.md', reason: 'is a link that leaves the folder' }],
        refused: [],
        unread: [],
      })
      expect((await walkAll('pipe.md')).files).toEqual([])
      server.close()
    },
  )

  test('stops when aborted', async () => {
    file('a.md')
    const signal = AbortSignal.abort(new Error('enough'))
    await expect(walkAll('', { signal })).rejects.toThrow('enough')
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
  const open = (scope = '', maxNodeTokens = 1000) =>
    openSourceFolder({ root, scope, maxNodeTokens, redaction })
  async function load(path: string, knownDigest: string | null = null, folder = open()) {
    for await (const loaded of folder.load([{ path, sizeBytes: 0, knownDigest }])) return loaded
    throw new Error('no answer')
  }

  test('scans again with every call', async () => {
    const folder = open()
    expect(await folder.list()).toEqual([])
    file('a.md')
    file('b.MARKDOWN')
    expect((await folder.list()).map(({ path }) => path)).toEqual(['a.md', 'b.MARKDOWN'])
    file('.remindb/ignore', '*.MARKDOWN')
    expect((await folder.list()).map(({ path }) => path)).toEqual(['a.md'])
  })

  test('distinguishes a known file from a changed one, by its text and by how it is parsed', async () => {
    file('a.md', 'Text.\n')
    const loaded = await load('a.md')
    if (loaded.kind !== 'parsed') throw new Error('not parsed')
    expect(JSON.parse(loaded.blocks)).toMatchObject([{ type: 'text', text: 'Text.' }])
    expect(await load('a.md', loaded.digest)).toEqual({ kind: 'unchanged', digest: loaded.digest })
    expect((await load('a.md', loaded.digest, open('', 50))).kind).toBe('parsed')
    expect(open('', 50).parserOf('a.md')).not.toBe(open().parserOf('a.md'))
  })

  test('reads a file again when other secrets are looked for', async () => {
    file('a.md', 'Text.\n')
    const loaded = await load('a.md')
    if (loaded.kind !== 'parsed') throw new Error('not parsed')
    const fewer = await createRedactor({ disableBuiltinKinds: ['jwt'] })
    const other = openSourceFolder({ root, scope: '', maxNodeTokens: 1000, redaction: fewer })
    expect((await load('a.md', loaded.digest, other)).kind).toBe('parsed')
    expect(other.parserOf('a.md')).not.toBe(open().parserOf('a.md'))
  })

  test('reports where a file stops being UTF-8', async () => {
    mkdirSync(join(root, 'sub'))
    writeFileSync(join(root, 'sub', 'a.md'), Buffer.from([0x61, 0x0a, 0xc3, 0xbc, 0x0a, 0xc3, 0x0a, 0x62]))
    const failed = await load('sub/a.md')
    expect(failed).toMatchObject({ kind: 'failed', line: 3, reason: expect.stringContaining('UTF-8') })
    expect(await load('sub/a.md', failed.digest)).toMatchObject({ kind: 'unchanged' })
  })

  test('reports a file that disappeared before it was read', async () => {
    mkdirSync(join(root, 'folder.md'))
    const reasons = { 'gone.md': 'cannot be read (ENOENT)', 'folder.md': 'is no longer a regular file' }
    for (const [path, reason] of Object.entries(reasons))
      expect(await load(path)).toEqual({ kind: 'failed', digest: null, line: null, reason })
  })

  test('covers missing files that it would list, and files it no longer lists', async () => {
    file('sub/a.md')
    file('sub/dist/there.md')
    file('.remindb/ignore', 'ignored.md\n')
    const outside = mkdtempSync(join(tmpdir(), 'remindb-outside-'))
    writeFileSync(join(outside, 'x.md'), 'x')
    symlinkSync(join(outside, 'x.md'), join(root, 'sub', 'link.md'))
    const folder = open('sub')
    await folder.list()
    const asked = ['sub/b.md', 'sub/deep/c.md', 'sub/dist/gone.md', 'sub/dist/ignored.md', 'sub/ignored.md']
    const others = ['b.md', 'subway/b.md', 'sub/link.md', 'sub/dist/there.md', 'ignored.md']
    expect([...asked, ...others].filter((path) => folder.covers(path))).toEqual(asked)
    file('dist/other.md')
    expect(open('dist').covers('dist/d.md')).toBe(true)
    expect(open('dist/other.md').covers('dist/other.md')).toBe(true)
    rmSync(outside, { recursive: true })
  })
})
