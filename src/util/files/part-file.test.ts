import { readdirSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { temporaryFolder } from '../../../test/support/store-files.ts'
import { partName, removeLeftParts } from './part-file.ts'

/** Of no process: numbers end far below. */
const DEAD = 2 ** 30
const DAY_S = 24 * 60 * 60

test.each<[string, { pid: number; ageS: number; kind: string }, boolean]>([
  ['of a process that died', { pid: DEAD, ageS: 0, kind: 'staging' }, true],
  ['of this process', { pid: process.pid, ageS: 0, kind: 'staging' }, false],
  ['of one before with the same number', { pid: process.pid, ageS: DAY_S / 2, kind: 'staging' }, true],
  ['of another process that runs', { pid: process.ppid, ageS: DAY_S / 2, kind: 'staging' }, false],
  ['too old for any', { pid: process.ppid, ageS: 2 * DAY_S, kind: 'staging' }, true],
  ['of another kind', { pid: DEAD, ageS: 0, kind: 'backup' }, false],
])('a part %s', (_, { pid, ageS, kind }, isLeft) => {
  const folder = temporaryFolder()
  const names = ['', '-wal', '-shm', '-journal'].map((end) => `.memory.db.${pid}.abc-1.${kind}-part${end}`)
  for (const name of names) {
    writeFileSync(join(folder, name), '')
    const changedAt = Date.now() / 1000 - ageS
    utimesSync(join(folder, name), changedAt, changedAt)
  }
  removeLeftParts(folder, readdirSync(folder), 'staging')
  expect(readdirSync(folder).sort()).toEqual(isLeft ? [] : names.sort())
})

test('removes nothing but parts', () => {
  const folder = temporaryFolder()
  const names = ['memory.db', `memory.db.${DEAD}.x.staging-part`, `.memory.db.x.y.staging-part`, 'notes.md']
  for (const name of names) writeFileSync(join(folder, name), '')
  removeLeftParts(folder, readdirSync(folder), 'staging')
  expect(readdirSync(folder).sort()).toEqual(names.sort())
})

test('a part is named after its file, and like no other', () => {
  const [one = '', other] = [1, 2].map(() => partName('/somewhere/memory.db', 'staging'))
  expect(one).toMatch(/^\/somewhere\/\.memory\.db\.\d+\.[-\da-f]+\.staging-part$/)
  expect(one).not.toBe(other)
})
