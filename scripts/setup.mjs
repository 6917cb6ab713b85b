// What every script needs before it can run: the dependencies and the bundle. Node 20, no dependencies.
import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { appendFileSync, existsSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { constants } from 'node:os'
import { delimiter, dirname, join, sep } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { withLock } from './lock.mjs'
import { readIfThere, SetupError, say } from './report.mjs'

export const ROOT = dirname(dirname(fileURLToPath(import.meta.url)))
const IS_WINDOWS = process.platform === 'win32'
const MIN_NODE_MAJOR = 22
const OFFLINE =
  /ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ETIMEDOUT|ENETUNREACH|ERR_SOCKET_TIMEOUT|ENOTCACHED/
const INSTALL_INPUTS = [
  'package.json',
  'package-lock.json',
  'tools/checks/package.json',
  'tools/node/package.json',
]
const BUILD_INPUTS = [
  ...INSTALL_INPUTS,
  'scripts/build.mjs',
  'scripts/bundle.mjs',
  'tsconfig.json',
  'tsconfig.build.json',
]
/** How much of the lockfile is installed: all of it, or what the program is made of, which the workspaces (`tools/`) are no part of. */
const ALL = 'all'
const PROGRAM = 'program'
const WITHOUT_TOOLS = ['--workspaces=false']
const WITH_NODE = ['--workspace=tools/node', '--include-workspace-root']
const PROGRAM_OUTPUTS = [
  ...['remindb.cjs', 'store-thread.js', 'parse-thread.js', 'prepare-thread.js'],
  'THIRD-PARTY-LICENSES.txt',
]
/** What `scripts/build.mjs` leaves in `dist/`. */
export const OUTPUTS = [...PROGRAM_OUTPUTS, 'index.js', 'types/index.d.ts']

/** What `npm start` needs: a checkout is served long before all that checks it would be there. */
export async function ensureStartable({ root = ROOT } = {}) {
  await ensureInstalled({ root, isForStart: true })
  await ensureBuilt({ root, isForStart: true })
}

/**
 * Installs from the lockfile unless `node_modules` is already what `package-lock.json` asks for. To start the program, what it is
 * made of is enough, and a Node where the running one is too old.
 */
export async function ensureInstalled({ root = ROOT, isForStart = false } = {}) {
  if (isInstalled(root, isForStart)) return
  await withLock(root, async (lock) => {
    if (isInstalled(root, isForStart)) return
    // Who has everything keeps it when the lockfile changes.
    const hasTools = readStamp(root).startsWith(ALL) || existsSync(join(root, 'node_modules', 'vitest'))
    const part = isForStart && !hasTools ? PROGRAM : ALL
    const isThere = matchesLockfile(root)
    if (!isThere) await install(root, { part, lock })
    projectNode(root)
    writeFileSync(installStamp(root), stampOf(root, isThere ? ALL : part))
  })
}

/** Runs `scripts/build.mjs` unless `dist/` was built from exactly these sources. To start the program, neither library nor types are built. */
export async function ensureBuilt({ root = ROOT, isForStart = false } = {}) {
  const outputs = isForStart ? PROGRAM_OUTPUTS : OUTPUTS
  if (isBuilt(root, outputs)) return
  await withLock(root, async () => {
    if (isBuilt(root, outputs)) return
    say('building…')
    const { build } = await import(pathToFileURL(join(root, 'scripts', 'build.mjs')).href)
    await build({ root, isForStart })
  })
}

/** The Node the project installed, else the running one; throws when neither is new enough. */
export function projectNode(root = ROOT) {
  const installed = findInstalledNode(root)
  if (installed) return installed
  if (isNewEnough()) return process.execPath
  throw new SetupError(
    `npm did not install the project's own Node (are install scripts switched off?); use Node >= ${MIN_NODE_MAJOR}, or run npm ci --ignore-scripts=false`,
  )
}

/** The environment of child processes: the project's tools come first on PATH. */
export function toolEnv(root = ROOT) {
  return withPath((entries) => [join(root, 'node_modules', '.bin'), ...entries])
}

/** Fingerprint of everything `dist/` is made from. Tests are not part of it. */
export function sourceHash(root = ROOT) {
  const sources = readdirSync(join(root, 'src'), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !entry.name.endsWith('.test.ts'))
    .map((entry) => join(entry.parentPath ?? entry.path, entry.name).slice(root.length + 1))
    .map((path) => path.split(sep).join('/'))
  return hashFiles(root, [...BUILD_INPUTS, ...sources.sort()])
}

/** To be called last, with the hash taken before the build began: an edit made meanwhile is then built next time. */
export function writeBuildStamp(root, hash) {
  writeFileSync(buildStamp(root), hash)
}

/** Runs a command on this terminal and gives its exit code, 128 + n after signal n. Signals reach the child. */
export function runAttached(command, args, { cwd = ROOT, env = toolEnv(), stdin = 'inherit' } = {}) {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { cwd, env, stdio: [stdin, 'inherit', 'inherit'] })
    const stopForwarding = forwardSignals(child)
    child.on('error', reject)
    child.on('close', (code, signal) => {
      stopForwarding()
      resolve(signal ? 128 + constants.signals[signal] : code)
    })
  })
}

/**
 * Lets a command take the place of this process, so that nothing of the setup stays in memory. Where that is not possible, on Windows
 * and before Node 22.15, it is run as a child.
 */
export function runInstead(command, args, { cwd = ROOT, env = toolEnv() } = {}) {
  if (!process.execve || IS_WINDOWS) return runAttached(command, args, { cwd, env })
  process.chdir(cwd)
  process.execve(command, [command, ...args], env)
}

/** Runs a script's body; a SetupError becomes one line on stderr and exit code 1. */
export async function runScript(body) {
  try {
    process.exitCode = await body()
  } catch (error) {
    process.stderr.write(`${error instanceof SetupError ? error.message : error.stack}\n`)
    process.exitCode = 1
  }
}

function findInstalledNode(root) {
  const binary = join(root, 'node_modules', 'node', 'bin', IS_WINDOWS ? 'node.exe' : 'node')
  return existsSync(binary) ? binary : undefined
}

function isNewEnough() {
  return Number(process.versions.node.split('.')[0]) >= MIN_NODE_MAJOR
}

/** A Node that can give its place to the server, where that is possible at all. */
function canStart() {
  return isNewEnough() && (IS_WINDOWS || process.execve !== undefined)
}

function isInstalled(root, isForStart) {
  if (!existsSync(join(root, 'node_modules', '.package-lock.json'))) return false
  const stamp = readStamp(root)
  if (stamp === stampOf(root, ALL)) return true
  return (
    isForStart && stamp === stampOf(root, PROGRAM) && (canStart() || findInstalledNode(root) !== undefined)
  )
}

function isBuilt(root, outputs) {
  return (
    outputs.every((name) => existsSync(join(root, 'dist', name))) &&
    readIfThere(buildStamp(root)) === sourceHash(root)
  )
}

function readStamp(root) {
  return readIfThere(installStamp(root)) ?? ''
}

function stampOf(root, part) {
  return `${part} ${hashFiles(root, INSTALL_INPUTS)}`
}

function installStamp(root) {
  return join(root, 'node_modules', '.remindb-stamp')
}

function buildStamp(root) {
  return join(root, 'dist', '.stamp')
}

/**
 * Whether a person's own `npm ci` or `npm install` already did the work. npm writes
 * `node_modules/.package-lock.json` last, so an interrupted install does not have it.
 */
function matchesLockfile(root) {
  const wanted = readPackages(join(root, 'package-lock.json'))
  const installed = readPackages(join(root, 'node_modules', '.package-lock.json'))
  if (!wanted || !installed) return false
  return Object.entries(wanted).every(([path, entry]) => {
    // What is outside is ours: the checkout itself, and its workspaces.
    if (!path.includes('node_modules/') || (entry.optional && !installed[path])) return true
    return installed[path]?.version === entry.version && existsSync(join(root, path, 'package.json'))
  })
}

function readPackages(file) {
  const text = readIfThere(file)
  try {
    return text && JSON.parse(text).packages
  } catch {
    return undefined // cut off while being written: as good as absent
  }
}

async function install(root, { part, lock }) {
  say('installing dependencies…')
  const npm = spawn(IS_WINDOWS ? 'npm.cmd' : 'npm', npmArguments(root, part), {
    cwd: root,
    env: envForNpm(root),
    stdio: ['ignore', 'pipe', 'pipe'],
    shell: IS_WINDOWS,
  })
  // npm may outlive this process: the lock stays as long as either of them runs.
  if (npm.pid) appendFileSync(join(lock, 'pid'), ` ${npm.pid}`)
  const { output, ...end } = await collect(npm)
  if (end.error)
    throw new SetupError(`npm cannot be started (${end.error.code}); install Node with npm, then try again`)
  if (end.code === 0) return
  process.stderr.write(output)
  throw new SetupError(
    OFFLINE.test(output)
      ? 'npm failed: the package registry cannot be reached; connect to the network, then run the same command again'
      : `npm failed (${end.signal ?? `exit ${end.code}`}): the reason is above; when it is solved, run the same command again`,
  )
}

function npmArguments(root, part) {
  const flags = ['--include=dev', '--no-audit', '--no-fund', '--prefer-offline', '--loglevel=error']
  if (part === PROGRAM) return ['ci', ...flags, ...(canStart() ? WITHOUT_TOOLS : WITH_NODE)]
  if (readStamp(root) !== stampOf(root, PROGRAM)) return ['ci', ...flags]
  // What is there stays: a server may be running on it. Interrupted, this leaves no stamp, and so begins anew.
  rmSync(installStamp(root))
  return ['install', '--no-save', ...flags]
}

function collect(child) {
  let output = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text) => {
      output += text
    })
  }
  return new Promise((resolve) => {
    child.on('error', (error) => resolve({ output, error }))
    child.on('close', (code, signal) => resolve({ output, code, signal }))
  })
}

/** npm must not run on the Node it is about to delete from node_modules. */
function envForNpm(root) {
  const modules = join(root, 'node_modules') + sep
  return withPath((entries) => entries.filter((entry) => !entry.startsWith(modules)))
}

function withPath(change) {
  const env = { ...process.env }
  const key = Object.keys(env).find((name) => name.toUpperCase() === 'PATH') ?? 'PATH'
  env[key] = change((env[key] ?? '').split(delimiter).filter(Boolean)).join(delimiter)
  return env
}

function hashFiles(root, paths) {
  const hash = createHash('sha256').update(`${process.platform} ${process.arch}\0`)
  for (const path of paths) {
    const content = readIfThere(join(root, path), null)
    hash.update(`${path}\0${content === undefined ? 'absent' : content.length}\0`).update(content ?? '')
  }
  return hash.digest('hex')
}

function forwardSignals(child) {
  const atTerminal = process.stdin.isTTY || process.stdout.isTTY || process.stderr.isTTY
  const handlers = ['SIGINT', 'SIGTERM', 'SIGHUP'].map((signal) => {
    // At a terminal Ctrl-C reaches the child by itself; sent twice it would mean "quit now".
    const handler = () => (signal === 'SIGINT' && atTerminal ? undefined : child.kill(signal))
    process.on(signal, handler)
    return [signal, handler]
  })
  return () => {
    for (const [signal, handler] of handlers) process.off(signal, handler)
  }
}
