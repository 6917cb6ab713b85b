import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { readSmallFile } from './small-file.ts'

function temporaryPath(): string {
  const folder = mkdtempSync(join(tmpdir(), 'remindb-small-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  return join(folder, 'file')
}

test('reads a file up to the limit, also through a link', () => {
  const path = temporaryPath()
  writeFileSync(path, 'äb')
  symlinkSync(path, `${path}-link`)
  expect(readSmallFile(path, 3)).toBe('äb')
  expect(readSmallFile(`${path}-link`)).toBe('äb')
  expect(() => readSmallFile(path, 2)).toThrow('is too large (3 B > 2 B)')
})

test('what is not there is undefined', () => {
  const path = temporaryPath()
  expect(readSmallFile(path)).toBeUndefined()
  writeFileSync(path, '')
  expect(readSmallFile(join(path, 'below'))).toBeUndefined()
  expect(readSmallFile(path)).toBe('')
})

test('a folder is refused', () => {
  const path = temporaryPath()
  mkdirSync(path)
  expect(() => readSmallFile(path)).toThrow('is not a file')
})

test.skipIf(process.platform === 'win32')('a pipe and a device are refused at once', () => {
  const path = temporaryPath()
  execFileSync('mkfifo', [path])
  symlinkSync('/dev/zero', `${path}-zero`)
  expect(() => readSmallFile(path)).toThrow('is not a file')
  expect(() => readSmallFile(`${path}-zero`)).toThrow('is not a file')
})
