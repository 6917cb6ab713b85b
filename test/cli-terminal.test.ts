import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { openMemory } from '../src/index.ts'
import {
  ensureProgramIsBuilt,
  PROGRAM,
  remindb,
  remindbIntoClosedPipe,
  remindbOnTerminal,
  temporaryFolder,
} from './support/cli.ts'

const OPS = '# Ops\n\nTalk to Ada.\n'
const ESCAPE = '\x1b['
const CLEAR_LINE = '\r\x1b[2K'
const BAR = '━'

beforeAll(ensureProgramIsBuilt)

function compiled(files: Record<string, string>) {
  const folder = temporaryFolder(files)
  expect(remindb(['compile', '.'], { cwd: folder.path }).code).toBe(0)
  return folder
}

describe('colours', () => {
  test('are for terminals, unless NO_COLOR or FORCE_COLOR say otherwise', () => {
    using folder = compiled({ 'ops.md': OPS })
    const cwd = folder.path
    const isColoured = (env: Record<string, string>) => ({
      terminal: remindbOnTerminal(['inspect', '--tree'], { cwd, env }).includes(ESCAPE),
      pipe: remindb(['inspect', '--tree'], { cwd, env }).stdout.includes(ESCAPE),
    })
    expect(isColoured({})).toEqual({ terminal: true, pipe: false })
    expect(isColoured({ NO_COLOR: '1' })).toEqual({ terminal: false, pipe: false })
    expect(isColoured({ NO_COLOR: '', FORCE_COLOR: '' })).toEqual({ terminal: true, pipe: false })
    expect(isColoured({ FORCE_COLOR: '1' })).toEqual({ terminal: true, pipe: true })
    expect(isColoured({ NO_COLOR: '1', FORCE_COLOR: '1' })).toEqual({ terminal: true, pipe: true })
    expect(isColoured({ FORCE_COLOR: '0' })).toEqual({ terminal: false, pipe: false })
    expect(isColoured({ TERM: 'dumb' })).toEqual({ terminal: false, pipe: false })
  })

  test('never change the words, and are never in JSON', () => {
    using folder = compiled({ 'ops.md': OPS })
    const env = { FORCE_COLOR: '1' }
    const lines = [
      'inspect',
      'inspect --tree',
      'tree',
      'inspect --files',
      'delta',
      'diff 0 1',
      'doctor',
      'config',
    ]
    for (const line of lines) {
      const plain = remindb(line.split(' '), { cwd: folder.path }).stdout
      const painted = remindb(line.split(' '), { cwd: folder.path, env }).stdout
      expect(painted).toContain(ESCAPE)
      // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is looked for
      expect(withoutAge(painted.replaceAll(/\x1b\[[\d;]*m/g, ''))).toBe(withoutAge(plain))
    }
    for (const line of ['inspect --json', 'inspect --tree --json', 'delta --json', 'config --json'])
      expect(remindb(line.split(' '), { cwd: folder.path, env }).stdout).not.toContain(ESCAPE)
  })

  test('go from blue to red with heat', async () => {
    using folder = compiled({ 'ops.md': OPS })
    await using memory = await openMemory({ db: folder.path })
    const [root] = (await memory.forest()).roots
    await memory.pin({ id: root?.id ?? '', temperature: 1 })
    await memory.pin({ id: root?.children[0]?.id ?? '', temperature: 0 })
    const { stdout } = remindb(['inspect', '--tree'], { cwd: folder.path, env: { FORCE_COLOR: '1' } })
    expect(stdout).toContain('\x1b[38;5;196mtemp=1.00')
    expect(stdout).toContain('\x1b[38;5;33mtemp=0.00')
  })

  function withoutAge(text: string): string {
    return text.replace(/, \d+s ago/, '')
  }
})

describe('hostile content', () => {
  const NAME = 'a\x1b[31mb\u202e.md'
  const TEXT = 'before \x1b]0;owned\x07 \x1b[2J \u009b31m \u202egnp.exe\r after\n\tkept'
  const RULING = /[\p{Cc}\u202e]/u
  const LINES = [
    'inspect',
    'inspect --tree',
    'tree',
    'tree --json',
    'inspect --files',
    'inspect --tree --json',
    'inspect --files --json',
    'delta',
    'delta --json',
    'diff 0 1',
    'diff 0 2 --json',
    'doctor',
  ]

  test('cannot rule the terminal', async () => {
    using folder = compiled({ [NAME]: `# Title \x1b[31mred\x1b[0m \u202eevil\n\n${TEXT}\n` })
    await using memory = await openMemory({ db: folder.path })
    const { id } = await memory.write({ payload: `\x1b[5m${TEXT}` })
    remindb(['compile', '.', '-m', 'msg \x1b[2J'], { cwd: folder.path })
    const ofNode = ['history', 'fetch'].flatMap((name) => [`${name} ${id}`, `${name} ${id} --json`])
    for (const line of [...LINES, ...ofNode]) {
      const { code, stdout, stderr } = remindb(line.split(' '), { cwd: folder.path })
      expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
      expect(stdout.replaceAll(/[\n\t]/g, ''), line).not.toMatch(RULING)
    }
    const { stdout } = remindb(['diff', '0', '2'], { cwd: folder.path })
    expect(stdout).toContain('\\x1b]0;owned\\x07')
    expect(stdout).toContain('\\u{202e}gnp.exe')
  })

  test('is whole in JSON', async () => {
    using folder = compiled({ 'a.md': OPS })
    await using memory = await openMemory({ db: folder.path })
    const { id } = await memory.write({ payload: `${TEXT} \u2028 \u007f` })
    const [version] = (await memory.history({ id })).items
    const { versions } = JSON.parse(remindb(['history', id, '--json'], { cwd: folder.path }).stdout)
    expect(versions[0].new.text).toBe(version?.new?.text)
    expect(versions[0].new.text).toContain('\u009b31m \u202egnp.exe')
  })

  test('cannot rule the terminal through what was typed or skipped', () => {
    using folder = temporaryFolder({ [NAME]: '---\na: [\x1b[31m\n---\n' })
    const lines = [
      ['compile', '.'],
      ['compile', 'x\x1b[2J'],
      ['inspect', '--db', '\x1b[2J'],
      ['in\x1b[2Jct'],
      ['inspect', '--f\x1b[2J'],
      ['rollback', '\u202e1'],
    ]
    for (const line of lines) {
      const { stdout, stderr } = remindb(line, { cwd: folder.path })
      expect(stderr).not.toBe('')
      expect((stdout + stderr).replaceAll('\n', ''), line.join(' ')).not.toMatch(RULING)
    }
  })
})

describe('long output', () => {
  test('ends quietly when nobody reads on', async () => {
    const section = '## Section\n\nSome text that goes on for a while, so that pipes fill.\n\n'
    using folder = compiled({ 'a.md': `# A\n\n${section.repeat(2000)}` })
    for (const line of ['inspect --tree', 'inspect --tree --json', 'delta --limit 100000']) {
      const { code, stdout, stderr } = await remindbIntoClosedPipe(line.split(' '), { cwd: folder.path })
      expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
      expect(stdout.length).toBeGreaterThan(0)
    }
  })

  test('does not decide the exit code when nobody reads it', () => {
    using folder = temporaryFolder({ 'bad.yaml': 'a: [1\n' })
    const [node, program] = [process.execPath, PROGRAM].map((path) => `'${path}'`)
    const line = `{ sleep 0.05; ${node} ${program} compile . --strict; echo $? > code; } | true`
    spawnSync('sh', ['-c', line], { cwd: folder.path })
    expect(readFileSync(join(folder.path, 'code'), 'utf8')).toBe('1\n')
  })

  test('is complete, and JSON of it is what JSON.stringify gives', async () => {
    using folder = compiled({ 'a.md': '# A\n\ntext\n\n'.repeat(5000) })
    await using memory = await openMemory({ db: folder.path })
    const { stdout } = remindb(['inspect', '--tree', '--json'], { cwd: folder.path })
    expect(stdout).toBe(`${JSON.stringify(await memory.forest(), null, 2)}\n`)
    expect(remindb(['inspect', '--tree'], { cwd: folder.path }).stdout.match(/\n/g)).toHaveLength(10_000)
  })
})

describe('progress', () => {
  /** More than any machine compiles in the 300 ms before a bar is shown. */
  const many = (): Record<string, string> =>
    Object.fromEntries(
      Array.from({ length: 4000 }, (_, at) => [`f${at}.md`, '# A\n\ntext\n\n## B\n\n- x\n- y\n']),
    )

  test('is shown on a terminal while work takes long, and taken away again', () => {
    using folder = temporaryFolder(many())
    const shown = remindbOnTerminal(['compile', '.'], { cwd: folder.path, env: { NO_COLOR: '1' } })
    const [before, ...frames] = shown.split(CLEAR_LINE)
    expect(before).toBe('')
    expect(frames.pop()).toMatch(/^compiled: 16000 added, 0 modified, 0 removed \(16000 ops\)\r?\n/)
    expect(frames.length).toBeGreaterThan(0)
    for (const frame of frames) expect(frame).toMatch(/^(reading|writing) ━*─* +\d+\/4000$/)
  })

  test('is not shown in pipes', () => {
    using big = temporaryFolder(many())
    const { stdout, stderr } = remindb(['compile', '.'], { cwd: big.path })
    expect(stdout).toMatch(/^compiled: 16000 added, 0 modified, 0 removed \(16000 ops\)\n/)
    expect(stdout).not.toContain(BAR)
    expect(stderr).toBe('')
  })
})
