import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { insideRoots } from './source-jail.ts'

let folder: string
let root: string
beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'remindb-jail-')))
  root = join(folder, 'notes')
  mkdirSync(join(root, 'sub'), { recursive: true })
  mkdirSync(join(folder, 'notes-of-others'))
  writeFileSync(join(root, 'sub', 'a.md'), 'a')
  writeFileSync(join(folder, 'secret.md'), 'secret')
  symlinkSync(join(folder, 'secret.md'), join(root, 'file-link.md'))
  symlinkSync(folder, join(root, 'out'))
  symlinkSync(join(root, 'sub'), join(root, 'in'))
})
afterEach(() => rmSync(folder, { recursive: true }))

const refusal = (path: string, roots = [root]): string => {
  try {
    return insideRoots(path, roots)
  } catch (error) {
    return (error as { code: string }).code
  }
}

describe('a client may compile', () => {
  test.each(['', '.', 'sub', 'sub/a.md', './sub/../sub/a.md'])('%j is relative to the root', (path) => {
    expect(insideRoots(path, [root])).toBe(join(root, path))
  })

  test('an absolute path inside the root', () => {
    expect(insideRoots(join(root, 'sub'), [root])).toBe(join(root, 'sub'))
  })

  test('a link that stays inside, by its real name', () => {
    expect(insideRoots('in/a.md', [root])).toBe(join(root, 'sub', 'a.md'))
  })

  test('files inside another root', () => {
    const other = join(folder, 'notes-of-others')
    expect(insideRoots(other, [root, other])).toBe(other)
  })

  test.each([
    '..',
    '../secret.md',
    'sub/../../secret.md',
    'file-link.md',
    'out',
    'out/secret.md',
    'out/nothing.md',
  ])('not %s', (path) => expect(refusal(path)).toBe('FORBIDDEN'))

  test('not a folder whose name only begins like the root', () => {
    expect(refusal(join(folder, 'notes-of-others'))).toBe('FORBIDDEN')
  })

  test('and does not learn whether something exists outside', () => {
    expect(refusal('/etc/passwd')).toBe('FORBIDDEN')
    expect(refusal('/etc/no-such-file')).toBe('FORBIDDEN')
  })

  test('a missing file inside is reported', () => {
    expect(refusal('sub/b.md')).toBe('NOT_FOUND')
  })

  test('nothing without a root', () => {
    expect(refusal('sub', [])).toBe('FORBIDDEN')
    expect(refusal('sub', [join(folder, 'gone')])).toBe('NOT_FOUND')
  })

  test('a file that was named, and nothing beside it', () => {
    const file = join(root, 'sub', 'a.md')
    expect(insideRoots(file, [file])).toBe(file)
    expect(insideRoots('a.md', [file])).toBe(file)
    expect(refusal('b.md', [file])).toBe('FORBIDDEN')
    expect(refusal('.', [file])).toBe('FORBIDDEN')
  })

  test('the message names the refused path, and how to allow it', () => {
    expect(() => insideRoots('/etc', [root])).toThrow(
      /^"\/etc" is not inside a folder that was named .*`remindb compile <folder>`.*`remindb serve --source <folder>`$/,
    )
  })
})
