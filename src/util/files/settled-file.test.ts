import { mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { createSettledFile } from './settled-file.ts'

const HOUR = 3_600_000

/** `later`: how far the reader's clock is ahead of the files. */
function settledFile(later: number) {
  const folder = mkdtempSync(join(tmpdir(), 'remindb-settled-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const path = join(folder, 'file')
  let reads = 0
  const read = (): string => {
    reads++
    return readFileSync(path, 'utf8')
  }
  const text = createSettledFile({ path, read, absent: 'absent', now: () => Date.now() + later })
  return { path, folder, text, reads: () => reads }
}

test('a file that was not modified recently is read once', () => {
  const { path, text, reads } = settledFile(HOUR)
  writeFileSync(path, 'a')
  for (let times = 0; times < 10; times++) expect(text()).toBe('a')
  expect(reads()).toBe(1)
})

test('edits of the same length in quick succession are all seen', () => {
  const { path, text } = settledFile(0)
  for (let edit = 0; edit < 500; edit++) {
    const said = String(edit).padStart(5)
    writeFileSync(path, said)
    expect(text()).toBe(said)
  }
})

test('a file that was just edited is read each time', () => {
  const { path, text, reads } = settledFile(0)
  writeFileSync(path, 'a')
  text()
  text()
  expect(reads()).toBe(2)
})

test('an edit that restores the old time is seen, and so is a replaced file', () => {
  const { path, folder, text } = settledFile(HOUR)
  writeFileSync(path, 'a')
  utimesSync(path, 1000, 1000)
  expect(text()).toBe('a')
  writeFileSync(join(folder, 'other'), 'b')
  utimesSync(join(folder, 'other'), 1000, 1000)
  renameSync(join(folder, 'other'), path)
  expect(text()).toBe('b')
})

test('a missing file is absent, and an unreadable one fails each time', () => {
  const { path, text, reads } = settledFile(HOUR)
  expect(text()).toBe('absent')
  writeFileSync(path, 'a')
  expect(text()).toBe('a')
  rmSync(path)
  expect(text()).toBe('absent')
  mkdirSync(path)
  expect(text).toThrow('EISDIR')
  expect(text).toThrow('EISDIR')
  rmSync(path, { recursive: true })
  writeFileSync(path, 'b')
  expect(text()).toBe('b')
  expect(reads()).toBe(4)
})
