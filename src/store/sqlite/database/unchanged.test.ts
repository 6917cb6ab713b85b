import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Sqlite from 'better-sqlite3'
import { expect, onTestFinished, test } from 'vitest'
import { whileUnchanged } from './unchanged.ts'

function openBoth() {
  const folder = mkdtempSync(join(tmpdir(), 'remindb-unchanged-'))
  const writer = new Sqlite(join(folder, 'a.db'))
  writer.pragma('journal_mode = WAL')
  writer.exec('CREATE TABLE t (n); INSERT INTO t VALUES (1)')
  const reader = new Sqlite(join(folder, 'a.db'), { readonly: true })
  onTestFinished(() => {
    reader.close()
    writer.close()
    rmSync(folder, { recursive: true })
  })
  return { writer, reader }
}

test('asks again only after a write, or for something else', () => {
  const { writer, reader } = openBoth()
  let asked = 0
  const sum = whileUnchanged({ db: reader }, (factor: number) => {
    asked++
    return reader.prepare('SELECT sum(n) * ? FROM t').pluck().get(factor)
  })
  const read = (factor: number) =>
    reader.transaction(() => {
      reader.prepare('SELECT 1 FROM t').get()
      return sum(factor)
    })()
  expect([read(1), read(1), asked]).toEqual([1, 1, 1])
  expect([read(2), asked]).toEqual([2, 2])
  writer.exec('INSERT INTO t VALUES (5)')
  expect([read(2), read(2), asked]).toEqual([12, 12, 3])
})

test('a handle that writes is asked every time', () => {
  const { writer } = openBoth()
  const sum = whileUnchanged({ db: writer }, () => writer.prepare('SELECT sum(n) FROM t').pluck().get())
  expect(sum(null)).toBe(1)
  writer.exec('INSERT INTO t VALUES (5)')
  expect(sum(null)).toBe(6)
})
