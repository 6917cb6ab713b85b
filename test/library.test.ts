import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { beforeAll, expect, test } from 'vitest'
import * as library from '../src/index.ts'
import { ensureProgramIsBuilt } from './support/cli.ts'

const LIBRARY = fileURLToPath(new URL('../dist/index.js', import.meta.url))

beforeAll(ensureProgramIsBuilt)

test('an error of the built library that nobody catches is short and has its name', () => {
  const script = `import { openMemory } from ${JSON.stringify(LIBRARY)}; await openMemory({ db: '' })`
  const { status, stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', script], {
    encoding: 'utf8',
  })
  expect(status).toBe(1)
  expect(stderr).toMatch(/^MemoryError: openMemory needs { db }/m)
  expect(stderr.length).toBeLessThan(2000)
})

test('docs/reference/library.md lists every exported name, as scripts/library-names.mjs writes it', () => {
  const page = readFileSync(new URL('../docs/reference/library.md', import.meta.url), 'utf8')
  const script = fileURLToPath(new URL('../scripts/library-names.mjs', import.meta.url))
  const { stdout: table } = spawnSync(process.execPath, [script], { encoding: 'utf8' })
  expect(page, 'run node scripts/library-names.mjs --write').toContain(`\n\n${table}\n`)
  const values = [...table.matchAll(/^\| `(\w+)` +\| (?!type)/gm)].map(([, name]) => name)
  expect(values).toEqual(Object.keys(library).sort())
})
