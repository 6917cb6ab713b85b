import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, existsSync, lstatSync, mkdirSync, readdirSync, readFileSync, symlinkSync } from 'node:fs'
import * as path from 'node:path'
import { join } from 'node:path'
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { userFolders } from '../src/runtime/settings/user-folders.ts'
import { cleanEnvironment, ensureProgramIsBuilt, PROGRAM, temporaryFolder } from './support/cli.ts'
import { noteFolder } from './support/mcp.ts'
import { soon } from './support/soon.ts'

beforeAll(ensureProgramIsBuilt)

/** A folder that stands for a home, removed with the test. */
function home(): string {
  const folder = temporaryFolder()
  onTestFinished(() => folder[Symbol.dispose]())
  return folder.path
}

function version(env: Record<string, string>): void {
  const run = spawnSync(process.execPath, [PROGRAM, '--version'], {
    env: cleanEnvironment(env),
    encoding: 'utf8',
  })
  expect(run).toMatchObject({ status: 0, stderr: '', stdout: expect.stringMatching(/^remindb \d/) })
}

const modeOf = (path: string): number => lstatSync(path).mode & 0o777

describe.skipIf(process.platform === 'win32')('the compile cache', () => {
  test('is in the cache folder of the user, for its owner alone, whatever the umask', () => {
    const cache = join(home(), 'not there yet')
    const before = process.umask(0)
    try {
      version({ XDG_CACHE_HOME: cache })
    } finally {
      process.umask(before)
    }
    expect(modeOf(cache)).toBe(0o700)
    expect(modeOf(join(cache, 'remindb'))).toBe(0o700)
    expect(readdirSync(join(cache, 'remindb'))).not.toEqual([])
  })

  test('leaves nothing in the temporary folder that everybody shares', () => {
    const shared = home()
    version({ XDG_CACHE_HOME: home(), TMPDIR: shared })
    expect(readdirSync(shared)).toEqual([])
  })

  test('is not used when others may write to it', () => {
    const cache = home()
    mkdirSync(join(cache, 'remindb'))
    chmodSync(join(cache, 'remindb'), 0o770)
    version({ XDG_CACHE_HOME: cache })
    expect(readdirSync(join(cache, 'remindb'))).toEqual([])
  })

  test('is not used when others may replace it', () => {
    const cache = home()
    chmodSync(cache, 0o777)
    version({ XDG_CACHE_HOME: cache })
    expect(existsSync(join(cache, 'remindb'))).toBe(false)
  })

  test('is not used through a symbolic link', () => {
    const [cache, elsewhere] = [home(), home()]
    symlinkSync(elsewhere, join(cache, 'remindb'))
    version({ XDG_CACHE_HOME: cache })
    expect(readdirSync(elsewhere)).toEqual([])
  })

  test.skipIf(process.getuid?.() !== 0)('is not used when somebody else owns it', () => {
    const cache = home()
    mkdirSync(join(cache, 'remindb'), { mode: 0o700 })
    expect(spawnSync('chown', ['12345', join(cache, 'remindb')]).status).toBe(0)
    version({ XDG_CACHE_HOME: cache })
    expect(readdirSync(join(cache, 'remindb'))).toEqual([])
  })

  test('is where NODE_COMPILE_CACHE names it, and nowhere with NODE_DISABLE_COMPILE_CACHE', () => {
    const [cache, own] = [home(), home()]
    version({ XDG_CACHE_HOME: cache, NODE_COMPILE_CACHE: own })
    expect(readdirSync(own)).not.toEqual([])
    version({ XDG_CACHE_HOME: cache, NODE_DISABLE_COMPILE_CACHE: '1' })
    expect(readdirSync(cache)).toEqual([])
  })

  // The launcher cannot import the rules: it has to start on old Nodes, and fast.
  test.each([
    ['linux', {}],
    ['linux', { XDG_CACHE_HOME: '/x/cache' }],
    ['linux', { XDG_CACHE_HOME: 'relative' }],
    ['darwin', {}],
    ['darwin', { XDG_CACHE_HOME: '/x/cache' }],
    ['win32', {}],
    ['win32', { LOCALAPPDATA: '/x/local' }],
    ['win32', { LOCALAPPDATA: 'relative' }],
    ['win32', { LOCALAPPDATA: '/x/local', XDG_CACHE_HOME: '/x/cache' }],
  ] as const)('on %s with %j is the cache folder of `userFolders`', (platform, env) => {
    const source = /function cacheFolder\([\s\S]*?\n}\n/.exec(readFileSync(PROGRAM, 'utf8'))?.[0]
    const cacheFolder = new Function(`return ${source}`)()
    const { cache } = userFolders({ env, platform, home: '/home/ada' })
    expect(cacheFolder({ platform, env, home: '/home/ada', path })).toBe(cache)
  })
})

describe('started on an old Node', () => {
  const OLD_NODE = '/usr/bin/node'
  const isOld = (): boolean => {
    const run = spawnSync(OLD_NODE, ['-p', 'parseInt(process.versions.node)'], { encoding: 'utf8' })
    return run.status === 0 && Number(run.stdout) < 22
  }
  /** This Node under an old one's version, where there is no old one: the decision is made on the version alone. */
  const PRETEND =
    "data:text/javascript,Object.defineProperty(process,'versions',{value:{...process.versions,node:'20.20.2'}})"
  const launcher: [string, string[]] = isOld() ? [OLD_NODE, []] : [process.execPath, ['--import', PRETEND]]

  test('a server ends, and says so in its log, when its launcher is killed', async () => {
    const cwd = noteFolder({ 'a.md': '# Deploys\n' })
    const [node, flags] = launcher
    const serve = ['serve', '--source', '.', '--transport', 'http', '--listen', '127.0.0.1:0']
    const env = cleanEnvironment({ REMINDB_SERVER_LOGGING_OUTPUT_PATH: 'serve.log' })
    const child = spawn(node, [...flags, PROGRAM, ...serve], {
      cwd,
      env,
      stdio: ['ignore', 'pipe', 'ignore'],
    })
    onTestFinished(() => void child.kill('SIGKILL'))
    const program = await soonChildOf(child.pid ?? 0)
    onTestFinished(() => end(program))
    let said = ''
    child.stdout.on('data', (piece) => {
      said += piece
    })
    await soon(() => said).toContain('Press Ctrl-C to stop.')
    const url = said.match(/ at (http:\S+)\/mcp\n/)?.[1] ?? ''
    expect(await (await fetch(`${url}/healthz`)).text()).toBe('ok')
    child.kill('SIGKILL')
    await once(child, 'exit')
    await soon(() =>
      fetch(`${url}/healthz`).then(
        () => 'serving',
        () => 'gone',
      ),
    ).toBe('gone')
    await soon(() => readFileSync(join(cwd, '.remindb/serve.log'), 'utf8')).toContain('serve: ended')
  })
})

/** The process that another one has started. */
async function soonChildOf(parent: number): Promise<number> {
  const children = (): string =>
    spawnSync('ps', ['-o', 'pid=', '--ppid', String(parent)], { encoding: 'utf8' }).stdout.trim()
  await soon(children).toMatch(/^\d+$/)
  return Number(children())
}

/** For a test that fails: nobody else would end it. */
function end(pid: number): void {
  if (isAlive(pid)) process.kill(pid, 'SIGKILL')
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}
