import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { createSpool } from './spool.ts'

let folder: string
let file: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'remindb-spool-'))
  file = join(folder, 'a.spool')
})
afterEach(() => rmSync(folder, { recursive: true }))

test.each([
  ['in memory', 1_000_000],
  ['partly in a file', 100],
  ['all in a file', 0],
])('a spool returns its items in order: %s', (_, maxBytes) => {
  const spool = createSpool<{ n: number; text: string; deep: string[][] }>(file, maxBytes)
  const items = Array.from({ length: 50 }, (_, n) => ({
    n,
    text: 'ü🦊\0'.repeat(n),
    deep: [[String(n)], []],
  }))
  for (const item of items) spool.push(item, item.text.length)
  expect([...spool.drain()]).toEqual(items)
  spool.close()
})

test('an empty spool drains nothing', () => {
  const spool = createSpool(file, 10)
  expect([...spool.drain()]).toEqual([])
  spool.close()
})

test('a spool does not use the disk while everything fits', () => {
  const spool = createSpool(file, 10)
  spool.push('x', 10)
  expect(existsSync(file)).toBe(false)
  spool.close()
})

test('a spool leaves no file behind, drained or not, closed once or twice', () => {
  const spool = createSpool(file, 0)
  spool.push('x', 1)
  spool.push('y', 1)
  spool.close()
  spool.close()
  expect(readdirSync(folder)).toEqual([])
})

test('a spool never writes into an existing file', () => {
  writeFileSync(file, 'theirs')
  const spool = createSpool(file, 0)
  expect(() => spool.push('x', 1)).toThrow('EEXIST')
  spool.close()
  expect(existsSync(file)).toBe(true)
})
