import { existsSync, statSync } from 'node:fs'
import { resolve } from 'node:path'
import { MemoryError } from '../../core/errors.ts'
import { offeredTools } from '../../mcp/model/permissions.ts'
import { projectNote } from '../../mcp/project-note.ts'
import { placesOf } from '../../runtime/places/places.ts'
import {
  createMemoryServer,
  type MemoryChoice,
  type MemoryServer,
} from '../../runtime/serve/memory-server.ts'
import { serveStdio } from '../../runtime/serve/serve-stdio.ts'
import { allowedAccess } from '../../runtime/settings/allowed-access.ts'
import { environmentSource, loadConfig, toConfig } from '../../runtime/settings/config.ts'
import { VERSION } from '../../runtime/timing/version.ts'
import { untilClosed, writeLines } from '../../util/terminal/output.ts'
import { type Context, defineCommand, type ExitCode } from '../base/command.ts'
import { showCompiling } from '../base/compile-bar.ts'
import { chooseDatabase, namedDatabase } from '../base/databases.ts'
import { type NamedMemory, namedMemory } from '../base/which-memory.ts'
import { overviewLines } from '../layout/overview.ts'
import { listeningLines, stdioLines } from '../layout/serving.ts'
import { spacesLines } from '../layout/serving-spaces.ts'
import { type PageFacts, spacesPage, startPage } from '../layout/start-page.ts'

/** How long the last records may take to be read. */
const LEAVE_MS = 500

export const command = defineCommand({
  parameters: {},
  flags: {
    source: {
      kind: 'text',
      value: 'FOLDER',
      help: 'Compile this folder at the start, and again whenever files in it change',
    },
    transport: { kind: 'setting', value: 'NAME', setting: 'server.transport' },
    listen: { kind: 'setting', value: 'ADDRESS', setting: 'server.listen' },
    auth: { kind: 'setting', value: 'KIND', setting: 'server.auth' },
    'public-url': { kind: 'setting', value: 'URL', setting: 'server.public_url' },
    'tls-cert': { kind: 'setting', value: 'FILE', setting: 'server.tls.cert' },
    'tls-key': { kind: 'setting', value: 'FILE', setting: 'server.tls.key' },
    'rescan-interval': { kind: 'setting', value: 'TIME', setting: 'rescan.interval' },
    tools: { kind: 'setting', value: 'NAMES', setting: 'server.tools' },
    schemes: { kind: 'setting', value: 'NAMES', setting: 'server.schemes' },
    answers: { kind: 'setting', value: 'KIND', setting: 'server.answers' },
    'read-only': { kind: 'switch', help: 'Write nothing: no tool that writes, no rescan, no heat' },
    'no-destructive': { kind: 'switch', help: 'Remove nothing: no forget, delete, redact or drop_after' },
    verbose: { kind: 'switch', short: 'v', help: 'Log every call' },
  },
  examples: [
    'remindb serve --source notes',
    'remindb serve --db team/memory.db',
    'remindb serve --source notes --transport http --listen 127.0.0.1:7474',
    'remindb serve --source docs --rescan-interval 5s --verbose',
    'remindb serve --db assistant.db --tools records,keys',
    'remindb serve --db team/memory.db --read-only',
    'remindb serve --spaces team --auth keys',
  ],

  async run(context, { flags }) {
    const source = sourceFolder(flags.source, context)
    if (source === undefined && flags['rescan-interval'] !== undefined)
      throw new MemoryError('INVALID_INPUT', 'rescan interval requires --source (or REMINDB_SOURCE)')
    const settings = {
      'server.transport': flags.transport,
      'server.listen': flags.listen,
      'server.auth': flags.auth,
      'server.public_url': flags['public-url'],
      'server.tls.cert': pathFrom(flags['tls-cert'], context),
      'server.tls.key': pathFrom(flags['tls-key'], context),
      'rescan.interval': flags['rescan-interval'],
      'server.tools': flags.tools,
      'server.schemes': flags.schemes,
      'server.answers': flags.answers,
      ...(flags['read-only'] ? { 'server.read_only': true } : {}),
      ...(flags['no-destructive'] ? { 'server.no_destructive': true } : {}),
      ...(flags.verbose ? { 'server.logging.level': 'debug' } : {}),
    }
    const named = namedMemory(context)
    if (named?.kind === 'space' && isForMany(named, { ...flags, settings })) {
      if (source !== undefined) throw new MemoryError('INVALID_INPUT', SOURCE_OF_MANY)
      return runSpaces(context, named, settings)
    }
    const choice = { db: await databaseFor(source, context), source, settings }
    const parts = await createMemoryServer(choice)
    const isHttp = parts.config['server.transport'] === 'http'
    try {
      await (isHttp ? runHttp(context, parts, choice) : runStdio(context, parts, choice))
    } finally {
      process.exitCode = await parts.close()
    }
    const code = process.exitCode === 1 ? 1 : 0
    // Unread answers and log records would keep the process alive.
    setTimeout(() => process.exit(code), LEAVE_MS).unref()
    return code
  },
})

const SOURCE_OF_MANY =
  '--source is for a server of one memory; run `remindb compile FOLDER --spaces DIR --space NAME` instead'

type Settings = MemoryChoice['settings']

/** All spaces, over HTTP; unless a space is named, as for any other command, without a transport. */
function isForMany(
  { space }: Extract<NamedMemory, { kind: 'space' }>,
  { transport, auth, settings }: { transport?: unknown; auth?: unknown; settings: Settings },
): boolean {
  const isHttp = toConfig(loadConfig({ flags: settings, stateFolder: null }))['server.transport'] === 'http'
  return isHttp || (transport === undefined && (space === undefined || auth !== undefined))
}

async function runSpaces(
  context: Context,
  { folder: dir, space: defaultSpace }: Extract<NamedMemory, { kind: 'space' }>,
  settings: Settings,
): Promise<ExitCode> {
  const { serveSpaces } = await import('../../runtime/team/serve-spaces.ts')
  const choice = { dir, defaultSpace, settings: { ...settings, 'server.transport': 'http' } }
  await serveSpaces(choice, {
    page: (url) => spacesPage(`${url}/s/{space}/mcp`, VERSION),
    onListening: (url, served) =>
      untilClosed(writeLines(context.out, spacesLines(url, { dir, ...served }, context.palette))),
  })
  setTimeout(() => process.exit(0), LEAVE_MS).unref()
  return 0
}

async function runStdio(context: Context, parts: MemoryServer, choice: MemoryChoice): Promise<void> {
  if (process.stdin.isTTY)
    await writeLines(context.err, stdioLines(context, { ...choice, note: noteOf(parts) }))
  await serveStdio(parts, { input: process.stdin, output: process.stdout })
}

async function runHttp(context: Context, parts: MemoryServer, choice: MemoryChoice): Promise<void> {
  const { serveHttp } = await import('../../runtime/serve/serve-http.ts')
  const tools = parts.config['server.tools']
  const note = noteOf(parts)
  await serveHttp(parts, {
    page: async (url) => startPage({ url, version: VERSION, note, holds: await holdsOf(parts) }),
    onListening: async (url) => {
      // The reader of the URL may disconnect: the server runs for others.
      const lines = listeningLines(url, { ...choice, note, tools }, context.palette)
      await untilClosed(writeLines(context.out, lines))
      void tellWhatIsThere(context, parts, url).catch(() => undefined)
    },
  })
}

function noteOf({ tools, config }: MemoryServer): string[] {
  return projectNote(offeredTools(tools, { access: allowedAccess(config) }))
}

/** Counts only: the page discloses none of the memory's content. */
async function holdsOf({ memory }: MemoryServer): Promise<PageFacts['holds']> {
  try {
    const { observer, compiling } = await memory.get()
    const { nodes, snapshots } = await observer.overview()
    const holds = { nodes: nodes.total, tokens: nodes.tokens, snapshots: snapshots.count }
    return { ...holds, compiling: await compiling() }
  } catch {
    return null
  }
}

/** The content of the memory, after the first scan of its source. The log says why it cannot be opened. */
async function tellWhatIsThere(context: Context, parts: MemoryServer, url: string): Promise<void> {
  await writeLines(context.out, await linesOfWhatIsThere(context, parts, url))
}

async function linesOfWhatIsThere(
  context: Context,
  { memory }: MemoryServer,
  url: string,
): Promise<string[]> {
  try {
    const served = await memory.get()
    const { observer } = served
    await showCompiling(served, { stream: process.stderr, now: () => performance.now() })
    const there = { overview: await observer.overviewCounts(), look: await observer.firstLook() }
    const last = `Open ${context.palette.bold(url)} in a browser to see what to paste. Press Ctrl-C to stop.`
    return [...overviewLines(there, context), '', last]
  } catch {
    return ['', 'The memory cannot be opened; the log above says why. Press Ctrl-C to stop.']
  }
}

function pathFrom(flag: string | undefined, { cwd }: Context): string | undefined {
  return flag === undefined || flag === '' ? flag : resolve(cwd, flag)
}

/** Absolute and existing: a missing folder would look like one whose files are all deleted. */
function sourceFolder(flag: string | undefined, { cwd }: Context): string | undefined {
  const named = flag ?? environmentSource()
  if (named === undefined) return undefined
  const folder = resolve(cwd, named)
  const found = statSync(folder, { throwIfNoEntry: false })
  if (found?.isDirectory()) return folder
  throw new MemoryError('NOT_FOUND', `there is no folder ${named}; check --source`)
}

/** A named memory is created if missing: an agent's first start is the same as the next. */
async function databaseFor(source: string | undefined, context: Context): Promise<string> {
  const named = await namedDatabase(context)
  if (named) return named.file
  if (source !== undefined) return placesOf(source).db
  const { file } = await chooseDatabase(context)
  if (existsSync(file)) return file
  throw new MemoryError(
    'NOT_FOUND',
    `there is no memory in ${context.cwd} or above; name a folder with --source, or a database with --db`,
  )
}
