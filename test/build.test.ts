import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const DIST = join(import.meta.dirname, '..', 'dist')
const SOURCES = join(import.meta.dirname, '..', 'src')
/** Texts that are in one place only. */
const SERVE = 'rescan interval requires --source'
const OTHER_COMMANDS = 'Repair what can be repaired, after a backup'
const SDK = 'io.modelcontextprotocol/protocolVersion'
const ENGINE = 'better-sqlite3'
const UNUSED_SCHEMA = 'registration_endpoint'

test('serve has all that it needs for its first answer in three files, none of them with the engine', () => {
  const files = loadedWith(SERVE)
  expect(files.length).toBeLessThanOrEqual(3)
  expect(filesWith(SDK, files)).toHaveLength(1)
  expect(filesWith(ENGINE, files)).toEqual([])
})

test('schemas of the SDK that nobody uses are left out, and nobody uses the list of them', () => {
  expect(filesWith(UNUSED_SCHEMA, loadedWith(SERVE))).toEqual([])
  const sources = readdirSync(SOURCES, { recursive: true, encoding: 'utf8' }).filter((file) =>
    file.endsWith('.ts'),
  )
  const users = sources.filter((file) =>
    /isSpecType|specTypeSchemas/.test(readFileSync(join(SOURCES, file), 'utf8')),
  )
  expect(users).toEqual([])
})

test('no other command loads what only serve needs', () => {
  expect(filesWith(SDK, loadedWith(OTHER_COMMANDS))).toEqual([])
})

/** The files that are there when the command with this text runs. */
function loadedWith(text: string): string[] {
  const chunks = readdirSync(DIST).filter((file) => file.startsWith('chunk-'))
  const parts = filesWith(text, chunks)
  expect(parts).toHaveLength(1)
  return [...new Set(['remindb.js', ...parts].flatMap((file) => withImports(file)))]
}

function withImports(file: string, found: string[] = []): string[] {
  if (found.includes(file)) return found
  found.push(file)
  for (const [, next = ''] of read(file).matchAll(/(?:from|import) ?["'`]\.\/(chunk-[^"'`]+)["'`]/g))
    withImports(next, found)
  return found
}

function filesWith(text: string, files: string[]): string[] {
  return files.filter((file) => read(file).includes(text))
}

function read(file: string): string {
  return readFileSync(join(DIST, file), 'utf8')
}
