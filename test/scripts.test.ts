import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { afterEach, describe, expect, test } from 'vitest'

const ROOT = dirname(dirname(fileURLToPath(import.meta.url)))
const NODE = process.execPath
const folders: string[] = []

afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true })
})

/** A throw-away folder with these files in it. */
function folderWith(files: Record<string, string>): string {
  const folder = mkdtempSync(join(tmpdir(), 'remindb-scripts-'))
  folders.push(folder)
  for (const [path, text] of Object.entries(files)) write(join(folder, path), text)
  return folder
}

function write(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, text)
}

function read(...path: string[]): string {
  return existsSync(join(...path)) ? readFileSync(join(...path), 'utf8') : ''
}

interface Ended {
  code: number | null
  stdout: string
  stderr: string
}

function ended(child: ChildProcess): Promise<Ended> {
  const result: Ended = { code: null, stdout: '', stderr: '' }
  child.stdout?.on('data', (chunk) => {
    result.stdout += chunk
  })
  child.stderr?.on('data', (chunk) => {
    result.stderr += chunk
  })
  return new Promise((resolve) => child.on('close', (code) => resolve({ ...result, code })))
}

describe('scripts/setup.mjs', () => {
  const lockfile = (version: string, more = {}) =>
    JSON.stringify({ packages: { '': {}, 'node_modules/a': { version, ...more } } })

  /** A checkout whose npm is a stand-in: it notes that it ran, and installs what the lockfile says. */
  function checkout({ npm = '' } = {}) {
    const root = folderWith({
      'package.json': '{}',
      'package-lock.json': lockfile('1.0.0'),
      'src/a.ts': 'export const a = 1',
      'scripts/build.mjs': FAKE_BUILD,
      'fake-bin/npm': `#!/bin/sh\necho "$1" >> calls\n${npm}\nmkdir -p node_modules/a && echo '{}' > node_modules/a/package.json\ncp package-lock.json node_modules/.package-lock.json\n`,
    })
    chmodSync(join(root, 'fake-bin', 'npm'), 0o755)
    return root
  }

  const FAKE_BUILD = `import { mkdirSync, appendFileSync, writeFileSync } from 'node:fs'
import { OUTPUTS, sourceHash, writeBuildStamp } from ${JSON.stringify(pathToFileURL(join(ROOT, 'scripts/setup.mjs')).href)}
export async function build({ root }) {
  const hash = sourceHash(root)
  appendFileSync(root + '/builds', 'built\\n')
  await new Promise((resolve) => setTimeout(resolve, 200))
  mkdirSync(root + '/dist/types', { recursive: true })
  for (const name of OUTPUTS) writeFileSync(root + '/dist/' + name, '')
  writeBuildStamp(root, hash)
}`

  function run(root: string, step: 'ensureInstalled' | 'ensureBuilt'): Promise<Ended> {
    const setup = pathToFileURL(join(ROOT, 'scripts', 'setup.mjs')).href
    const code = `import { ${step}, runScript } from '${setup}'; await runScript(() => ${step}({ root: process.argv[1] }))`
    const env = { ...process.env, PATH: `${join(root, 'fake-bin')}${delimiter}${process.env.PATH}` }
    return ended(spawn(NODE, ['--input-type=module', '-e', code, root], { env }))
  }

  const installs = (root: string) => read(root, 'calls').split('\n').filter(Boolean)
  const builds = (root: string) => read(root, 'builds').split('\n').filter(Boolean)

  test('installs once, and again only when the lockfile changes', async () => {
    const root = checkout()
    expect(await run(root, 'ensureInstalled')).toEqual({
      code: 0,
      stdout: '',
      stderr: 'installing dependencies…\n',
    })
    expect(await run(root, 'ensureInstalled')).toEqual({ code: 0, stdout: '', stderr: '' })
    expect(installs(root)).toEqual(['ci'])
    write(join(root, 'package-lock.json'), lockfile('2.0.0'))
    await run(root, 'ensureInstalled')
    expect(installs(root)).toEqual(['ci', 'ci'])
  })

  test('accepts what npm has already installed by hand', async () => {
    const root = checkout()
    spawnSync(join(root, 'fake-bin', 'npm'), ['by hand'], { cwd: root })
    expect(await run(root, 'ensureInstalled')).toEqual({ code: 0, stdout: '', stderr: '' })
    expect(installs(root)).toEqual(['by hand'])
  })

  test('redoes an interrupted install', async () => {
    const root = checkout({ npm: 'if [ ! -d node_modules ]; then mkdir -p node_modules/a; kill -9 $$; fi' })
    const first = await run(root, 'ensureInstalled')
    expect(first.code).toBe(1)
    expect(first.stderr).toContain('npm failed (SIGKILL)')
    expect((await run(root, 'ensureInstalled')).code).toBe(0)
    expect(installs(root)).toEqual(['ci', 'ci'])
  })

  test('says what to do when the registry cannot be reached, after what npm said', async () => {
    const root = checkout({ npm: 'echo "npm error code EAI_AGAIN"; exit 1' })
    const { code, stderr } = await run(root, 'ensureInstalled')
    expect(code).toBe(1)
    expect(stderr).toMatch(
      /code EAI_AGAIN\nnpm failed: the package registry cannot be reached; connect .* again\n$/,
    )
  })

  test('builds once, and again only when a source changes', async () => {
    const root = checkout()
    expect(await run(root, 'ensureBuilt')).toEqual({ code: 0, stdout: '', stderr: 'building…\n' })
    write(join(root, 'src/a.test.ts'), 'a test is not a source')
    expect(await run(root, 'ensureBuilt')).toEqual({ code: 0, stdout: '', stderr: '' })
    write(join(root, 'src/deep/b.ts'), 'export const b = 1')
    await run(root, 'ensureBuilt')
    rmSync(join(root, 'dist/index.js'))
    await run(root, 'ensureBuilt')
    expect(builds(root)).toHaveLength(3)
  })

  test('lets one of several do the work while the others wait', async () => {
    const root = checkout({ npm: 'sleep 0.2' })
    const step = async () => [await run(root, 'ensureInstalled'), await run(root, 'ensureBuilt')]
    const codes = (await Promise.all([step(), step(), step()])).flat().map((result) => result.code)
    expect(codes).toEqual([0, 0, 0, 0, 0, 0])
    expect(installs(root)).toEqual(['ci'])
    expect(builds(root)).toEqual(['built'])
    expect(existsSync(join(root, 'dist', '.lock'))).toBe(false)
  })

  test('takes over the lock of a process that has died', async () => {
    const root = checkout()
    write(join(root, 'dist/.lock/pid'), String(spawnSync(NODE, ['-e', '']).pid))
    expect((await run(root, 'ensureBuilt')).stderr).toBe('building…\n')
  })

  test('waits for the npm of a setup that was killed', async () => {
    const root = checkout({
      npm: 'for i in $(seq 1200); do [ -f go ] || sleep 0.05; done; echo done >> calls',
    })
    const killed = run(root, 'ensureInstalled')
    await expect.poll(() => installs(root)).toEqual(['ci'])
    await expect.poll(() => read(root, 'dist/.lock/pid')).toMatch(/^\d+ \d+$/)
    const [holder = 0] = read(root, 'dist/.lock/pid').split(' ').map(Number)
    process.kill(holder, 'SIGKILL')
    const next = run(root, 'ensureInstalled')
    setTimeout(() => write(join(root, 'go'), ''), 400)
    expect((await next).code).toBe(0)
    expect(installs(root)).toEqual(['ci', 'done'])
    await killed
  })
})

describe('bin/remindb', () => {
  const REPORT =
    'console.log(JSON.stringify({ major: parseInt(process.versions.node), args: process.argv.slice(2) }))'

  /** A copy of bin/remindb with a program of ours as the bundle. */
  function installation({ program = REPORT, nodeVersion = '' } = {}) {
    const root = folderWith({ 'package.json': '{"type":"module"}', 'dist/remindb.js': program })
    cpSync(join(ROOT, 'bin'), join(root, 'bin'), { recursive: true })
    if (nodeVersion !== '') {
      write(join(root, 'node_modules/node/package.json'), JSON.stringify({ version: nodeVersion }))
      mkdirSync(join(root, 'node_modules/node/bin'))
      symlinkSync(NODE, join(root, 'node_modules/node/bin/node'))
    }
    return join(root, 'bin', 'remindb')
  }

  /** This Node under an old one's version: the decision is made on the version alone. */
  const OLD = [
    '--import',
    "data:text/javascript,Object.defineProperty(process,'versions',{value:{...process.versions,node:'20.20.2'}})",
  ]
  const env = { ...process.env, REMINDB_REEXEC: '' }
  const run = (nodeArgs: string[], script: string, args: string[] = [], more = {}) =>
    spawnSync(NODE, [...nodeArgs, script, ...args], { encoding: 'utf8', env: { ...env, ...more } })

  test('runs the bundle on a new Node and keeps its exit code', () => {
    const result = run([], installation({ program: `${REPORT}; process.exitCode = 7` }), ['a b', '--c'])
    expect(JSON.parse(result.stdout)).toMatchObject({ args: ['a b', '--c'] })
    expect(result.status).toBe(7)
  })

  test('runs on the Node of the project when started on an old one', () => {
    const program = `${REPORT}; console.log(process.env.REMINDB_REEXEC); process.exitCode = 7`
    const result = run(OLD, installation({ program, nodeVersion: '24.0.0' }), ['a b', '--c'])
    const [report = '', guard] = result.stdout.split('\n')
    expect(JSON.parse(report)).toEqual({
      major: Number.parseInt(process.versions.node, 10),
      args: ['a b', '--c'],
    })
    expect(guard).toBe('undefined')
    expect(result.status).toBe(7)
  })

  test.each([
    ['without a newer one', {}, {}],
    ['with another old one', { nodeVersion: '20.1.0' }, {}],
    ['after a first attempt', { nodeVersion: '24.0.0' }, { REMINDB_REEXEC: '1' }],
  ])('says on an old Node %s what it needs', (_case, options, more) => {
    const result = run(OLD, installation(options), [], more)
    expect(result.stderr).toBe(
      'remindb needs Node >= 22 and this is 20.20.2; in a checkout run npm ci, which brings one, elsewhere install a newer Node\n',
    )
    expect(result.status).toBe(1)
  })

  test('says that it is not built', () => {
    const script = installation()
    rmSync(join(dirname(script), '../dist'), { recursive: true })
    const result = run([], script)
    expect(result.stderr).toBe('remindb is not built; run npm ci && npm run build\n')
    expect(result.status).toBe(1)
  })

  test('says which package is missing', () => {
    const result = run([], installation({ program: "import 'no-such-package'" }))
    expect(result.stderr).toBe('remindb is missing the package no-such-package; run npm ci\n')
    expect(result.status).toBe(1)
  })

  test.each([
    ['SIGTERM', "process.on('SIGTERM', () => process.exit(9))", 9],
    ['SIGINT', "process.on('SIGINT', () => process.exit(8))", 8],
    ['SIGTERM', '', 143],
  ] as const)(
    'passes %s on to the program, which has %j, and ends with %i',
    async (signal, handler, code) => {
      const program = `${handler}; setInterval(() => {}, 1000); console.log('ready')`
      const child = spawn(NODE, [...OLD, installation({ program, nodeVersion: '24.0.0' })], { env })
      child.stdout.once('data', () => child.kill(signal))
      expect(await ended(child)).toMatchObject({ code, stdout: 'ready\n', stderr: '' })
    },
  )

  test.each([
    [
      'as by SIGTERM',
      "process.on('SIGTERM', () => { writeFileSync('ended', 'well'); process.exit() })",
      'well',
    ],
    ['also without a handler', '', ''],
  ])('ends the program, %s, when it is killed itself', async (_case, handler, said) => {
    const program = `import { writeFileSync } from 'node:fs'; ${handler}; setInterval(() => {}, 1000); console.log(process.pid)`
    const script = installation({ program, nodeVersion: '24.0.0' })
    const child = spawn(NODE, [...OLD, script], { env, cwd: dirname(script) })
    const [pid] = (await once(child.stdout, 'data')).map(Number)
    child.kill('SIGKILL')
    const isAlive = () => spawnSync('kill', ['-0', String(pid)]).status === 0
    await expect.poll(isAlive).toBe(false)
    expect(read(dirname(script), 'ended')).toBe(said)
  })

  test('prints the version of the package, on this Node and on the others on the PATH', () => {
    const { version } = JSON.parse(read(ROOT, 'package.json'))
    const found = (process.env.PATH ?? '').split(delimiter).map((folder) => join(folder, 'node'))
    const others = found.filter(existsSync).map((node) => realpathSync(node))
    const canLoad = (node: string) => Number.parseInt(nodeVersionOf(node), 10) >= 20
    for (const node of [NODE, ...[...new Set(others)].filter(canLoad)]) {
      const result = spawnSync(node, [join(ROOT, 'bin', 'remindb'), '--version'], { encoding: 'utf8', env })
      expect(result).toMatchObject({ stdout: `remindb ${version}\n`, stderr: '', status: 0 })
    }
  })

  function nodeVersionOf(node: string): string {
    return spawnSync(node, ['-p', 'process.versions.node'], { encoding: 'utf8' }).stdout
  }
})
