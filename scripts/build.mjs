// Builds dist/: one bundle per entry, the licences of what is inside them, the library's types.
import { spawnSync } from 'node:child_process'
import {
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { bundle } from './bundle.mjs'
import { withLock } from './lock.mjs'
import { SetupError } from './report.mjs'
import { ensureInstalled, ROOT, runScript, sourceHash, writeBuildStamp } from './setup.mjs'

const LIBRARY = 'index.js'
const PROGRAM = 'remindb.cjs'
const CHUNK = /^chunk-.*\.c?js$/
const PROGRAM_ENTRIES = {
  [PROGRAM]: 'src/cli/main.ts',
  'store-thread.js': 'src/store/sqlite/store-thread.ts',
  'parse-thread.js': 'src/ingest/parse-thread.ts',
  'prepare-thread.js': 'src/runtime/memory/prepare-thread.ts',
}
const ENTRIES = { ...PROGRAM_ENTRIES, [LIBRARY]: 'src/index.ts' }

/**
 * Builds everything, or the program without library and types, and stamps it. The caller holds the setup lock. Each file is replaced
 * whole, never in part.
 */
export async function build({ root = ROOT, isForStart = false } = {}) {
  const hash = sourceHash(root)
  const dist = join(root, 'dist')
  mkdirSync(dist, { recursive: true })
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  const bundles = await Promise.all(
    Object.entries(isForStart ? PROGRAM_ENTRIES : ENTRIES).map(([name, entry]) =>
      bundle({
        ...{ root, name, entry, version },
        // A command loads only what it needs: a server answers before the parsers are there.
        isSplit: name === PROGRAM,
        // The library runs inside other programs: their errors show its names and lines.
        isMinified: name !== LIBRARY,
      }),
    ),
  )
  const types = isForStart ? undefined : emitTypes(root, dist)
  const files = bundles.flatMap((bundled) => bundled.files)
  // The parts first: whoever starts the program meanwhile finds all of the old one or all of the new one.
  for (const { name, code } of files.reverse()) replaceFile(join(dist, name), code)
  removeOldChunks(dist, files)
  replaceFile(join(dist, 'THIRD-PARTY-LICENSES.txt'), licencesOf(bundles))
  // Of other sources, they would pass for built.
  rmSync(join(dist, 'types'), { recursive: true, force: true })
  if (types) renameSync(types, join(dist, 'types'))
  else rmSync(join(dist, LIBRARY), { force: true })
  writeBuildStamp(root, hash)
}

function emitTypes(root, dist) {
  const folder = join(dist, '.types-new')
  rmSync(folder, { recursive: true, force: true })
  const args = [
    join(root, 'node_modules', 'typescript', 'bin', 'tsc'),
    '-p',
    'tsconfig.build.json',
    '--outDir',
    folder,
  ]
  const tsc = spawnSync(process.execPath, args, { cwd: root, encoding: 'utf8' })
  if (tsc.status === 0) return folder
  rmSync(folder, { recursive: true, force: true })
  process.stderr.write(`${tsc.stdout}${tsc.stderr}`)
  throw new SetupError('the type declarations cannot be made: the reason is above')
}

function licencesOf(bundles) {
  const homes = new Set(bundles.flatMap(({ modules }) => modules.flatMap(packageOf)))
  const sections = [...homes].sort().map(licenceOf)
  const intro = 'remindb carries the following third-party software in its bundles.'
  return `${[intro, ...sections].join(`\n\n${'-'.repeat(80)}\n\n`)}\n`
}

/** The folder of the package that a module is from; nothing for our own. */
function packageOf(path) {
  return /^.*node_modules\/(?:@[^/]+\/)?[^/]+(?=\/)/.exec(path) ?? []
}

function licenceOf(home) {
  const { name, version, license } = JSON.parse(readFileSync(join(home, 'package.json'), 'utf8'))
  const texts = readdirSync(home)
    .filter((file) => /^(licen[cs]e|notice|copying)/i.test(file))
    .sort()
    .map((file) => readFileSync(join(home, file), 'utf8').trim())
  if (!license && texts.length === 0)
    throw new SetupError(`${name} states no licence and cannot be bundled; replace it`)
  return [`${name} ${version} (${license ?? 'licence below'})`, ...texts].join('\n\n')
}

function removeOldChunks(dist, files) {
  const current = new Set(files.map(({ name }) => name))
  for (const name of readdirSync(dist)) {
    if (CHUNK.test(name) && !current.has(name)) rmSync(join(dist, name))
  }
}

function replaceFile(path, content) {
  const fresh = join(dirname(path), `.new-${process.pid}`)
  writeFileSync(fresh, content)
  renameSync(fresh, path)
}

if (realpathSync(process.argv[1]) === fileURLToPath(import.meta.url)) {
  await runScript(async () => {
    await ensureInstalled()
    await withLock(ROOT, () => build())
  })
}
