import {
  appendFileSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import { startWriter } from '../../../test/support/jsonl-children.ts'
import { compactJsonl } from './jsonl-compact.ts'
import { appendJsonl, type JsonlLine, readJsonl } from './jsonl-file.ts'

function temporaryFile(): string {
  const folder = mkdtempSync(join(tmpdir(), 'remindb-compact-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  return join(folder, 'a.jsonl')
}

const last = (lines: JsonlLine[]): JsonlLine[] => lines.slice(-1)

test('compactJsonl keeps the chosen lines byte for byte, readable by the owner only', () => {
  const file = temporaryFile()
  writeFileSync(file, '{"a":1}\n{torn\n{ "a": 2, "new": true }\n')
  expect(compactJsonl(file, last)).toBe(true)
  expect(readFileSync(file, 'utf8')).toBe('{ "a": 2, "new": true }\n')
  expect(statSync(file).mode & 0o777).toBe(0o600)
  expect(readdirSync(join(file, '..'))).toEqual(['a.jsonl'])
})

test('compactJsonl leaves the file alone if it would not become shorter', () => {
  const file = temporaryFile()
  writeFileSync(file, '{"a":1}\n{"a":2}\n')
  const { ino } = statSync(file)
  expect(compactJsonl(file, (lines) => lines.reverse())).toBe(false)
  expect(statSync(file).ino).toBe(ino)
})

test('compactJsonl keeps lines that are appended meanwhile', async () => {
  const file = temporaryFile()
  writeFileSync(file, '{"a":1}\n{"a":2}\n{"half":')
  compactJsonl(file, (lines) => {
    appendFileSync(file, 'true}\n{"a":3}\n')
    return last(lines)
  })
  expect(await readJsonl(file)).toEqual([{ a: 2 }, { half: true }, { a: 3 }])
})

test('compactJsonl does not restore a file that was moved away meanwhile', async () => {
  const file = temporaryFile()
  writeFileSync(file, '{"a":1}\n{"a":2}\n')
  const isDone = compactJsonl(file, (lines) => {
    renameSync(file, `${file}.moved`)
    appendJsonl(file, { a: 3 })
    return last(lines)
  })
  expect(isDone).toBe(false)
  expect(await readJsonl(file)).toEqual([{ a: 3 }])
})

test('compactJsonl leaves a file alone that another process compacts', () => {
  const file = temporaryFile()
  writeFileSync(file, '{"a":1}\n{"a":2}\n')
  compactJsonl(file, (lines) => {
    expect(compactJsonl(file, last)).toBe(false)
    return last(lines)
  })
  expect(readFileSync(file, 'utf8')).toBe('{"a":2}\n')
})

test('compactJsonl loses no line of processes that keep appending', async () => {
  const file = temporaryFile()
  const stop = `${file}.stop`
  const names = ['a', 'b']
  const writers = names.map((name) => startWriter({ file, name, count: 3000, ledgerUntil: stop }))
  for (const writer of writers) await writer.ready()
  appendJsonl(file, { first: true })
  for (const writer of writers) writer.go()
  for (let compactions = 0; compactions < 20; ) {
    // A line to drop, so that compaction happens.
    appendFileSync(file, '{torn\n')
    if (compactJsonl(file, (lines) => lines)) compactions++
    await setImmediate()
  }
  writeFileSync(stop, '')
  const counts = await Promise.all(writers.map((writer) => writer.ended()))
  const ids = new Set((await readJsonl(file)).map((value) => (value as { session_id?: string }).session_id))
  const expected = names.flatMap((name, index) =>
    Array.from({ length: counts[index] ?? 0 }, (_, at) => `${name}-${at}`),
  )
  expect(expected.length).toBeGreaterThan(0)
  expect(expected.filter((id) => !ids.has(id))).toEqual([])
})
