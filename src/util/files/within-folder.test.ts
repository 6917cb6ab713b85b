import { execFileSync } from 'node:child_process'
import {
  closeSync,
  constants,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { makeFolderWithin, openWithin, refuseLinks } from './within-folder.ts'

const CREATE = constants.O_WRONLY | constants.O_CREAT | constants.O_APPEND

function twoFolders(): { state: string; outside: string; base: string } {
  const base = realpathSync(mkdtempSync(join(tmpdir(), 'remindb-within-')))
  onTestFinished(() => rmSync(base, { recursive: true }))
  const [state, outside] = [join(base, 'state'), join(base, 'outside')]
  for (const folder of [state, outside]) mkdirSync(folder)
  return { base, state, outside }
}

test('openWithin creates a file for its owner only, whatever the umask', () => {
  const { state } = twoFolders()
  const before = process.umask(0)
  try {
    makeFolderWithin(state, join(state, 'logs'))
    makeFolderWithin(state, join(state, 'logs'))
    closeSync(openWithin(state, join(state, 'logs', 'a'), CREATE))
  } finally {
    process.umask(before)
  }
  expect(statSync(join(state, 'logs')).mode & 0o777).toBe(0o700)
  expect(statSync(join(state, 'logs', 'a')).mode & 0o777).toBe(0o600)
})

test('openWithin opens and creates no file through a link anywhere in the path', () => {
  const { base, state, outside } = twoFolders()
  writeFileSync(join(outside, 'theirs'), '')
  symlinkSync(join(outside, 'theirs'), join(state, 'file'))
  symlinkSync(join(outside, 'nothing'), join(state, 'dangling'))
  symlinkSync(outside, join(state, 'folder'))
  symlinkSync(state, join(base, 'linked'))
  for (const path of ['state/file', 'state/dangling', 'state/folder/new', 'state/folder/theirs'])
    expect(() => openWithin(state, join(base, path), CREATE), path).toThrow('is a symbolic link')
  expect(() => openWithin(join(base, 'linked'), join(base, 'linked', 'new'), CREATE)).toThrow(
    `${join(base, 'linked')} is a symbolic link`,
  )
  expect(() => makeFolderWithin(state, join(state, 'folder', 'new'))).toThrow('is a symbolic link')
  expect(readdirSync(outside)).toEqual(['theirs'])
  expect(readdirSync(state).sort()).toEqual(['dangling', 'file', 'folder'])
})

test('openWithin follows links above the folder', () => {
  const { base, state } = twoFolders()
  symlinkSync(base, join(base, 'home'))
  const seen = join(base, 'home', 'state')
  closeSync(openWithin(seen, join(seen, 'a'), CREATE))
  expect(readdirSync(state)).toEqual(['a'])
})

test('openWithin rejects a pipe without waiting for its other end', () => {
  const { state } = twoFolders()
  execFileSync('mkfifo', [join(state, 'pipe')])
  expect(() => openWithin(state, join(state, 'pipe'), constants.O_RDONLY)).toThrow('is not a regular file')
  expect(() => openWithin(state, join(state, 'pipe'), CREATE)).toThrow('ENXIO')
})

test('openWithin rejects a path outside the folder', () => {
  const { state, outside } = twoFolders()
  expect(() => refuseLinks(state, outside)).toThrow('is not inside')
})
