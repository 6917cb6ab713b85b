import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { collectWarnings } from '../../../test/support/logs.ts'
import type { RescanMeta } from '../../mcp/model/observer.ts'
import { createRescanLog } from './rescan-log.ts'

const META: RescanMeta = {
  run_at: 1_737_200_000,
  error: '',
  added: 2,
  modified: 1,
  removed: 0,
  purged_files: [{ path: 'notes/old.md', nodes: 4 }],
}
const LINE = `${JSON.stringify(META)}\n`

function start(settings = { enabled: true, maxFileBytes: 1024 }) {
  const stateFolder = mkdtempSync(join(tmpdir(), 'remindb-rescan-'))
  onTestFinished(() => rmSync(stateFolder, { recursive: true }))
  const log = collectWarnings()
  const file = join(stateFolder, 'rescan.jsonl')
  return {
    stateFolder,
    file,
    warnings: log.warnings,
    ...createRescanLog({ stateFolder, settings: () => settings, log }),
  }
}

test('appends a line for each scan, for the owner only', () => {
  const { append, file } = start()
  const { purged_files, ...others } = META
  append({ purged_files, ...others })
  append(META)
  expect(readFileSync(file, 'utf8')).toBe(LINE + LINE)
  expect(statSync(file).mode & 0o777).toBe(0o600)
})

test('has a list of purged files, also when there is none', () => {
  const { append, file } = start()
  append({ ...META, purged_files: undefined as never })
  append({ ...META, purged_files: [] })
  const empty = `${JSON.stringify({ ...META, purged_files: [] })}\n`
  expect(readFileSync(file, 'utf8')).toBe(empty + empty)
})

test('writes nothing unless it is wanted, which may change', () => {
  const settings = { enabled: false, maxFileBytes: 1024 }
  const { append, file } = start(settings)
  append(META)
  expect(existsSync(file)).toBe(false)
  settings.enabled = true
  append(META)
  expect(readFileSync(file, 'utf8')).toBe(LINE)
})

test('starts over when the file is full', () => {
  const { append, file } = start({ enabled: true, maxFileBytes: LINE.length })
  append({ ...META, added: 1 })
  append(META)
  expect(readFileSync(file, 'utf8')).toBe(LINE)
  expect(readFileSync(`${file}.1`, 'utf8')).toContain('"added":1')
})

test('a file that cannot be written is one warning', () => {
  const { append, file, stateFolder, warnings } = start()
  rmSync(stateFolder, { recursive: true })
  writeFileSync(stateFolder, 'not a folder')
  append(META)
  append(META)
  expect(warnings).toEqual([['rescan log cannot be written', { err: expect.any(Error) }]])
  expect(existsSync(file)).toBe(false)
})
