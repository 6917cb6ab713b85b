import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'

import { unprivileged } from './unprivileged.ts'

const ROOT = dirname(dirname(dirname(fileURLToPath(import.meta.url))))
export const PROGRAM = join(ROOT, 'bin', 'remindb')

export interface Ended {
  code: number | null
  stdout: string
  stderr: string
}

export interface RunOptions {
  cwd: string
  env?: Record<string, string>
  /** Without root's rights: root may write to read-only places. */
  isUnprivileged?: boolean
  /** What is piped in. */
  input?: string | Uint8Array
}

let isBuilt = false

/** Builds `dist/` unless it is up to date, so that the program under test is the sources under test. Once in a process. */
export function ensureProgramIsBuilt(): void {
  if (isBuilt) return
  const setup = join(ROOT, 'scripts', 'setup.mjs')
  const script = `import { ensureBuilt } from ${JSON.stringify(pathToFileURL(setup).href)}; await ensureBuilt()`
  const run = spawnSync(process.execPath, ['--input-type=module', '-e', script, setup], { encoding: 'utf8' })
  if (run.status !== 0) throw new Error(`the build failed: ${run.stderr}`)
  isBuilt = true
}

/** Runs `bin/remindb` with pipes for its output. */
export function remindb(args: string[], { cwd, env = {}, isUnprivileged = false, input }: RunOptions): Ended {
  const words = [PROGRAM, ...args]
  const line = isUnprivileged ? unprivileged(process.execPath, words) : ([process.execPath, words] as const)
  const run = spawnSync(...line, {
    cwd,
    env: cleanEnvironment(env),
    encoding: 'utf8',
    ...(input === undefined ? {} : { input }),
    maxBuffer: 256 * 1024 * 1024,
  })
  if (run.error) throw run.error
  return { code: run.status, stdout: run.stdout, stderr: run.stderr }
}

/** As `remindb`, on a terminal of its own: what it would show a person, both streams together. */
export function remindbOnTerminal(args: string[], { cwd, env = {}, input }: RunOptions): string {
  const command = [process.execPath, PROGRAM, ...args].map((word) => `'${word}'`).join(' ')
  const script =
    process.platform === 'darwin' ? ['-q', '/dev/null', 'sh', '-c', command] : ['-qec', command, '/dev/null']
  const run = spawnSync('script', script, {
    cwd,
    env: cleanEnvironment({ TERM: 'xterm-256color', ...env }),
    encoding: 'utf8',
    stdio: [input === undefined ? 'ignore' : 'pipe', 'pipe', 'inherit'],
    ...(input === undefined ? {} : { input }),
  })
  if (run.error) throw run.error
  return run.stdout
}

/** Reads the first bytes of stdout and closes it, as `head` does. */
export function remindbIntoClosedPipe(args: string[], { cwd, env = {} }: RunOptions): Promise<Ended> {
  const child = spawn(process.execPath, [PROGRAM, ...args], { cwd, env: cleanEnvironment(env) })
  let stdout = ''
  let stderr = ''
  child.stdout.once('data', (chunk) => {
    stdout = String(chunk)
    child.stdout.destroy()
  })
  child.stderr.on('data', (chunk) => {
    stderr += chunk
  })
  return new Promise((resolve, reject) => {
    child.on('error', reject)
    child.on('close', (code) => resolve({ code, stdout, stderr }))
  })
}

/** Runs it, and kills it as soon as `isTime`, unless it has ended by then. */
export async function killedWhen(
  args: string[],
  { cwd, env = {} }: RunOptions,
  isTime: () => boolean,
): Promise<void> {
  const child = spawn(process.execPath, [PROGRAM, ...args], { cwd, env: cleanEnvironment(env) })
  const ended = once(child, 'exit')
  while (child.exitCode === null && !isTime()) await new Promise((resolve) => setImmediate(resolve))
  child.kill('SIGKILL')
  await ended
}

/** Nothing of the machine the tests run on decides what the program does; `HOME` and `XDG_*` are those of own-home.ts. */
export function cleanEnvironment(more: Record<string, string>): NodeJS.ProcessEnv {
  const { PATH, HOME, XDG_CONFIG_HOME, XDG_CACHE_HOME } = process.env
  return { PATH, HOME, XDG_CONFIG_HOME, XDG_CACHE_HOME, TZ: 'UTC', ...more }
}

export type TemporaryFolder = ReturnType<typeof temporaryFolder>

/** A folder with files in it, for one test. */
export function temporaryFolder(files: Record<string, string> = {}, path = newFolder()) {
  const write = (name: string, text: string): void => {
    mkdirSync(dirname(join(path, name)), { recursive: true })
    writeFileSync(join(path, name), text)
  }
  for (const [name, text] of Object.entries(files)) write(name, text)
  return { path, write, [Symbol.dispose]: () => rmSync(path, { recursive: true, force: true }) }
}

const newFolder = (): string => realpathSync(mkdtempSync(join(tmpdir(), 'remindb-cli-')))
