// Builds dist/: one ESM bundle per entry, the licences of what is inside them, the library's types.
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
import { builtinModules } from 'node:module'
import { basename, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { withLock } from './lock.mjs'
import { SetupError } from './report.mjs'
import { ROOT, runScript, sourceHash, writeBuildStamp } from './setup.mjs'

const LIBRARY = 'index.js'
const PROGRAM = 'remindb.js'
const CHUNK = /^chunk-.*\.js$/
const ENTRIES = {
  [PROGRAM]: 'src/cli/main.ts',
  'writer-thread.js': 'src/store/sqlite/writer-thread.ts',
  'parse-thread.js': 'src/ingest/parse-thread.ts',
  [LIBRARY]: 'src/index.ts',
}
const REQUIRE_BANNER =
  "import{createRequire as __createRequire}from'node:module';const require=__createRequire(import.meta.url);"

/** Builds everything and stamps it. The caller holds the setup lock. Each file is replaced whole, never in part. */
export async function build({ root = ROOT } = {}) {
  const hash = sourceHash(root)
  const dist = join(root, 'dist')
  mkdirSync(dist, { recursive: true })
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  const bundles = await Promise.all(
    Object.entries(ENTRIES).map(([name, entry]) => bundle({ root, name, entry, version })),
  )
  const types = emitTypes(root, dist)
  const files = bundles.flatMap((bundled) => bundled.files)
  // The parts first: whoever starts the program meanwhile finds all of the old one or all of the new one.
  for (const { name, code } of files.reverse()) replaceFile(join(dist, name), code)
  removeOldChunks(dist, files)
  replaceFile(join(dist, 'THIRD-PARTY-LICENSES.txt'), licencesOf(root, bundles))
  rmSync(join(dist, 'types'), { recursive: true, force: true })
  renameSync(types, join(dist, 'types'))
  writeBuildStamp(root, hash)
}

async function bundle({ root, name, entry, version }) {
  // The library runs inside other programs: their errors show its names and lines.
  const isMinified = name !== LIBRARY
  const options = {
    absWorkingDir: root,
    entryPoints: { [basename(name, '.js')]: entry },
    outdir: 'dist',
    bundle: true,
    // A command loads only what it needs: a server answers before the parsers are there.
    splitting: name === PROGRAM,
    chunkNames: 'chunk-[hash]',
    format: 'esm',
    platform: 'node',
    target: 'node22',
    minifySyntax: true,
    minifyWhitespace: isMinified,
    minifyIdentifiers: isMinified,
    external: ['better-sqlite3', '@parcel/watcher'],
    // What it leaves out is said there.
    alias: { '@modelcontextprotocol/server/_shims': './src/mcp/sdk-shims.ts' },
    legalComments: 'external',
    define: { __REMINDB_VERSION__: JSON.stringify(version) },
    metafile: true,
    write: false,
    logLevel: 'warning',
  }
  const plain = await runEsbuild(options)
  const result = usesRequire(plain.metafile)
    ? await runEsbuild({ ...options, banner: { js: REQUIRE_BANNER } })
    : plain
  const outputs = result.outputFiles.map(({ path, text }) => ({ name: basename(path), code: text }))
  const isLegal = ({ name: file }) => file.endsWith('.LEGAL.txt')
  return {
    // The entry itself first.
    files: outputs.filter((output) => !isLegal(output)).sort((a, b) => (b.name === name) - (a.name === name)),
    legal: outputs.filter(isLegal).map(({ code }) => code),
    metafile: result.metafile,
  }
}

async function runEsbuild(options) {
  // Loaded here, so that a missing install is npm's one-line error and not a stack trace.
  const esbuild = await import('esbuild').catch(() => {
    throw new SetupError('esbuild is not installed; run npm ci')
  })
  return esbuild.build(options).catch(() => {
    throw new SetupError(`building ${Object.values(options.entryPoints)} failed: the reason is above`)
  })
}

/** Whether a CommonJS dependency calls `require` for something outside the bundle: ESM has no such function. */
function usesRequire(metafile) {
  return Object.values(metafile.inputs).some((input) =>
    input.imports.some((used) => used.kind === 'require-call' && (used.external || isBuiltin(used.path))),
  )
}

function isBuiltin(path) {
  return path.startsWith('node:') || builtinModules.includes(path)
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

function licencesOf(root, bundles) {
  const homes = new Set(bundles.flatMap(({ metafile }) => bundledPackages(metafile)))
  const sections = [...homes].sort().map((home) => licenceOf(join(root, home)))
  const legal = bundles.flatMap((one) => one.legal.map((text) => text.trim())).filter(Boolean)
  const intro = 'remindb carries the following third-party software in its bundles.'
  return `${[intro, ...sections, ...new Set(legal)].join(`\n\n${'-'.repeat(80)}\n\n`)}\n`
}

/** Folders of the packages whose code is in the output; what was shaken off is not. */
function bundledPackages(metafile) {
  return Object.values(metafile.outputs).flatMap((output) =>
    Object.entries(output.inputs)
      .filter(([, use]) => use.bytesInOutput > 0)
      .flatMap(([path]) => /^.*node_modules\/(?:@[^/]+\/)?[^/]+(?=\/)/.exec(path) ?? []),
  )
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
  await runScript(() => withLock(ROOT, () => build()))
}
