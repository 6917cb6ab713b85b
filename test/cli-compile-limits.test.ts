import { spawn, spawnSync } from 'node:child_process'
import { chmodSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { openMemory } from '../src/index.ts'
import {
  cleanEnvironment,
  type Ended,
  ensureProgramIsBuilt,
  PROGRAM,
  remindb,
  temporaryFolder,
} from './support/cli.ts'
import { compiledFolder } from './support/cli-folders.ts'

beforeAll(ensureProgramIsBuilt)

describe('a compile that fails', () => {
  test('leaves no memory behind that was not there before', () => {
    using folder = temporaryFolder({ 'a.md': '# A\n', 'b.pdf': 'x' })
    const run = (...args: string[]) => remindb(args, { cwd: folder.path }).code
    expect(run('compile', '.', '--timeout', '1us')).toBe(1)
    expect(run('compile', 'b.pdf')).toBe(1)
    expect(readdirSync(folder.path).sort()).toEqual(['a.md', 'b.pdf'])
    expect(run('compile', '.')).toBe(0)
    expect(run('compile', 'b.pdf')).toBe(1)
    expect(run('inspect')).toBe(0)
  })

  test.runIf(process.platform !== 'win32')(
    'because too few files may be open has stored nothing',
    { timeout: 60_000 },
    async () => {
      using folder = temporaryFolder({ 'a.md': 'A.\n' })
      const compile = (files: number): number | null => {
        const line = ['-c', `ulimit -n ${files} && exec "$0" "$@"`, process.execPath, PROGRAM, 'compile', '.']
        const run = spawnSync('sh', line, { cwd: folder.path, env: cleanEnvironment({}), encoding: 'utf8' })
        expect(run.stderr).not.toContain('unexpected')
        return run.status
      }
      expect(compile(256)).toBe(0)
      folder.write('b.md', 'B.\n')
      for (let files = 22, isDone = false; !isDone; files++) {
        isDone = compile(files) === 0
        await using memory = await openMemory({ db: folder.path })
        expect(await memory.snapshots(), `with ${files} files`).toHaveLength(isDone ? 2 : 1)
      }
    },
  )
})

describe('compile', () => {
  test('leaves out files that are larger than --max-file-size', () => {
    using folder = compiledFolder()
    folder.write('large.md', 'x'.repeat(3000))
    const run = folder.run('compile', '.', '--max-file-size', '1.5KB')
    expect(run.stdout).toBe(
      'compiled: 0 added, 0 modified, 0 removed (0 ops)\nskipped: 1 file that could not be read\n',
    )
    expect(run.stderr).toBe('large.md: is larger than compile.max_file_size (2.9 KB > 1.5 KB)\n')
  })

  test('gives up at --timeout, with a code for programs', () => {
    using folder = temporaryFolder()
    for (let at = 0; at < 300; at++) folder.write(`f${at}.md`, `# File ${at}\n\n${'Text.\n\n'.repeat(50)}`)
    const run = (...args: string[]) => remindb(['compile', '.', ...args], { cwd: folder.path })
    const late = run('--timeout', '1ms')
    expect(late).toMatchObject({ code: 1, stdout: '' })
    expect(late.stderr).toBe(
      'remindb: failed to compile: wall-clock timeout exceeded after 1ms; raise compile.wall_clock_timeout or compile less\n',
    )
    expect(JSON.parse(run('--timeout', '1ms', '--json').stdout).error.code).toBe('TIMEOUT')
    expect(run('--timeout', '10m').stdout).toMatch(/^compiled: [1-9]\d+ added/)
  })

  test.each([
    [['--timeout', '30'], /--timeout must be a duration such as "30s" or "1h30m", got "30"/],
    [['--max-file-size', 'big'], /--max-file-size must be a size such as "10MB"/],
  ])('does not take %j', (args, message) => {
    using folder = temporaryFolder({ 'a.md': 'A.\n' })
    const { code, stderr } = remindb(['compile', '.', ...args], { cwd: folder.path })
    expect(code).toBe(2)
    expect(stderr).toMatch(message)
  })

  test('parses much in threads', () => {
    using folder = temporaryFolder()
    for (let at = 0; at < 50; at++) folder.write(`f${at}.md`, `${`Words of ${at}. `.repeat(10_000)}\n`)
    const args = ['compile', '.', '--max-node-tokens', '1000000']
    const env = { REMINDB_COMPILE_MAX_PARALLELISM: '2' }
    const { code, stdout, stderr } = remindb(args, { cwd: folder.path, env })
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    expect(stdout).toMatch(/^compiled: 50 added, 0 modified, 0 removed \(50 ops\)\n/)
  })

  test('reports what cannot be read, and takes nothing away for it', () => {
    using folder = temporaryFolder({ 'a.md': 'A.\n', 'sub/b.md': 'B.\n', 'c.md': 'C.\n' })
    const run = () => remindb(['compile', '.'], { cwd: folder.path, isUnprivileged: true })
    expect(run().stdout).toContain('3 added')
    folder.write('c.md', 'C, changed.\n')
    for (const path of ['a.md', 'sub']) chmodSync(join(folder.path, path), 0)
    const result = run()
    expect(result.stdout).toBe(
      'compiled: 0 added, 1 modified, 0 removed (1 op)\nskipped: 2 files that could not be read\n',
    )
    expect(result.stderr).toBe('a.md: cannot be read (EACCES)\nsub: cannot be read (EACCES)\n')
    chmodSync(join(folder.path, 'a.md'), 0o600)
    chmodSync(join(folder.path, 'sub'), 0o700)
    expect(run()).toMatchObject({ stdout: expect.stringContaining('(0 ops)'), stderr: '' })
  })

  test('has nothing to complain of when nothing changed in a memory that cannot be written', () => {
    using folder = temporaryFolder({ 'a.md': 'A.\n', 'bad.yaml': 'a: [\n' })
    const run = () => remindb(['compile', '.'], { cwd: folder.path, isUnprivileged: true })
    expect(run().stderr).toContain('bad.yaml')
    // What is known of the failed file could be forgotten now.
    rmSync(join(folder.path, 'bad.yaml'))
    chmodSync(join(folder.path, '.remindb', 'memory.db'), 0o400)
    chmodSync(join(folder.path, '.remindb'), 0o500)
    expect(run()).toEqual({ code: 0, stdout: expect.stringContaining('(0 ops)'), stderr: '' })
    folder.write('a.md', 'A, changed.\n')
    expect(run().code).toBe(1)
    chmodSync(join(folder.path, '.remindb'), 0o700)
  })

  test('says why an ignored file that was named is left out', () => {
    using folder = compiledFolder()
    folder.write('.remindb/ignore', 'team/   # private\n')
    const named = folder.run('compile', 'team/ops.md')
    expect(named.stdout).toBe(
      'compiled: 0 added, 0 modified, 2 removed (2 ops)\nskipped: 1 file that could not be read\n',
    )
    expect(named.stderr).toBe('team/ops.md: is ignored by .remindb/ignore, line 1\n')
    folder.write('.remindb/ignore', 'ok\na//b\n')
    expect(folder.run('compile', '.')).toEqual({
      code: 1,
      stdout: '',
      stderr: 'remindb: .remindb/ignore line 2: the pattern "a//b" has two slashes in a row; write one\n',
    })
  })
})

/** Loaded before the program: presses Ctrl-C when the compile looks into the folder. */
const PRESS_WHEN_IT_LOOKS = `data:text/javascript,${encodeURIComponent(`
  import fs from 'node:fs'
  import { syncBuiltinESMExports } from 'node:module'
  const { readdirSync } = fs
  fs.readdirSync = (...args) => {
    process.kill(process.pid, 'SIGINT')
    return readdirSync(...args)
  }
  syncBuiltinESMExports()
`)}`

test.skipIf(process.platform === 'win32')(
  'Ctrl-C ends a compile in one line and leaves nothing',
  async () => {
    using folder = compiledFolder()
    folder.write('new.md', '# New\n')
    const args = ['--import', PRESS_WHEN_IT_LOOKS, PROGRAM, 'compile', '.']
    const child = spawn(process.execPath, args, { cwd: folder.path })
    onTestFinished(() => void child.kill('SIGKILL'))
    expect(await endOf(child)).toEqual({
      code: 130,
      stdout: '',
      stderr: 'remindb: interrupted; nothing was stored\n',
    })
    await using memory = await openMemory({ db: folder.db, create: false })
    expect(await memory.snapshots()).toHaveLength(1)
    expect(folder.run('compile', '.').stdout).toContain('1 added')
  },
)

function endOf(child: ReturnType<typeof spawn>): Promise<Ended> {
  let stdout = ''
  let stderr = ''
  child.stdout?.on('data', (chunk) => {
    stdout += chunk
  })
  child.stderr?.on('data', (chunk) => {
    stderr += chunk
  })
  return new Promise((resolve) => child.on('close', (code) => resolve({ code, stdout, stderr })))
}
