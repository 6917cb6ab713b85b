import { spawn, spawnSync } from 'node:child_process'
import { chmodSync, existsSync, rmSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { describe, expect, test } from 'vitest'
import { type Ended, ended, folderWith, NODE, pretend, ROOT, read, write } from './support/scripts.ts'

describe('scripts/setup.mjs', () => {
  /** A package of the program, and a tool of a workspace; a line each. */
  const lockfile = (version: string) => `{ "packages": {
    "node_modules/checks": { "resolved": "tools/checks", "link": true },
    "node_modules/tool": { "version": "${version}" },
    "tools/checks": { "version": "0.0.0" },
    "": {}, "node_modules/a": { "version": "${version}" }
  } }`

  /** A stand-in for npm: it notes how it was called, and installs what the lockfile says. */
  const fakeNpm = (npm: string) => `#!/bin/sh
echo "$1" >> calls
echo "$*" >> arguments
${npm}
install() { mkdir -p node_modules/$1 && echo '{}' > node_modules/$1/package.json; }
install a
case "$*" in
  *--workspace=tools/node*) mkdir -p node_modules/node/bin && touch node_modules/node/bin/node ;;
  *--workspaces=false*) ;;
  *) install tool; install checks; cp package-lock.json node_modules/.package-lock.json; exit ;;
esac
grep -v tool package-lock.json > node_modules/.package-lock.json
`

  /** A checkout whose npm is a stand-in. */
  function checkout({ npm = '' } = {}) {
    const root = folderWith({
      'package.json': '{}',
      'package-lock.json': lockfile('1.0.0'),
      'src/a.ts': 'export const a = 1',
      'scripts/build.mjs': FAKE_BUILD,
      'fake-bin/npm': fakeNpm(npm),
    })
    chmodSync(join(root, 'fake-bin', 'npm'), 0o755)
    return root
  }

  const FAKE_BUILD = `import { mkdirSync, appendFileSync, writeFileSync } from 'node:fs'
import { OUTPUTS, sourceHash, writeBuildStamp } from ${JSON.stringify(pathToFileURL(join(ROOT, 'scripts/setup.mjs')).href)}
export async function build({ root, isForStart }) {
  const hash = sourceHash(root)
  appendFileSync(root + '/builds', isForStart ? 'built for a start\\n' : 'built\\n')
  await new Promise((resolve) => setTimeout(resolve, 200))
  mkdirSync(root + '/dist/types', { recursive: true })
  const isWanted = (name) => !isForStart || !/index/.test(name)
  for (const name of OUTPUTS.filter(isWanted)) writeFileSync(root + '/dist/' + name, '')
  writeBuildStamp(root, hash)
}`

  type Step = 'ensureInstalled' | 'ensureBuilt' | 'ensureStartable'
  function run(root: string, step: Step, { nodeVersion = process.versions.node } = {}): Promise<Ended> {
    const setup = pathToFileURL(join(ROOT, 'scripts', 'setup.mjs')).href
    const code = `import { ${step}, runScript } from '${setup}'; await runScript(() => ${step}({ root: process.argv[1] }))`
    const env = { ...process.env, PATH: `${join(root, 'fake-bin')}${delimiter}${process.env.PATH}` }
    return ended(spawn(NODE, [...pretend(nodeVersion), '--input-type=module', '-e', code, root], { env }))
  }

  const installs = (root: string) => read(root, 'calls').split('\n').filter(Boolean)
  const lastInstall = (root: string) => read(root, 'arguments').trimEnd().split('\n').at(-1)
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

  test('installs for a start what the program is made of, and the rest beside it when it is needed', async () => {
    const root = checkout()
    const said = 'installing dependencies…\nbuilding…\n'
    expect(await run(root, 'ensureStartable')).toEqual({ code: 0, stdout: '', stderr: said })
    expect(lastInstall(root)).toMatch(/^ci .*--workspaces=false$/)
    expect(await run(root, 'ensureStartable')).toEqual({ code: 0, stdout: '', stderr: '' })
    await run(root, 'ensureInstalled')
    expect(lastInstall(root)).toMatch(/^install --no-save (?!.*--workspace)/)
    expect(await run(root, 'ensureStartable')).toEqual({ code: 0, stdout: '', stderr: '' })
    expect(await run(root, 'ensureInstalled')).toEqual({ code: 0, stdout: '', stderr: '' })
    expect(installs(root)).toEqual(['ci', 'install'])
  })

  test('installs everything for a start where everything was', async () => {
    const root = checkout()
    await run(root, 'ensureInstalled')
    write(join(root, 'package-lock.json'), lockfile('2.0.0'))
    await run(root, 'ensureStartable')
    expect(lastInstall(root)).toMatch(/^ci (?!.*--workspace)/)
    expect((await run(root, 'ensureInstalled')).stderr).toBe('')
  })

  test('starts over if installing the rest was interrupted', async () => {
    const root = checkout({ npm: '[ "$1" != install ] || kill -9 $$' })
    await run(root, 'ensureStartable')
    expect((await run(root, 'ensureInstalled')).stderr).toContain('npm failed (SIGKILL)')
    expect((await run(root, 'ensureInstalled')).code).toBe(0)
    expect(installs(root)).toEqual(['ci', 'install', 'ci'])
  })

  test('brings a Node to a start on one that is too old, also when a new one was used before', async () => {
    const root = checkout()
    await run(root, 'ensureStartable')
    expect((await run(root, 'ensureStartable', { nodeVersion: '20.20.2' })).code).toBe(0)
    expect(lastInstall(root)).toMatch(/^ci .*--workspace=tools\/node --include-workspace-root$/)
    expect((await run(root, 'ensureStartable', { nodeVersion: '20.20.2' })).stderr).toBe('')
    expect((await run(root, 'ensureStartable')).stderr).toBe('')
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

  test('builds for a start what it needs, and everything when that is asked for', async () => {
    const root = checkout()
    await run(root, 'ensureStartable')
    await run(root, 'ensureStartable')
    await run(root, 'ensureBuilt')
    await run(root, 'ensureStartable')
    expect(builds(root)).toEqual(['built for a start', 'built'])
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
