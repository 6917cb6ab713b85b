import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { readSmallFile } from './small-file.ts'

function temporaryPath(): string {
  const folder = mkdtempSync(join(tmpdir(), 'remindb-small-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  return join(folder, 'file')
}

test('readSmallFile reads a file up to the limit, also through a link', () => {
  const path = temporaryPath()
  writeFileSync(path, 'äb')
  symlinkSync(path, `${path}-link`)
  expect(readSmallFile(path, { maxBytes: 3 })).toBe('äb')
  expect(readSmallFile(`${path}-link`)).toBe('äb')
  expect(() => readSmallFile(path, { maxBytes: 2 })).toThrow('is too large (3 B > 2 B)')
})

test('readSmallFile returns undefined for a missing file', () => {
  const path = temporaryPath()
  expect(readSmallFile(path)).toBeUndefined()
  writeFileSync(path, '')
  expect(readSmallFile(join(path, 'below'))).toBeUndefined()
  expect(readSmallFile(path)).toBe('')
})

test('readSmallFile rejects a folder', () => {
  const path = temporaryPath()
  mkdirSync(path)
  expect(() => readSmallFile(path)).toThrow('is not a file')
})

test.skipIf(process.platform === 'win32')('readSmallFile rejects a pipe and a device immediately', () => {
  const path = temporaryPath()
  execFileSync('mkfifo', [path])
  symlinkSync('/dev/zero', `${path}-zero`)
  expect(() => readSmallFile(path)).toThrow('is not a file')
  expect(() => readSmallFile(`${path}-zero`)).toThrow('is not a file')
})

test('readSmallFile follows no link within an untrusted folder', () => {
  const path = temporaryPath()
  const within = dirname(path)
  writeFileSync(path, 'ours')
  symlinkSync('/etc/hostname', `${path}-link`)
  symlinkSync('/nowhere', `${path}-dangling`)
  mkdirSync(`${path}-folder`)
  expect(readSmallFile(path, { within })).toBe('ours')
  for (const name of ['link', 'dangling'])
    expect(() => readSmallFile(`${path}-${name}`, { within }), name).toThrow('is a symbolic link')
  expect(() => readSmallFile(`${path}-folder`, { within })).toThrow('is not a file')
  expect(readSmallFile(`${path}-none`, { within })).toBeUndefined()
})
