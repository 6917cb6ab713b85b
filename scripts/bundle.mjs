// Makes one bundle of an entry: the program in parts, everything else in one file.
import { join, parse } from 'node:path'
import { SetupError } from './report.mjs'

/** The program is CommonJS: Node requires a file faster than it imports one, which saves a start 7 ms of processor time. */
const FORMATS = { '.cjs': 'cjs', '.js': 'esm' }

/** `oidc-provider` stores what it remembers under the names of its classes. */
const KEPT_NAMES = { class: true, function: false }
const MINIFIED = { mangle: { keepNames: KEPT_NAMES }, compress: { keepNames: KEPT_NAMES } }

/**
 * What `entry` becomes: `files`, the one called `name` first, and the paths of the modules whose code is in them.
 * `isSplit`: in parts that are loaded when they are needed. `isMinified`: without names and lines.
 */
export async function bundle({ root, name, entry, version, isSplit, isMinified }) {
  const { name: input, ext } = parse(name)
  const output = await runRolldown(
    {
      cwd: root,
      input: { [input]: entry },
      platform: 'node',
      external: ['better-sqlite3', '@parcel/watcher'],
      // What it leaves out is said there.
      resolve: { alias: { '@modelcontextprotocol/server/_shims': join(root, 'src/mcp/sdk-shims.ts') } },
      transform: { target: 'node22', define: { __REMINDB_VERSION__: JSON.stringify(version) } },
      // A part may export more than its entry does: that saves a file that only passes names on.
      preserveEntrySignatures: 'allow-extension',
      logLevel: 'warn',
      // On a busy machine it warns of itself: nothing that a person who waits could act on.
      checks: { bundlerTimings: false },
      // Old helpers of Koa use eval where a deprecated function is called; none is.
      onLog: (level, log, report) => {
        if (log.code !== 'EVAL' || !log.message.includes('/depd/')) report(level, log)
      },
    },
    {
      format: FORMATS[ext],
      minify: isMinified && MINIFIED,
      comments: { legal: true, annotation: false, jsdoc: false },
      entryFileNames: name,
      chunkFileNames: `chunk-[hash]${ext}`,
      codeSplitting: isSplit,
    },
  )
  return {
    files: output
      .map(({ fileName, code }) => ({ name: fileName, code }))
      .sort((a, b) => (b.name === name) - (a.name === name)),
    modules: output.flatMap((chunk) => renderedModules(chunk)),
  }
}

async function runRolldown(input, output) {
  // Loaded here, so that a missing install is npm's one-line error and not a stack trace.
  const { rolldown } = await import('rolldown').catch(() => {
    throw new SetupError('rolldown is not installed; run npm ci')
  })
  try {
    const build = await rolldown(input)
    const made = await build.generate(output)
    await build.close()
    return made.output
  } catch (error) {
    process.stderr.write(`${error.message}\n`)
    throw new SetupError(`building ${Object.values(input.input)} failed: the reason is above`)
  }
}

/** What was shaken off is not among them. */
function renderedModules({ modules }) {
  return Object.entries(modules)
    .filter(([, { renderedLength }]) => renderedLength > 0)
    .map(([path]) => path)
}
