import { execFileSync } from 'node:child_process'
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { ReplacedError, withOpened, withOpenedFolder } from './opened.ts'

let folder: string
beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'remindb-opened-')))
  for (const name of ['in', 'out']) {
    mkdirSync(join(folder, name))
    writeFileSync(join(folder, name, 'a.md'), name)
  }
})
afterEach(() => rmSync(folder, { recursive: true }))

const read = (path: string): string =>
  withOpened(join(folder, path), (handle) => readFileSync(handle, 'utf8'))

test('withOpened passes a handle of the file at the path', () => {
  expect(read('in/a.md')).toBe('in')
})

test.each(['link.md', 'linked/a.md', 'in/deep/a.md'])(
  'withOpened rejects %s, which a link leads to',
  (path) => {
    symlinkSync(join(folder, 'out', 'a.md'), join(folder, 'link.md'))
    symlinkSync(join(folder, 'out'), join(folder, 'linked'))
    symlinkSync('../out', join(folder, 'in', 'deep'))
    expect(() => read(path)).toThrow(ReplacedError)
  },
)

test('withOpened reports a missing file as missing', () => {
  expect(() => read('in/b.md')).toThrow('ENOENT')
})

test.runIf(process.platform !== 'win32')('withOpened does not wait for the other end of a pipe', () => {
  execFileSync('mkfifo', [join(folder, 'in', 'pipe.md')])
  expect(withOpened(join(folder, 'in', 'pipe.md'), () => 'opened')).toBe('opened')
})

test('withOpenedFolder lists a folder, and rejects one that a link leads to', () => {
  symlinkSync(join(folder, 'out'), join(folder, 'linked'))
  mkdirSync(join(folder, 'out', 'deep'))
  expect(withOpenedFolder(join(folder, 'in'), (path) => readdirSync(path))).toEqual(['a.md'])
  for (const path of ['linked', 'linked/deep'])
    expect(() => withOpenedFolder(join(folder, path), (at) => readdirSync(at))).toThrow(ReplacedError)
})

test.runIf(process.platform === 'linux')(
  'withOpenedFolder stays in the opened folder if its path is replaced',
  () => {
    writeFileSync(join(folder, 'out', 'b.md'), '')
    const names = withOpenedFolder(join(folder, 'in'), (path) => {
      renameSync(join(folder, 'in'), join(folder, 'was-in'))
      symlinkSync(join(folder, 'out'), join(folder, 'in'))
      return readdirSync(path)
    })
    expect(names).toEqual(['a.md'])
  },
)
