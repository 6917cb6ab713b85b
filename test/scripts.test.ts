import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, existsSync, mkdirSync, realpathSync, rmSync, symlinkSync } from 'node:fs'
import { delimiter, dirname, join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { ended, folderWith, NODE, pretend, ROOT, read, write } from './support/scripts.ts'

describe('bin/remindb', () => {
  const REPORT =
    'console.log(JSON.stringify({ major: parseInt(process.versions.node), args: process.argv.slice(2) }))'

  /** A copy of bin/remindb with a program of ours as the bundle. */
  function installation({ program = REPORT, nodeVersion = '' } = {}) {
    const root = folderWith({ 'package.json': '{"type":"module"}', 'dist/remindb.cjs': program })
    cpSync(join(ROOT, 'bin'), join(root, 'bin'), { recursive: true })
    if (nodeVersion !== '') {
      write(join(root, 'node_modules/node/package.json'), JSON.stringify({ version: nodeVersion }))
      mkdirSync(join(root, 'node_modules/node/bin'))
      symlinkSync(NODE, join(root, 'node_modules/node/bin/node'))
    }
    return join(root, 'bin', 'remindb')
  }

  const OLD = pretend('20.20.2')
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
    const result = run([], installation({ program: "require('no-such-package')" }))
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
    const program = `const { writeFileSync } = require('node:fs'); ${handler}; setInterval(() => {}, 1000); console.log(process.pid)`
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
