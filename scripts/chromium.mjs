// node scripts/chromium.mjs: prints where a Chromium is, and installs the Debian package where there is none. Node 20, no
// dependencies.
import { spawn } from 'node:child_process'
import { accessSync, constants, realpathSync, statSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { withLock } from './lock.mjs'
import { SetupError, say } from './report.mjs'
import { ROOT, runScript } from './setup.mjs'

const NAMES = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable', 'chrome.exe']
/** Where it is on systems that do not put it on the PATH. */
const HOMES = [
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  'C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe',
]
const ADVICE =
  'install Chromium or Chrome (Debian: apt-get install chromium), or set CHROME_PATH to the one you have, then try again'

/** The path of a Chromium. Installs one as root on Debian; elsewhere a missing one is a SetupError that says what to do. */
export async function ensureChromium(options = {}) {
  const { env = process.env, homes = HOMES, isRoot = process.getuid?.() === 0, root = ROOT } = options
  if (env.CHROME_PATH && !isProgram(env.CHROME_PATH))
    throw new SetupError('CHROME_PATH names no program; set it to a Chromium, or unset it')
  const find = () => env.CHROME_PATH || onPath(env, NAMES) || homes.find(isProgram)
  const found = find()
  if (found !== undefined) return found
  const aptGet = onPath(env, ['apt-get'])
  if (!isRoot || aptGet === undefined) throw new SetupError(`there is no Chromium here; ${ADVICE}`)
  return withLock(root, async () => find() ?? (await install(aptGet, { env, find })))
}

function onPath(env, names) {
  const folders = (env.PATH ?? '').split(delimiter).filter(Boolean)
  return names.flatMap((name) => folders.map((folder) => join(folder, name))).find(isProgram)
}

function isProgram(path) {
  try {
    accessSync(path, constants.X_OK)
    return statSync(path).isFile()
  } catch {
    return false
  }
}

async function install(aptGet, { env, find }) {
  say('installing Chromium…')
  const tries = [await run(aptGet, INSTALL, env)]
  // A fresh machine has no lists of packages; one that has them is spared the download.
  if (tries[0].code !== 0) tries.push(await run(aptGet, ['update'], env), await run(aptGet, INSTALL, env))
  const found = find()
  if (found !== undefined) return found
  process.stderr.write(tries.map(({ output }) => output).join(''))
  throw new SetupError(`apt-get did not install Chromium: the reason is above; ${ADVICE}`)
}

const INSTALL = ['install', '--yes', '--no-install-recommends', '-o', 'DPkg::Lock::Timeout=300', 'chromium']

/** Nothing is asked: there may be nobody to answer. */
function run(command, args, env) {
  const options = { env: { ...env, DEBIAN_FRONTEND: 'noninteractive' }, stdio: ['ignore', 'pipe', 'pipe'] }
  const child = spawn(command, args, options)
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (piece) => (output += piece))
  return new Promise((resolve) => {
    child.on('error', (error) => resolve({ code: null, output: `${error.message}\n` }))
    child.on('close', (code) => resolve({ code, output }))
  })
}

if (process.argv[1] && realpathSync(process.argv[1]) === fileURLToPath(import.meta.url)) {
  await runScript(async () => console.log(await ensureChromium()))
}
