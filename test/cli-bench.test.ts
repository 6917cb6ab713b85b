import { chmodSync, mkdirSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import { ensureProgramIsBuilt, remindb, temporaryFolder } from './support/cli.ts'

beforeAll(ensureProgramIsBuilt)

const PROSE = 'A sentence about nothing in particular that is long enough to cost something to read. '.repeat(
  8,
)

/** A project beside an empty folder for temporary files. */
function project(files: Record<string, string>) {
  const folder = temporaryFolder(
    Object.fromEntries(Object.entries(files).map(([name, text]) => [`p/${name}`, text])),
  )
  const [temporary, config] = [join(folder.path, 'tmp'), join(folder.path, 'config')]
  mkdirSync(temporary)
  mkdirSync(config)
  const env = { TMPDIR: temporary, XDG_CONFIG_HOME: config }
  const run = (...args: string[]) => remindb(args, { cwd: folder.path, env })
  return {
    ...folder,
    run,
    left: () =>
      [...readdirSync(temporary), ...readdirSync(config)].filter((name) => name.startsWith('remindb')),
    [Symbol.dispose]: folder[Symbol.dispose],
  }
}

const FILES = {
  'a.md': `# Retry policy\n\n${PROSE}\n\n## Back off\n\n${PROSE}\n\nRetries wait for jitter.\n`,
  'b/c.md': `# Alerts at night\n\n${PROSE}\n\n## Who is called\n\n${PROSE}\n`,
  'd.json': '{"name":"x"}',
}

test('compares what an agent reads, and leaves nothing behind', () => {
  using at = project(FILES)
  const { code, stdout, stderr } = at.run(
    'bench',
    '--dir',
    'p',
    '--query',
    'retry jitter',
    '--query',
    'alerts',
  )
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  const rows = stdout.split('\n').map((line) => line.replace(/ {2,}/g, '|'))
  expect(rows[0]).toBe('3 files, 10 nodes; tokens an agent reads, of texts; searches and fetches within 1000')
  expect(rows[2]).toBe('|list+read+grep|remindb|saved')
  expect(rows.slice(3).map((row) => row.split('|')[0])).toEqual([
    'tree',
    'search: retry jitter',
    'search: alerts',
    'fetch',
    'delta',
    '',
    'orientation',
    'gathering',
    'session',
    '',
    'a session with --answers both, by the parts that a program passes on to its model:',
    'the text',
    'the data',
    'both',
    '',
  ])
  expect(at.left()).toEqual([])
  expect(readdirSync(join(at.path, 'p')).sort()).toEqual(['a.md', 'b', 'd.json'])
  expect(readFileSync(join(at.path, 'p/a.md'), 'utf8')).toBe(FILES['a.md'])
})

test('asks by itself, and says as JSON what it asked', () => {
  using at = project(FILES)
  const report = JSON.parse(at.run('bench', '--dir', 'p', '--budget', '200', '--json').stdout)
  expect(report).toMatchObject({ dir: 'p', files: 3, nodes: 10, budget: 200 })
  expect(report.queries).toEqual(['Back off', 'Alerts at night', 'Retry policy'])
  const names = report.scenarios.map(({ name }: { name: string }) => name)
  expect(names).toEqual([
    'tree',
    ...report.queries.map((query: string) => `search: ${query}`),
    'fetch',
    'delta',
  ])
  for (const { naive_tokens, remindb_tokens, saved_percent } of [
    ...report.scenarios,
    ...Object.values(report.totals),
  ])
    expect(saved_percent).toBeCloseTo(100 * (1 - remindb_tokens / naive_tokens), 1)
  const searches = report.scenarios.filter(({ name }: { name: string }) => name.startsWith('search'))
  for (const { remindb_tokens } of searches) expect(remindb_tokens).toBeLessThanOrEqual(400)
  expect(Object.keys(report.totals)).toEqual(['orientation', 'gathering', 'session'])
  const { text, data, both } = report.passed_on
  expect(text).toEqual(report.totals.session)
  expect(data.remindb_tokens).toBeGreaterThan(text.remindb_tokens)
  expect(both.remindb_tokens).toBe(text.remindb_tokens + data.remindb_tokens)
})

test('does without a delta where there is no Markdown', () => {
  using at = project({ 'd.json': '{"name":"x"}' })
  const report = JSON.parse(at.run('bench', '--dir', 'p', '--query', 'x', '--json').stdout)
  expect(report.scenarios.map(({ name }: { name: string }) => name)).toEqual(['tree', 'search: x', 'fetch'])
})

test.each([
  [[], 2, '--dir is required: the folder to read'],
  [['--dir', 'nowhere'], 2, '--dir must be a folder, got "nowhere"'],
  [['--dir', 'p', '--db', 'x.db'], 2, 'bench creates its own database; omit --db'],
  [['--dir', 'p', '--budget', '9'], 2, '--budget must be a whole number from 50, got "9"'],
  [['--dir', 'tmp'], 1, 'there is no file in this folder that can be compiled'],
])('refuses %j', (args, code, message) => {
  using at = project(FILES)
  const result = at.run('bench', ...args)
  expect(result.code).toBe(code)
  expect(result.stderr).toContain(message)
  expect(at.left()).toEqual([])
})

/** Loaded before the program: presses Ctrl-C when the bench reads the project. */
const PRESS_WHEN_IT_READS = `data:text/javascript,${encodeURIComponent(`
  import fs from 'node:fs'
  import { syncBuiltinESMExports } from 'node:module'
  const { mkdtempSync } = fs
  fs.mkdtempSync = (...args) => {
    process.kill(process.pid, 'SIGINT')
    return mkdtempSync(...args)
  }
  syncBuiltinESMExports()
`)}`

test.skipIf(process.platform === 'win32')('Ctrl-C ends a bench in one line and leaves nothing', () => {
  using at = project(FILES)
  const env = { NODE_OPTIONS: `--import "${PRESS_WHEN_IT_READS}"` }
  const { code, stderr } = remindb(['bench', '--dir', 'p'], {
    cwd: at.path,
    env: { ...env, TMPDIR: join(at.path, 'tmp') },
  })
  expect({ code, stderr }).toEqual({
    code: 130,
    stderr: 'remindb: interrupted; nothing is left of the bench\n',
  })
  expect(at.left()).toEqual([])
})

test.skipIf(process.platform === 'win32')('a project that may not be written to can be measured', () => {
  using at = project({ 'a.md': FILES['a.md'] })
  chmodSync(join(at.path, 'p/a.md'), 0o444)
  const { code, stderr } = remindb(['bench', '--dir', 'p'], {
    cwd: at.path,
    env: { TMPDIR: join(at.path, 'tmp') },
    isUnprivileged: true,
  })
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  expect(at.left()).toEqual([])
})
