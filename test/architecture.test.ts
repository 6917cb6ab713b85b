import { describe, expect, test } from 'vitest'
import {
  CHECKS,
  checkCore,
  checkCycles,
  checkDirection,
  checkEnvironment,
  checkLength,
  checkRoomCycles,
  checkRoomHeaders,
  checkRoomSize,
  checkSqlite,
  checkTestFlags,
  isProgram,
  MOVE,
  readRepository,
  type Sources,
} from './support/architecture.ts'

describe('this repository', () => {
  const sources = readRepository()

  test('has sources to check', () => {
    expect([...sources.keys()].filter(isProgram).length).toBeGreaterThan(3)
  })

  test.each(Object.entries(CHECKS))('%s', (_name, check) => {
    expect(check(sources)).toEqual([])
  })
})

describe('the checker', () => {
  const check = (rule: (sources: Sources) => string[], files: Record<string, string>) =>
    rule(new Map(Object.entries(files)))
  const direction = (path: string, text: string) => check(checkDirection, { [path]: text })

  test.each([
    ['core/a.ts', "import { x } from '../util/x.ts'"],
    ['core/a.ts', "import { b } from './b.ts'\nexport { c } from './deep/c.ts'"],
    ['store/sqlite/a.ts', "import type { Store } from '../../core/store.ts'"],
    [
      'store/sqlite/a.ts',
      "import { migrate } from './migrations/index.ts'\nimport { same } from '../same.ts'",
    ],
    [
      'runtime/a.ts',
      "import { open } from '../store/sqlite/open.ts'\nimport { serve } from '../mcp/serve.ts'",
    ],
    ['cli/main.ts', "import { open } from '../runtime/open.ts'\nimport { watch } from 'node:fs'"],
    ['index.ts', "export { open } from './runtime/open.ts'"],
    ['testing/kit.ts', "import { open } from '../runtime/open.ts'"],
    [
      'core/a.ts',
      "// import { cli } from '../cli/main.ts'\nexport const text = `import x from '../cli/x.ts'`",
    ],
  ])('lets src/%s have %j', (path, text) => {
    expect(direction(`src/${path}`, text)).toEqual([])
  })

  test.each([
    ['util/a.ts', "import { x } from '../core/x.ts'"],
    ['core/a.ts', "import type { Row } from '../store/sqlite/rows.ts'"],
    ['core/a.ts', "export { walk } from '../ingest/walk.ts'"],
    ['core/a.ts', "export * from '../runtime/open.ts'"],
    ['core/a.ts', "export const late = () => import('../runtime/open.ts')"],
    ['core/a.ts', 'export const late = () => import(`../runtime/open.ts`)'],
    ['core/a.ts', "export type Late = import('../runtime/open.ts').Memory"],
    ['core/a.ts', "new Worker(new URL('../store/sqlite/store-thread.ts', import.meta.url))"],
    ['core/a.ts', "const late = require('../runtime/open.ts')"],
    ['ingest/a.ts', "import { open } from '../store/sqlite/open.ts'"],
    ['mcp/a.ts', "import { app } from '../http/app.ts'"],
    ['store/sqlite/a.ts', "import { open } from '../postgres/open.ts'"],
    ['store/same.ts', "import { open } from './sqlite/open.ts'"],
    ['embed/a.ts', "import { config } from '../runtime/config.ts'"],
    ['runtime/a.ts', "import { main } from '../cli/main.ts'"],
    ['index.ts', "export { main } from './cli/main.ts'"],
    ['runtime/a.ts', "export { open } from '../index.ts'"],
    ['cli/a.ts', "import { open } from '../index.ts'"],
    ['core/a.ts', "import { kit } from '../testing/kit.ts'"],
    ['core/a.ts', "import { fake } from '../../test/fake.ts'"],
    ['shared/a.ts', 'export const a = 1'],
    ['loose.ts', 'export const a = 1'],
  ])('refuses that src/%s has %j', (path, text) => {
    expect(direction(`src/${path}`, text)).toEqual([expect.stringContaining(MOVE)])
  })

  test('leaves the imports of tests alone', () => {
    expect(direction('src/core/a.test.ts', "import { open } from '../runtime/open.ts'")).toEqual([])
  })

  test('keeps packages and node:* out of core', () => {
    expect(check(checkCore, { 'src/core/a.ts': "import { between } from 'fractional-indexing'" })).toEqual([])
    expect(check(checkCore, { 'src/core/a.ts': "import { hash } from 'node:crypto'" })).toHaveLength(1)
    expect(check(checkCore, { 'src/core/a.ts': "import type { Z } from 'zod'" })).toHaveLength(1)
  })

  test('keeps SQLite in its store', () => {
    const driver = "import Database from 'better-sqlite3'"
    const store = "import { open } from '../store/sqlite/open.ts'"
    expect(
      check(checkSqlite, { 'src/store/sqlite/database/open.ts': driver, 'src/runtime/open.ts': store }),
    ).toEqual([])
    expect(check(checkSqlite, { 'src/runtime/open.ts': driver })).toHaveLength(1)
    expect(
      check(checkSqlite, { 'src/ingest/cache.ts': "import { DatabaseSync } from 'node:sqlite'" }),
    ).toHaveLength(1)
    expect(check(checkSqlite, { 'src/cli/main.ts': store })).toHaveLength(1)
  })

  test('finds a room with more than 30 files, tests not counted', () => {
    const filesOf = (count: number, end = '.ts') =>
      Object.fromEntries(Array.from({ length: count }, (_, at) => [`src/core/f${at}${end}`, '']))
    expect(check(checkRoomSize, { ...filesOf(30), ...filesOf(9, '.test.ts') })).toEqual([])
    expect(check(checkRoomSize, filesOf(31))).toEqual([expect.stringContaining('src/core has 31 files')])
  })

  test('finds rooms that import each other, a room and its subfolder too', () => {
    const files = {
      'src/core/a.ts': "import './deep/b.ts'",
      'src/core/c.ts': '',
      'src/core/deep/b.ts': "import type { C } from '../c.ts'",
    }
    expect(check(checkCycles, files)).toEqual([])
    const [message] = check(checkRoomCycles, files)
    expect(message).toContain('src/core → src/core/deep → src/core')
  })

  test('wants a header that lists what a room imports', () => {
    const room = { 'src/core/a.ts': "import '../util/b.ts'", 'src/util/b.ts': '' }
    const headers = (core: string) => ({
      'src/core/README.md': core,
      'src/util/README.md': 'Helpers.\n\nImports nothing.\n',
    })
    expect(check(checkRoomHeaders, room)).toHaveLength(2)
    expect(check(checkRoomHeaders, { ...room, ...headers('Words.\n\nImports nothing.\n') })).toHaveLength(1)
    expect(check(checkRoomHeaders, { ...room, ...headers('Words.\n\nImports `util`.\n') })).toEqual([])
  })

  test('names the files of a cycle, also of one that only types close', () => {
    const cycle = {
      'src/core/a.ts': "import './b.ts'",
      'src/core/b.ts': "import './c.ts'",
      'src/core/c.ts': "import type { A } from './a.ts'",
    }
    const [message, ...others] = check(checkCycles, cycle)
    expect(message).toContain('src/core/a.ts → src/core/b.ts → src/core/c.ts → src/core/a.ts')
    expect(others).toEqual([])
    const diamond = { ...cycle, 'src/core/a.ts': "import './b.ts'\nimport './c.ts'", 'src/core/c.ts': '' }
    expect(check(checkCycles, diamond)).toEqual([])
    expect(check(checkCycles, { 'src/core/a.ts': "import './a.ts'" })).toHaveLength(1)
  })

  test.each([
    'process.env.HOME',
    "process['env']",
    'globalThis.process.env',
    'const { env } = process',
    "import { env } from 'node:process'",
  ])('finds the environment in %j', (text) => {
    expect(check(checkEnvironment, { 'src/cli/a.ts': text })).toHaveLength(1)
    expect(
      check(checkEnvironment, {
        'src/runtime/settings/config.ts': text,
        'src/runtime/settings/config-table.ts': text,
      }),
    ).toEqual([])
  })

  test('does not take other names for the environment', () => {
    expect(
      check(checkEnvironment, { 'src/cli/a.ts': "const help = 'process.env'; options.env; process.argv" }),
    ).toEqual([])
  })

  test('wants a reason for a long file', () => {
    const lines = (count: number) => 'x()\n'.repeat(count)
    expect(check(checkLength, { 'src/core/a.ts': lines(400) })).toEqual([])
    expect(check(checkLength, { 'src/core/a.ts': lines(401) })).toHaveLength(1)
    expect(check(checkLength, { 'src/core/a.ts': `/** What it does. */\n${lines(401)}` })).toHaveLength(1)
    expect(check(checkLength, { 'src/core/a.ts': `// Over 400 lines: one table.\n${lines(401)}` })).toEqual(
      [],
    )
  })

  test.each([
    ["test.skip('a', () => {})", 'skip'],
    ["describe.concurrent.only('a', () => {})", 'only'],
    ["it['todo']('a')", 'todo'],
    ["test.skip.each([1])('a', () => {})", 'skip'],
    ["test('a', { skip: true }, () => {})", 'skip'],
  ])('finds the flag in %j', (text, flag) => {
    expect(check(checkTestFlags, { 'test/a.test.ts': text })).toEqual([expect.stringContaining(`"${flag}"`)])
  })

  test('does not take other calls for flags', () => {
    const text = "list.skip(1); test.skipIf(false)('a', () => {}); test('only', () => f({ only: 1 }))"
    expect(check(checkTestFlags, { 'src/core/a.test.ts': text, 'src/core/a.ts': "test.only('a')" })).toEqual(
      [],
    )
  })
})
